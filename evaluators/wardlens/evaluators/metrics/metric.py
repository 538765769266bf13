"""The metrics by name."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.evaluators.examples.example import Example
from wardlens.evaluators.judges.judge import Judge
from wardlens.evaluators.metrics.citations import citation_precision, citation_recall
from wardlens.evaluators.metrics.claims import (
    ClaimQuestion,
    claim_precision,
    claim_recall,
    precision_questions,
    recall_questions,
)
from wardlens.evaluators.metrics.conventions import Conventions
from wardlens.evaluators.metrics.judgment import Judgment

__all__ = ["METRICS", "Judgment", "Metric", "choose_metrics", "require_fields"]

Program = Callable[[Example, Judge, Conventions], Awaitable[Mapping[str, list[Judgment]]]]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its program, and what it needs of a row.

    A program gives the judgments of its metric, and of `includes` where they come with it.
    `claim_questions` is None for metrics that need no claims.
    """

    name: str
    program: Program
    text_field: str
    claims_field: str | None = None
    claim_questions: Callable[[Example], list[ClaimQuestion]] | None = None
    includes: tuple[str, ...] = ()


METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("claim_recall", claim_recall, "output", "subclaims_reference", recall_questions),
        Metric(
            "claim_precision",
            claim_precision,
            "reference",
            "subclaims_output",
            precision_questions,
        ),
        Metric("citation_recall", citation_recall, "output"),
        Metric("citation_precision", citation_precision, "output", includes=("citation_recall",)),
    )
}


def choose_metrics(names: str) -> tuple[Metric, ...]:
    """The metrics in a comma-separated list of names, each once, in the order given.

    Raises:
        UserError: a name is unknown, or there is none.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    unknown = [name for name in wanted if name not in METRICS]
    if unknown or not wanted:
        raise UserError(
            f"--metrics: unknown metric {', '.join(map(repr, unknown)) or '(none given)'}. "
            f"Allowed: {', '.join(METRICS)}."
        )
    return tuple(METRICS[name] for name in wanted)


def require_fields(metrics: Sequence[Metric], examples: Sequence[Example], path: Path) -> None:
    """Raise `UserError` where a metric can't be computed from what the rows of `path` hold."""
    for metric in metrics:
        if metric.claim_questions is None:
            _require_cited_output(metric, examples, path)
        else:
            _require_claims(metric, metric.claim_questions, examples, path)


def _require_claims(
    metric: Metric,
    claim_questions: Callable[[Example], list[ClaimQuestion]],
    examples: Sequence[Example],
    path: Path,
) -> None:
    questions = [(e, q) for e in examples for q in claim_questions(e) if q.claims]
    if not questions:
        raise UserError(
            f"{path}: no row has claims for {metric.name} (field {metric.claims_field!r}, or "
            f"{f'{metric.claims_field}_<section>'!r}). Name a file that has them with --claims, or "
            "leave the metric out."
        )
    for example, question in questions:
        if question.text is None:
            raise UserError(
                f"{path}: row {example.row}, field {metric.text_field!r}: missing, but "
                f"{metric.name} judges claims against it."
            )


def _require_cited_output(metric: Metric, examples: Sequence[Example], path: Path) -> None:
    for example in examples:
        for field, given in (
            ("output", example.output is not None or bool(example.output_sections)),
            ("input", example.input is not None),
        ):
            if not given:
                raise UserError(
                    f"{path}: row {example.row}, field {field!r}: missing, but {metric.name} "
                    "judges the output's statements against the input sentences they cite."
                )

"""The metrics by name."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.evaluators.examples.example import Example
from wardlens.evaluators.judges.judge import Judge
from wardlens.evaluators.metrics.claims import (
    ClaimQuestion,
    claim_precision,
    claim_recall,
    precision_questions,
    recall_questions,
)
from wardlens.evaluators.metrics.judgment import Judgment
from wardlens.evaluators.rules import Rules

__all__ = ["METRICS", "Judgment", "Metric", "choose_metrics", "require_fields"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its program, and the fields of a row that it needs."""

    name: str
    program: Callable[[Example, Judge, Rules], Awaitable[list[Judgment]]]
    questions: Callable[[Example], list[ClaimQuestion]]
    text_field: str
    claims_field: str


METRICS: Mapping[str, Metric] = {
    metric.name: metric
    for metric in (
        Metric("claim_recall", claim_recall, recall_questions, "output", "subclaims_reference"),
        Metric(
            "claim_precision",
            claim_precision,
            precision_questions,
            "reference",
            "subclaims_output",
        ),
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
        questions = [(e, q) for e in examples for q in metric.questions(e) if q.claims]
        if not questions:
            raise UserError(
                f"{path}: no row has claims for {metric.name} (field {metric.claims_field!r}, or "
                f"{metric.claims_field + '_<section>'!r}). Name a file that has them with "
                "--claims, or leave the metric out."
            )
        for example, question in questions:
            if question.text is None:
                raise UserError(
                    f"{path}: row {example.row}, field {metric.text_field!r}: missing, but "
                    f"{metric.name} judges claims against it."
                )

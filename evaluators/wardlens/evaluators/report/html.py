"""Fills the report's template. Every figure comes from the same objects as `metrics.json`."""

from functools import cache
from typing import Any

import jinja2

from wardlens.evaluators.plan import Plan
from wardlens.evaluators.results.outcome import Outcome
from wardlens.evaluators.results.scores import Scores
from wardlens.evaluators.rules.tally import Tally

_NOTHING = Tally()


def report_html(plan: Plan, outcome: Outcome, scores: Scores) -> str:
    """The report as HTML: scores with intervals and bounds, by section, and example by example.

    It holds example ids but no document text. The same results give the same bytes.
    """
    return _template().render(
        evaluator=plan.evaluator,
        rules=plan.rules,
        metrics=[metric.name for metric in plan.metrics],
        samples=plan.options.samples,
        scores=scores,
        examples=_example_rows(plan, outcome),
    )


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["figure"] = _figure
    return environment.get_template("report.html.jinja")


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def _printable(text: str) -> str:
    """`text` with control characters, which HTML may not hold, replaced."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def _example_rows(plan: Plan, outcome: Outcome) -> list[dict[str, Any]]:
    rows = []
    for system, examples in outcome.items():
        for example in examples:
            tallies = {
                metric.name: sum(example.tallies(metric.name).values(), _NOTHING)
                for metric in plan.metrics
            }
            example_id = _printable(example.example.example_id.reveal())
            rows.append({"system": system, "example_id": example_id, "tallies": tallies})
    return rows

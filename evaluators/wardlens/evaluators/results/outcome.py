"""The judgments of a run, in input order, before they are written."""

from collections.abc import Mapping
from dataclasses import dataclass

from wardlens.evaluators.examples import Example
from wardlens.evaluators.metrics import Judgment
from wardlens.evaluators.metrics.judgment import Question
from wardlens.evaluators.rules.tally import Tally, tally


@dataclass(frozen=True, slots=True)
class ExampleOutcome:
    """All judgments of one example, by metric, and the questions where a trace is wanted."""

    example: Example
    judgments: Mapping[str, tuple[Judgment, ...]]
    questions: tuple[Question, ...] = ()

    def tallies(self, metric: str) -> dict[str, Tally]:
        """Counts by section, in the order of the text."""
        by_section: dict[str, list[Judgment]] = {}
        for judgment in self.judgments[metric]:
            by_section.setdefault(judgment.section, []).append(judgment)
        return {s: tally(j.verdict for j in listed) for s, listed in by_section.items()}


Outcome = Mapping[str, tuple[ExampleOutcome, ...]]
"""Outcomes by system."""

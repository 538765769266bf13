"""The questions that metrics ask."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.verdict import Verdict


class Judge(Protocol):
    """Answers entailment questions about texts."""

    @property
    def answers_in_order(self) -> bool:
        """Whether questions must come one after another, in program order."""
        ...

    def seen(self, premise: SealedText) -> SealedText:
        """What of `premise` reaches the model."""
        ...

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        """Does `premise` entail each of `hypotheses`? One verdict each, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Attribution:
    """Whether a statement is supported by what it cites, and by which of its citations."""

    supported: Verdict
    citations: tuple[Verdict, ...]


@runtime_checkable
class AttributingJudge(Judge, Protocol):
    """Tells in one answer whether and by which of its citations a statement is supported."""

    async def attribute(
        self, statement: SealedText, numbers: Sequence[int], sentences: Sequence[SealedText]
    ) -> Attribution:
        """Judge `statement` against `sentences`, which it cites by `numbers`."""
        ...


@runtime_checkable
class ComparingJudge(Judge, Protocol):
    """Tells whether two questions ask the same."""

    async def asks_the_same(self, output: SealedText, reference: SealedText) -> Verdict:
        """Do the question `output` and the question `reference` ask the same?"""
        ...

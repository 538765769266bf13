"""The one question that metrics ask."""

from collections.abc import Sequence
from typing import Protocol

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.verdict import Verdict


class Judge(Protocol):
    """Answers entailment questions about texts."""

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        """Does `premise` entail each of `hypotheses`? One verdict each, in order."""
        ...

"""A judge over an engine that answers entailment questions itself: the overlap rule, NLI models."""

from collections.abc import Sequence

from wardlens.engine.answers import Answer, Entailment, Unscored
from wardlens.engine.desk import Desk
from wardlens.engine.requests import EntailmentRequest
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.verdict import Verdict, without_verdict


class EntailmentJudge:
    """Asks one `EntailmentRequest` a hypothesis; its engines give the same bits on every run.

    Of a premise the engine sees the first `premise_words` words (parts between single spaces), or
    all of it.
    """

    def __init__(self, desk: Desk, premise_words: int | None = None) -> None:
        self._desk = desk
        self._premise_words = premise_words

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        """One verdict a hypothesis."""
        seen = self._cut(premise)
        requests = [EntailmentRequest(seen, hypothesis) for hypothesis in hypotheses]
        return [_verdict(answer) for answer in await self._desk.ask(requests)]

    def _cut(self, premise: SealedText) -> SealedText:
        if self._premise_words is None:
            return premise
        return SealedText(" ".join(premise.reveal().split(" ")[: self._premise_words]))


def _verdict(answer: Answer) -> Verdict:
    match answer:
        case Entailment(label=label, probability=probability):
            return Verdict(label=label, probability=probability, stable=True)
        case Unscored(reason=reason):
            return without_verdict(reason)
        case _:
            raise TypeError(f"not an answer to an entailment question: {type(answer).__name__}")

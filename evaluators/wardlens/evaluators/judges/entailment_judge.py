"""A judge over an engine that answers entailment questions itself: the overlap rule, NLI models."""

from collections.abc import Sequence

from wardlens.engine.answers import Answer, Entailment, Unscored
from wardlens.engine.desk import Desk
from wardlens.engine.requests import EntailmentRequest
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.verdict import Verdict, without_verdict


class EntailmentJudge:
    """Asks one `EntailmentRequest` a hypothesis; its engines give the same bits on every run."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        """One verdict a hypothesis."""
        requests = [EntailmentRequest(premise, hypothesis) for hypothesis in hypotheses]
        return [_verdict(answer) for answer in await self._desk.ask(requests)]


def _verdict(answer: Answer) -> Verdict:
    match answer:
        case Entailment(label=label, probability=probability):
            return Verdict(label=label, probability=probability, stable=True)
        case Unscored(reason=reason):
            return without_verdict(reason)
        case _:
            raise TypeError(f"not an answer to an entailment question: {type(answer).__name__}")

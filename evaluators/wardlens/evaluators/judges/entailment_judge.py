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

    answers_in_order = False

    def __init__(self, desk: Desk, premise_words: int | None = None) -> None:
        self._desk = desk
        self._premise_words = premise_words

    def seen(self, premise: SealedText) -> SealedText:
        """The first words of `premise`, or all of it."""
        return cut_to_words(premise, self._premise_words)

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        """One verdict a hypothesis."""
        seen = self.seen(premise)
        requests = [EntailmentRequest(seen, hypothesis) for hypothesis in hypotheses]
        return [_verdict(answer) for answer in await self._desk.ask(requests)]


def cut_to_words(text: SealedText, words: int | None) -> SealedText:
    """The first `words` parts between single spaces; all of `text` if `words` is None."""
    if words is None:
        return text
    return SealedText(" ".join(text.reveal().split(" ")[:words]))


def _verdict(answer: Answer) -> Verdict:
    match answer:
        case Entailment(label=label, probability=probability):
            return Verdict(label=label, probability=probability, stable=True)
        case Unscored(reason=reason):
            return without_verdict(reason)
        case _:
            raise TypeError(f"not an answer to an entailment question: {type(answer).__name__}")

"""A judge over an instruct model, style `label`: one decision between 1 and 0 at a time.

Nothing is decoded beyond that one token: the forced text is in the prompt, and one forward pass
scores both answers.
"""

from collections.abc import Sequence

from wardlens.engine.answers import Answer, Decision, Unscored
from wardlens.engine.desk import Desk
from wardlens.engine.requests import DecisionRequest
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.judge import Attribution
from wardlens.evaluators.judges.verdict import Verdict, without_verdict
from wardlens.evaluators.prompts import ClaimPrompts, TaskPrompts

_CHOICES = ("0", "1")
_SUPPORTED = "Supported: "


class InstructJudge:
    """Asks one `DecisionRequest` a decision, with `shots` worked examples (0 or 2)."""

    answers_in_order = False

    def __init__(self, desk: Desk, prompts: TaskPrompts, shots: int) -> None:
        self._desk = desk
        self._prompts = prompts
        self._shots = shots

    def seen(self, premise: SealedText) -> SealedText:
        """All of it."""
        return premise

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        """One verdict a hypothesis."""
        requests = [self._request(self._prompts.claim, premise, h, "") for h in hypotheses]
        return [_verdict(answer) for answer in await self._desk.ask(requests)]

    async def attribute(
        self, statement: SealedText, numbers: Sequence[int], sentences: Sequence[SealedText]
    ) -> Attribution:
        """One answer, slot by slot: the label, then 1 or 0 for each number that is cited.

        What was decided is part of the forced text of the next decision. The supporting citations
        are thus always some of those cited. If the statement is not supported none is; if it is
        and cites one sentence, that one supports it.
        """
        pairs = zip(numbers, sentences, strict=True)
        document = SealedText("\n".join(f"[{n}] {text.reveal()}" for n, text in pairs))
        answer = _SUPPORTED
        supported = await self._decide(document, statement, answer)
        if supported.label is not True or len(numbers) == 1:
            return Attribution(supported, (supported,) * len(numbers))
        answer += "1"
        citations: dict[int, Verdict] = {}
        for number in dict.fromkeys(numbers):
            answer += f"\n[{number}]: "
            verdict = await self._decide(document, statement, answer)
            citations[number] = verdict
            # A slot without an answer is left as not needed; its own verdict stays unscored.
            answer += "1" if verdict.label else "0"
        return Attribution(supported, tuple(citations[number] for number in numbers))

    async def asks_the_same(self, output: SealedText, reference: SealedText) -> Verdict:
        """Do both questions ask for the same?"""
        prompts = self._prompts.same
        if prompts is None:
            return without_verdict("this task doesn't compare questions")
        (answer,) = await self._desk.ask([self._request(prompts, output, reference, "")])
        return _verdict(answer)

    async def _decide(self, document: SealedText, statement: SealedText, answer: str) -> Verdict:
        request = self._request(self._prompts.citation, document, statement, answer)
        (reply,) = await self._desk.ask([request])
        return _verdict(reply)

    def _request(
        self, prompts: ClaimPrompts, document: SealedText, claim: SealedText, answer: str
    ) -> DecisionRequest:
        return DecisionRequest(prompts.ask(document, claim, self._shots), _CHOICES, answer)


def _verdict(answer: Answer) -> Verdict:
    match answer:
        case Decision():
            return Verdict(
                label=answer.index == 1,
                probability=answer.probabilities[1],
                mass=answer.mass,
                margin=answer.margin,
            )
        case Unscored(reason=reason):
            return without_verdict(reason)
        case _:
            raise TypeError(f"not an answer to a decision: {type(answer).__name__}")

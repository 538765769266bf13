"""A judge over an instruct model, style `label`: one decision between 1 and 0 a claim.

Nothing is decoded beyond that one token: the forced text is in the prompt, and one forward pass
scores both answers.
"""

from collections.abc import Sequence

from wardlens.engine.answers import Answer, Decision, Unscored
from wardlens.engine.desk import Desk
from wardlens.engine.requests import DecisionRequest
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.verdict import Verdict, without_verdict
from wardlens.evaluators.prompts import ClaimPrompts

_CHOICES = ("0", "1")


class InstructJudge:
    """Asks one `DecisionRequest` a hypothesis, with `shots` worked examples (0 or 2)."""

    def __init__(self, desk: Desk, prompts: ClaimPrompts, shots: int) -> None:
        self._desk = desk
        self._prompts = prompts
        self._shots = shots

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        """One verdict a hypothesis."""
        prompts = [self._prompts.ask(premise, h, self._shots) for h in hypotheses]
        requests = [DecisionRequest(prompt, _CHOICES) for prompt in prompts]
        return [_verdict(answer) for answer in await self._desk.ask(requests)]


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

"""A judge over an instruct model: one decision between 1 and 0 a claim."""

import asyncio
from collections.abc import Sequence
from typing import cast

import pytest

from wardlens.engine.answers import Answer, Decision, Entailment, Unscored
from wardlens.engine.desk import Desk
from wardlens.engine.requests import DecisionRequest, Request
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges import Verdict
from wardlens.evaluators.judges.instruct_judge import InstructJudge
from wardlens.evaluators.prompts import load_task_prompts

PREMISE = SealedText("The patient coughs.")
CLAIMS = [SealedText("first"), SealedText("second")]
YES = Decision(index=1, probabilities=(0.25, 0.75), mass=0.9, margin=1.1)
NO = Decision(index=0, probabilities=(0.875, 0.125), mass=0.5, margin=1.9)


class FakeDesk:
    """Gives the answers that it was made with."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[Request] = []

    async def ask(self, requests: Sequence[Request]) -> list[Answer]:
        self.asked += requests
        return self.answers


def verdicts(desk: FakeDesk, shots: int = 2) -> list[Verdict]:
    judge = InstructJudge(cast(Desk, desk), load_task_prompts("note"), shots)
    return asyncio.run(judge.entails(PREMISE, CLAIMS))


@pytest.mark.parametrize("shots", [0, 2])
def test_asks_one_decision_a_claim_with_the_prompt_of_that_claim(shots: int) -> None:
    desk = FakeDesk(YES, NO)

    verdicts(desk, shots)

    prompts = load_task_prompts("note").claim
    assert desk.asked == [
        DecisionRequest(prompts.ask(PREMISE, claim, shots), ("0", "1")) for claim in CLAIMS
    ]


def test_questions_about_one_text_belong_to_one_document() -> None:
    desk = FakeDesk(YES, NO)

    verdicts(desk)

    assert [request.document for request in desk.asked] == [PREMISE, PREMISE]


def test_a_decision_is_a_verdict_with_the_probability_of_entailment() -> None:
    assert verdicts(FakeDesk(YES, NO)) == [
        Verdict(label=True, probability=0.75, mass=0.9, margin=1.1),
        Verdict(label=False, probability=0.125, mass=0.5, margin=1.9),
    ]


def test_a_question_without_an_answer_is_unscored_with_its_reason() -> None:
    first, second = verdicts(FakeDesk(Unscored("the prompt is too long", lasting=True), YES))

    assert first == Verdict(label=None, unscored="the prompt is too long")
    assert second.label is True


def test_an_answer_to_another_kind_of_question_is_a_defect() -> None:
    with pytest.raises(TypeError, match="not an answer to a decision: Entailment"):
        verdicts(FakeDesk(Entailment(label=True, probability=1.0)))

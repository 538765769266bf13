"""A judge over an engine that answers entailment questions."""

import asyncio
from collections.abc import Sequence
from typing import cast

import pytest

from wardlens.engine.answers import Answer, Decision, Entailment, Unscored
from wardlens.engine.desk import Desk
from wardlens.engine.requests import EntailmentRequest, Request
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges import Verdict
from wardlens.evaluators.judges.entailment_judge import EntailmentJudge

PREMISE = SealedText("The patient coughs.")
CLAIMS = [SealedText("first"), SealedText("second")]


class FakeDesk:
    """Gives the answers that it was made with."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[Request] = []

    async def ask(self, requests: Sequence[Request]) -> list[Answer]:
        self.asked += requests
        return self.answers


def verdicts(desk: FakeDesk) -> list[Verdict]:
    return asyncio.run(EntailmentJudge(cast(Desk, desk)).entails(PREMISE, CLAIMS))


def test_asks_one_entailment_question_a_claim_in_order() -> None:
    desk = FakeDesk(
        Entailment(label=True, probability=None), Entailment(label=False, probability=None)
    )

    verdicts(desk)

    assert desk.asked == [EntailmentRequest(PREMISE, claim) for claim in CLAIMS]


def test_an_answer_is_a_stable_verdict_with_its_probability() -> None:
    desk = FakeDesk(
        Entailment(label=True, probability=0.75), Entailment(label=False, probability=None)
    )

    assert verdicts(desk) == [
        Verdict(label=True, probability=0.75, stable=True),
        Verdict(label=False, probability=None, stable=True),
    ]


def test_a_question_without_an_answer_is_unscored_with_its_reason() -> None:
    desk = FakeDesk(
        Unscored("the prompt is too long", lasting=True), Entailment(label=True, probability=1.0)
    )

    first, second = verdicts(desk)

    assert first == Verdict(label=None, unscored="the prompt is too long")
    assert second.label is True


def test_an_answer_to_another_kind_of_question_is_a_defect() -> None:
    decision = Decision(index=1, probabilities=(0.0, 1.0), mass=1.0, margin=1.0)

    with pytest.raises(TypeError, match="not an answer to an entailment question: Decision"):
        verdicts(FakeDesk(decision))

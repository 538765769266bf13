"""How much of a premise an entailment engine sees."""

import asyncio
from collections.abc import Sequence
from typing import cast

import pytest

from wardlens.engine.answers import Answer, Entailment
from wardlens.engine.desk import Desk
from wardlens.engine.requests import EntailmentRequest
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.entailment_judge import EntailmentJudge


class _RecordingDesk:
    def __init__(self) -> None:
        self.premises: list[str] = []

    async def ask(self, requests: Sequence[EntailmentRequest]) -> list[Answer]:
        self.premises += [request.premise.reveal() for request in requests]
        return [Entailment(label=True, probability=None) for _ in requests]


@pytest.mark.parametrize(
    ("premise", "limit", "seen"),
    [
        ("a b c", None, "a b c"),
        ("a b c", 3, "a b c"),
        ("a b c d", 3, "a b c"),
        ("a  b c", 3, "a  b"),
        ("a\nb c d", 2, "a\nb c"),
        ("", 3, ""),
    ],
)
def test_a_premise_is_cut_after_so_many_parts_between_single_spaces(
    premise: str, limit: int | None, seen: str
) -> None:
    desk = _RecordingDesk()
    judge = EntailmentJudge(cast(Desk, desk), limit)

    asyncio.run(judge.entails(SealedText(premise), [SealedText("h")]))

    assert desk.premises == [seen]

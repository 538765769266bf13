"""Single judgments that can't be made are unscored with their reason, and the run goes on."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.evaluators.small_run import NOTES, Run
from wardlens.engine.answers import Unscored
from wardlens.engine.models.overlap import OverlapReplica
from wardlens.engine.replicas import Reply
from wardlens.engine.requests import EntailmentRequest, Request


def refuse_friday(*, lasting: bool) -> Callable[..., Any]:
    """An `answer` that can't answer questions about Friday."""
    real = OverlapReplica.answer

    async def answer(replica: OverlapReplica, block: Sequence[Request]) -> list[Reply]:
        replies = await real(replica, block)
        return [
            Reply(Unscored("the prompt is too long", lasting=lasting))
            if isinstance(request, EntailmentRequest) and "Friday" in request.hypothesis.reveal()
            else reply
            for request, reply in zip(block, replies, strict=True)
        ]

    return answer


def test_one_bad_judgment_is_unscored_and_the_run_goes_on(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OverlapReplica, "answer", refuse_friday(lasting=True))

    run()

    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    rows = pq.read_table(tmp_path / "out" / "judgments.parquet").to_pylist()
    assert metrics["claim_recall"]["n_unscored"] == len(NOTES)
    low, high = metrics["claim_recall"]["bounds"]
    assert low < metrics["claim_recall"]["score"] < high
    reasons = {(row["metric"], row["index"]): row["unscored"] for row in rows}
    assert reasons["claim_recall", 2] == reasons["claim_precision", 1] == "the prompt is too long"
    assert reasons["claim_recall", 0] is None


@pytest.mark.parametrize(("lasting", "asked_again"), [(True, 0), (False, 2 * len(NOTES))])
def test_what_may_go_better_next_time_is_asked_again(
    lasting: bool,  # noqa: FBT001
    asked_again: int,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(OverlapReplica, "answer", refuse_friday(lasting=lasting))
        run()

    assert run().judged.counts.computed == asked_again

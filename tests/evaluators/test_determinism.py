"""The same inputs give the same bytes, wherever and in whatever order the answers come."""

import asyncio
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wardlens.engine.models.overlap import OverlapReplica
from wardlens.engine.replicas import Reply
from wardlens.engine.requests import Request
from wardlens.evaluators import RunOptions, evaluate

if TYPE_CHECKING:
    from tests.evaluators.conftest import Snapshot

EXAMPLES = Path(__file__).parents[2] / "examples"
INPUTS = tuple(str(EXAMPLES / f"notes.{system}.json") for system in ("system_a", "system_b"))
CLAIMS = EXAMPLES / "claims.json"
METRICS = "claim_recall,claim_precision"
SAME_EVERYWHERE = ("metrics.json", "examples.parquet", "judgments.parquet", "report.html")


def run(out: Path) -> None:
    evaluate(
        RunOptions(
            inputs=INPUTS,
            claims=CLAIMS,
            metrics=METRICS,
            evaluator="overlap",
            samples=True,
            limit=4,
            out=out,
        )
    )


def answer_late(patch: pytest.MonkeyPatch, seed: int) -> None:
    """Let small blocks of answers come in an order of their own."""
    real, chance = OverlapReplica.answer, random.Random(seed)  # noqa: S311 - makes test data

    async def answer(replica: OverlapReplica, block: Sequence[Request]) -> list[Reply]:
        replies = await real(replica, block)
        await asyncio.sleep(chance.uniform(0, 0.01))
        return replies

    patch.setattr(OverlapReplica, "answer", answer)
    patch.setattr("wardlens.engine.desk.desk.BLOCK_SIZE", 3)


@pytest.mark.parametrize("seed", range(3))
def test_the_order_in_which_answers_arrive_does_not_show(
    seed: int, tmp_path: Path, snapshot: "Snapshot", monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "in order")
    monkeypatch.setenv("WARDLENS_HOME", str(tmp_path / "another home"))
    answer_late(monkeypatch, seed)

    run(tmp_path / "late")

    in_order, late = snapshot(tmp_path / "in order"), snapshot(tmp_path / "late")
    assert {name: in_order[name] for name in SAME_EVERYWHERE} == {
        name: late[name] for name in SAME_EVERYWHERE
    }


def test_half_an_old_ledger_does_not_show(
    tmp_path: Path, snapshot: "Snapshot", monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "whole")
    monkeypatch.setenv("WARDLENS_HOME", str(tmp_path / "another home"))
    evaluate(
        RunOptions(
            inputs=INPUTS[1:],
            claims=CLAIMS,
            metrics="claim_precision",
            evaluator="overlap",
            limit=3,
            out=tmp_path / "part",
        )
    )

    run(tmp_path / "continued")

    whole, continued = snapshot(tmp_path / "whole"), snapshot(tmp_path / "continued")
    assert {name: whole[name] for name in SAME_EVERYWHERE} == {
        name: continued[name] for name in SAME_EVERYWHERE
    }


def test_neither_the_installation_nor_the_folder_nor_pythons_hash_seed_shows(
    tmp_path: Path, snapshot: "Snapshot"
) -> None:
    wardlens = Path(sys.executable).with_name("wardlens")
    files = []
    for seed in ("1", "2"):
        home, out = tmp_path / f"home {seed}", tmp_path / f"out {seed}"
        command = [str(wardlens), "run", *INPUTS, "--claims", str(CLAIMS), "--metrics", METRICS]
        subprocess.run(
            [*command, "--evaluator", "overlap", "--limit", "4", "--out", str(out)],
            env={**os.environ, "PYTHONHASHSEED": seed, "WARDLENS_HOME": str(home)},
            check=True,
            capture_output=True,
        )
        files.append({name: snapshot(out)[name] for name in SAME_EVERYWHERE})

    assert files[0] == files[1]

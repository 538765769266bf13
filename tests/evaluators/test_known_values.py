"""Published data with scores that were computed once, outside of this code."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.evaluators.conftest import CommandLine

RUN = ("--metrics", "claim_recall", "--evaluator", "overlap", "--rules", "released")


def test_claim_recall_of_the_gpt4_notes_of_aci_bench(
    shared: Path, command_line: "CommandLine", tmp_path: Path
) -> None:
    known = json.loads(
        (shared / "cases/doclens/aci_test1_gpt4.claim_recall.aggregate.json").read_text()
    )
    data = shared / "data/aci_bench"

    finished = command_line(
        "run",
        data / "test1.gpt4_notes.json",
        *("--claims", data / "test1.claims.json"),
        *RUN,
        *("--out", tmp_path / "out"),
    )

    assert finished.exit_code == 0
    assert "0.755245" in finished.stdout
    result = json.loads((tmp_path / "out" / "metrics.json").read_text())["claim_recall"]
    assert result["score"] == known["claim_recall"]["total"] == 0.7552447552447552
    assert result["sections"]["full"]["score"] == known["claim_recall"]["full"]
    assert (result["n"], result["n_unscored"], result["n_texts"]) == (1287, 0, 40)
    assert result["micro"] == 972 / 1287


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_the_mean_over_texts_and_over_claims_are_the_same_under_all_rules(
    rules: str, shared: Path, command_line: "CommandLine", tmp_path: Path
) -> None:
    data = shared / "data/aci_bench"

    command_line(
        *("run", data / "test1.gpt4_notes.json", "--claims", data / "test1.claims.json"),
        *("--metrics", "claim_recall", "--evaluator", "overlap"),
        *("--rules", rules, "--out", tmp_path / "out"),
    )

    result = json.loads((tmp_path / "out" / "metrics.json").read_text())["claim_recall"]
    assert result["micro"] == 972 / 1287
    assert result["macro"] == pytest.approx(0.7621687028568135)
    assert result["score"] == result["macro" if rules == "paper" else "micro"]

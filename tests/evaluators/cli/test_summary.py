"""What is printed after a run: scores, counts and what to know about them; no text, no ids."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from wardlens.engine.models.overlap import OverlapReplica
from wardlens.evaluators.judges import Evaluator
from wardlens.evaluators.judges.entailment_judge import EntailmentJudge

if TYPE_CHECKING:
    from tests.evaluators.conftest import CommandLine

NOTES: list[dict[str, Any]] = [
    {
        "example_id": f"patient-{name}",
        "output": f"The patient has {name} pain.",
        "subclaims_reference": [f"The patient has {name} pain.", "Fever", ""],
    }
    for name in ("knee", "chest")
]


@pytest.fixture
def command(tmp_path: Path) -> list[str | Path]:
    path = tmp_path / "notes.json"
    path.write_text(json.dumps(NOTES))
    choices = ("--metrics", "claim_recall", "--evaluator", "overlap", "--out")
    return ["run", f"ours={path}", *choices, tmp_path / "out"]


def test_the_scores_are_printed_in_a_line_a_metric(
    command: list[str | Path], command_line: "CommandLine"
) -> None:
    printed = command_line(*command).stdout

    (line,) = [line for line in printed.splitlines() if "claim_recall" in line]
    cells = [cell.strip() for cell in line.strip("│").split("│")]
    # A third claim a text is empty, so unscored under the paper's rules.
    assert cells == [
        *("ours", "claim_recall", "0.500000", "0.5000 to 0.5000", "0.3333 to 0.6667", "6", "2")
    ]
    assert "Scores by overlap, rules paper" in printed


def test_the_counts_and_the_folder_are_printed(
    command: list[str | Path], command_line: "CommandLine", tmp_path: Path
) -> None:
    first, second = command_line(*command).stdout, command_line(*command).stdout

    assert "4 judgments computed, 0 from the ledger, 0 repeated" in first
    assert "0 judgments computed, 4 from the ledger, 0 repeated" in second
    assert f"Results in {tmp_path / 'out'}" in first.replace("\n", "")


def test_neither_texts_nor_ids_are_printed(
    command: list[str | Path], command_line: "CommandLine"
) -> None:
    finished = command_line(*command, "--samples")

    assert finished.exit_code == 0
    assert "patient" not in finished.stdout + finished.stderr
    assert "knee" not in finished.stdout + finished.stderr


def test_examples_without_a_row_in_the_claims_file_are_counted(
    command: list[str | Path], command_line: "CommandLine", tmp_path: Path
) -> None:
    (tmp_path / "claims.json").write_text(json.dumps([{"example_id": "patient-knee"}]))

    printed = command_line(*command, "--claims", tmp_path / "claims.json").stdout

    assert "Note: 1 examples have no row in the claims file." in printed


def test_a_weak_judge_is_named_as_such(
    command: list[str | Path], command_line: "CommandLine", monkeypatch: pytest.MonkeyPatch
) -> None:
    weak = Evaluator("tiny", "label", True, OverlapReplica(), EntailmentJudge)  # noqa: FBT003
    monkeypatch.setattr("wardlens.evaluators.plan.choose_evaluator", lambda *_, **__: weak)

    printed = command_line(*command).stdout

    assert "Scores by tiny (weak judge)" in printed
    assert "Weak judge: a very small model." in printed


def test_a_system_name_with_markup_is_printed_as_it_is(
    command: list[str | Path], command_line: "CommandLine", tmp_path: Path
) -> None:
    command[1] = f"[bold]x[/bold]={tmp_path / 'notes.json'}"

    assert "[bold]x[/bold]" in command_line(*command).stdout


def test_a_folder_name_with_markup_is_printed_as_it_is(
    command: list[str | Path], command_line: "CommandLine", tmp_path: Path
) -> None:
    out = tmp_path / "[red]"

    finished = command_line(*command, "--out", out)

    assert finished.exit_code == 0
    assert "[red]" in finished.stdout

"""A file of recorded replies that can't be used is refused with its name and row."""

import json
from pathlib import Path

import pytest

from tests.evaluators.cli.canaries import CHOICES, TEXT_CANARY, Refused

GOOD = {"input": f"premise: {TEXT_CANARY} hypothesis: {TEXT_CANARY}", "reply": "1"}


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([json.dumps(GOOD), f"{{{TEXT_CANARY}"], "line 2: not JSON"),
        ([json.dumps(GOOD), json.dumps([TEXT_CANARY])], "line 2: expected an object with fields"),
        ([json.dumps(GOOD), json.dumps({"reply": "1"})], "row 2: needs the question"),
        ([json.dumps(GOOD), json.dumps({"input": TEXT_CANARY})], "row 2: needs the raw reply"),
        (
            [json.dumps({"input": TEXT_CANARY, "reply": [TEXT_CANARY]})],
            "row 1: needs the raw reply in 'reply' (text) or 'label' (0 or 1), found a list",
        ),
        ([json.dumps({"input": {TEXT_CANARY: 1}, "reply": "1"})], "row 1: needs the question"),
        ([json.dumps({"index": TEXT_CANARY, "reply": "1"})], "row 1: needs the question"),
        ([], "there are no rows in it"),
    ],
)
def test_a_bad_recording_is_refused(
    lines: list[str], message: str, notes: Path, refused: Refused, tmp_path: Path
) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text("\n".join(lines))

    answer = refused(notes, *CHOICES, "--evaluator", f"replay:{path}")

    assert f"{path}: " in answer
    assert message in answer


@pytest.mark.parametrize("name", ["replies.json", "replies.txt", "replies"])
def test_a_recording_of_another_format_is_refused(
    name: str, notes: Path, refused: Refused, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(json.dumps([GOOD]))

    answer = refused(notes, *CHOICES, "--evaluator", f"replay:{tmp_path / name}")

    assert f"{tmp_path / name}: recorded replies are a .jsonl file" in answer


def test_a_folder_in_place_of_a_recording_is_refused(
    notes: Path, refused: Refused, tmp_path: Path
) -> None:
    (tmp_path / "replies.jsonl").mkdir()

    answer = refused(notes, *CHOICES, "--evaluator", f"replay:{tmp_path / 'replies.jsonl'}")

    assert "this is a folder. Name a file" in answer

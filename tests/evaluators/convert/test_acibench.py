"""ACI-Bench as CSV and JSON."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.convert.conftest import CANARY, Converter, Refusal

WriteJson = Callable[[str, Any], Path]
WriteText = Callable[[str, str], Path]

DIALOGUE = f"[doctor] hi , {CANARY} .\n[patient] hey .\nand hello .\n[patient_guest] hi ."
NUMBERED = f"[0][doctor] hi , {CANARY} .\n[1][patient] hey .\nand hello .\n[2][patient_guest] hi ."
RECORD = {"example_id": "D2N001", "input": NUMBERED, "reference": "CC\n\nPain."}
CSV_ROW = {"dataset": "virt", "encounter_id": "D2N001", "dialogue": DIALOGUE, "note": "CC\n\nPain."}
JSON_ROW = {"src": DIALOGUE, "tgt": "CC\n\nPain.", "file": "D2N001-virtassist"}


def as_csv(*rows: dict[str, str]) -> str:
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return table.getvalue()


def test_turns_of_a_csv_file_become_numbered_lines(
    converted: Converter, write_text: WriteText
) -> None:
    assert converted("acibench", write_text("valid.csv", as_csv(CSV_ROW))) == [RECORD]


def test_json_files_give_the_same_records(converted: Converter, write_json: WriteJson) -> None:
    assert converted("acibench", write_json("valid.json", {"data": [JSON_ROW]})) == [RECORD]


def test_files_of_the_speech_experiments_have_other_names_for_ids(
    converted: Converter, write_text: WriteText, write_json: WriteJson
) -> None:
    renamed = {"id" if name == "encounter_id" else name: v for name, v in CSV_ROW.items()}
    paths = (
        write_text("asr.csv", as_csv({**renamed, "id": "ACI066"})),
        write_json("asr.json", {"data": [{**JSON_ROW, "file": "0-aci"}]}),
    )

    assert [r["example_id"] for r in converted("acibench", *paths)] == ["ACI066", "0-aci"]


def test_turns_run_together_on_one_line_are_taken_apart(
    converted: Converter, write_json: WriteJson
) -> None:
    source = "[doctor] so [sic] , hi [patient] hey [patient_guest] hi "
    rows = {"data": [{**JSON_ROW, "src": source}]}

    assert converted("acibench", write_json("asr.json", rows))[0]["input"] == (
        "[0][doctor] so [sic] , hi\n[1][patient] hey\n[2][patient_guest] hi"
    )


def test_a_first_turn_without_speaker_is_a_turn(
    converted: Converter, write_json: WriteJson
) -> None:
    rows = {"data": [{**JSON_ROW, "src": "hi .\n[patient] hey ."}]}

    assert converted("acibench", write_json("test2.json", rows))[0]["input"] == (
        "[0]hi .\n[1][patient] hey ."
    )


def test_records_are_those_published_with_doclens(
    shared: Path, converted: Converter, write_text: WriteText
) -> None:
    published = json.loads((shared / "data" / "aci_bench" / "test1.json").read_text())
    rows = [
        {
            "dataset": "virtassist",
            "encounter_id": row["example_id"],
            "dialogue": re.sub(r"(?m)^\[\d+\]", "", row["input"]),
            "note": row["reference"],
        }
        for row in published
    ]

    records = converted("acibench", write_text("test1.csv", as_csv(*rows)))

    assert records == [{name: row[name] for name in RECORD} for row in published]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"note": " "}, "row 1, field 'note': there is no text"),
        ({"dialogue": f"{CANARY} hi"}, "row 1, field 'dialogue': no speaker"),
        ({"encounter_id": ""}, "row 1, field 'encounter_id': blank"),
        ({"score": "1"}, "row 1: unknown column 'score'"),
    ],
)
def test_a_csv_row_that_does_not_fit_is_refused(
    row: dict[str, str], message: str, refusal: Refusal, write_text: WriteText
) -> None:
    path = write_text("valid.csv", as_csv({**CSV_ROW, **row}))

    assert f"{path}: {message}" in refusal("acibench", path)


def test_a_csv_file_without_a_header_is_refused_without_showing_it(
    refusal: Refusal, write_text: WriteText
) -> None:
    path = write_text("valid.csv", f"virt,D2N1,{CANARY},pain\nvirt,D2N2,{CANARY} 2,pain")

    assert "no column dialogue, note, encounter_id or id" in refusal("acibench", path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"data": [{**JSON_ROW, "file": "D2N1-aci-subjective"}]}, "holds the section subjective"),
        ({"data": [{**JSON_ROW, "tgt": 5}]}, "row 1, field 'tgt': expected text, found a number"),
        ({"data": [{**JSON_ROW, "file": True}]}, "field 'file': expected text or a number"),
        ({"data": [{"src": CANARY}]}, "row 1: no column tgt, file"),
        ({"data": [CANARY]}, "row 1: expected an object"),
        ({"data": []}, "at least one row"),
        ([JSON_ROW], 'expected an object {"data": [...]}'),
        ({CANARY: 1}, 'expected an object {"data": [...]}'),
    ],
)
def test_a_json_file_that_does_not_fit_is_refused(
    content: Any, message: str, refusal: Refusal, write_json: WriteJson
) -> None:
    assert message in refusal("acibench", write_json("valid.json", content))


def test_ids_that_repeat_are_refused_with_both_places(
    refusal: Refusal, write_text: WriteText, write_json: WriteJson
) -> None:
    first = write_json("valid.json", {"data": [JSON_ROW]})
    second = write_text("valid.csv", as_csv(CSV_ROW))

    message = refusal("acibench", first, second)

    assert f"{second}: row 1: the same id as in row 1 of {first}" in message


@pytest.mark.parametrize("content", [f'{{"data": "{CANARY}', f"{CANARY}\xff", "[" * 10_000])
def test_broken_json_is_refused_without_showing_it(
    content: str, refusal: Refusal, tmp_path: Path
) -> None:
    path = tmp_path / "valid.json"
    path.write_bytes(content.encode("latin-1"))

    assert f"{path}: not JSON in UTF-8." in refusal("acibench", path)


def test_files_of_other_kinds_and_missing_ones_are_refused(
    refusal: Refusal, tmp_path: Path
) -> None:
    assert "read from .csv and .json" in refusal("acibench", tmp_path / "valid.txt")
    assert "can't be read" in refusal("acibench", tmp_path / "valid.json")
    assert "no such file" in refusal("acibench", tmp_path / "valid.csv")

"""Files that can't be used are refused by file, row and field."""

import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.evaluators.cli.canaries import (
    CHOICES,
    ID_CANARY,
    NOTES,
    TEXT_CANARY,
    Refused,
    changed,
    write,
)


def parquet(columns: dict[str, Any]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


CUT_JSON = json.dumps(NOTES)[:-20].encode()
LATIN_1 = json.dumps([{"example_id": f"{ID_CANARY} é"}], ensure_ascii=False).encode("latin-1")
HEADER = b"example_id,output\n"
NOT_READ = [
    ("nothing.json", b"", "not JSON (Expecting value, line 1, column 1)"),
    ("nothing.jsonl", b"", "there are no rows"),
    ("nothing.csv", b"", "there are no rows"),
    ("nothing.parquet", b"", "not a Parquet file"),
    ("no_rows.json", b"[]", "there are no rows"),
    ("no_rows.jsonl", b"\n \r\n", "there are no rows"),
    ("no_rows.csv", HEADER, "there are no rows"),
    ("no_rows.parquet", parquet({"example_id": pa.array([], pa.string())}), "there are no rows"),
    ("cut.json", CUT_JSON, "not JSON"),
    ("text.json", f"{TEXT_CANARY} {ID_CANARY}".encode(), "not JSON (Expecting value, line 1"),
    ("two_values.json", b"[] []", "not JSON (Extra data"),
    ("control.json", b'["\x00"]', "not JSON (Invalid control character"),
    ("cut.jsonl", b'{"example_id": "a"}\n\n' + CUT_JSON, "line 3: not JSON"),
    (
        "whole.jsonl",
        json.dumps(NOTES).encode(),
        "line 1: expected an object with fields, found a list",
    ),
    (
        "object.json",
        json.dumps(NOTES[0]).encode(),
        "expected a JSON list of objects, found an object",
    ),
    ("string.json", f'"{TEXT_CANARY}"'.encode(), "expected a JSON list of objects, found text"),
    ("null.json", b"null", "expected a JSON list of objects, found null"),
    ("nan.json", b"NaN", "expected a JSON list of objects, found a number"),
    ("row_text.json", json.dumps([NOTES[0], TEXT_CANARY]).encode(), "row 2: expected an object"),
    ("row_list.json", json.dumps([[NOTES[0]]]).encode(), "row 1: expected an object"),
    ("row_null.jsonl", b'{"example_id": "a"}\nnull', "line 2: expected an object with fields"),
    ("deep.json", b"[" * 200_000, "JSON that can't be read here (nested too deeply"),
    ("deep.jsonl", b'{"a":' * 200_000, "line 1: JSON that can't be read here (nested too deeply"),
    ("huge.json", b'[{"example_id": ' + b"9" * 5000 + b"}]", "a number of too many digits"),
    ("latin_1.json", LATIN_1, "not UTF-8 at byte 26"),
    ("latin_1.jsonl", LATIN_1, "not UTF-8 at byte 26"),
    ("latin_1.csv", b"example_id\n\xe9", "not UTF-8 at byte 11"),
    ("utf_16.json", json.dumps(NOTES).encode("utf-16"), "not UTF-8 at byte 0"),
    ("raw_surrogate.json", b'["\xed\xa0\x80"]', "not UTF-8 at byte 2"),
    ("short_row.csv", HEADER + f"a,b\n{ID_CANARY}\n".encode(), "row 2: not as many fields"),
    ("long_row.csv", HEADER + f"{ID_CANARY},b,c\n".encode(), "row 1: not as many fields"),
    ("open_quote.csv", HEADER + f'a,"{TEXT_CANARY}\n'.encode(), "line 2: not CSV"),
    ("stray_quote.csv", HEADER + f'a,"{TEXT_CANARY}"x\n'.encode(), "line 2: not CSV"),
    ("text.parquet", f"{TEXT_CANARY} {ID_CANARY}".encode(), "not a Parquet file"),
    ("cut.parquet", parquet({"example_id": ["a"]})[:-9], "not a Parquet file"),
    ("notes.xlsx", b"PK", "the ending '.xlsx' names no format that is read here. Allowed: .json, "),
    ("notes", b"[]", "the ending '(none)' names no format"),
]


@pytest.mark.parametrize(("name", "content", "message"), NOT_READ, ids=[c[0] for c in NOT_READ])
def test_a_file_that_is_no_table_is_refused(
    name: str, content: bytes, message: str, refused_file: Refused, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)

    assert message in refused_file(tmp_path / name)


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "parquet"])
def test_a_missing_file_is_refused(ending: str, refused_file: Refused, tmp_path: Path) -> None:
    assert "there is no such file" in refused_file(tmp_path / f"absent.{ending}")


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "parquet"])
def test_a_folder_in_place_of_a_file_is_refused(
    ending: str, refused_file: Refused, tmp_path: Path
) -> None:
    folder = tmp_path / f"folder.{ending}"
    folder.mkdir()
    (folder / "part.parquet").write_bytes(parquet({"example_id": ["a"]}))

    assert "this is a folder" in refused_file(folder)


def test_a_name_that_no_file_can_have_is_refused(refused_file: Refused) -> None:
    refused_file(Path("x" * 300 + ".json"))


BAD_FIELDS = [
    ("example_id", None),
    ("example_id", ""),
    ("example_id", True),
    ("example_id", 1.5),
    ("example_id", [ID_CANARY]),
    ("example_id", ID_CANARY + "\ud800"),
    ("input", 5),
    ("reference", None),
    ("output", [TEXT_CANARY]),
    ("reference_subjective", {TEXT_CANARY: 1}),
    ("output_assessment_and_plan", False),
    ("subclaims_reference", TEXT_CANARY),
    ("subclaims_reference_subjective", {"claims": [TEXT_CANARY]}),
    ("subclaims_output", [TEXT_CANARY, None]),
    ("subclaims_output_objective_exam", [[TEXT_CANARY]]),
]


@pytest.mark.parametrize(("field", "value"), BAD_FIELDS)
def test_a_field_of_a_wrong_type_is_refused_by_row_and_name(
    field: str, value: object, refused_file: Refused, tmp_path: Path
) -> None:
    path = write(tmp_path / "bad.json", changed(2, **{field: value}))

    assert f"{path}: row 2, field '{field}': " in refused_file(path)


def test_a_number_beyond_floating_point_as_id_is_refused(
    refused_file: Refused, tmp_path: Path
) -> None:
    (tmp_path / "bad.json").write_text('[{"example_id": 1e999}]')

    assert "row 1, field 'example_id': expected text" in refused_file(tmp_path / "bad.json")


def test_a_missing_id_is_refused(refused_file: Refused, tmp_path: Path) -> None:
    rows = [NOTES[0], {"output": TEXT_CANARY}]

    assert "row 2, field 'example_id': missing" in refused_file(write(tmp_path / "b.json", rows))


def test_a_repeated_id_is_refused(refused_file: Refused, tmp_path: Path) -> None:
    path = write(tmp_path / "bad.json", [*NOTES, NOTES[1]])

    assert "row 4, field 'example_id': the same id as in row 2" in refused_file(path)


def test_claims_for_unknown_examples_are_refused(
    notes: Path, refused: Refused, tmp_path: Path
) -> None:
    claims = write(tmp_path / "claims.json", changed(3, example_id=f"{ID_CANARY}-hip"))

    message = refused(notes, "--claims", claims, *CHOICES)

    assert f"{claims}: row 3, field 'example_id': no input has an example with this id" in message


def test_a_metric_without_claims_is_refused(refused: Refused, tmp_path: Path) -> None:
    rows = [{"example_id": row["example_id"], "output": TEXT_CANARY} for row in NOTES]

    message = refused(write(tmp_path / "bare.json", rows), *CHOICES)

    assert "bare.json: no row has claims for claim_recall (field 'subclaims_reference'" in message


def test_claims_without_an_output_are_refused(refused: Refused, tmp_path: Path) -> None:
    rows = [{"example_id": ID_CANARY, "subclaims_reference": [TEXT_CANARY]}]

    message = refused(write(tmp_path / "bare.json", rows), *CHOICES)

    assert "bare.json: row 1, field 'output': missing" in message


def test_two_inputs_of_one_name_are_refused(notes: Path, refused: Refused) -> None:
    assert "two inputs are called 'notes'" in refused(notes, notes, *CHOICES)

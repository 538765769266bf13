"""MeQSum as CSV and as a spreadsheet."""

import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.convert.conftest import CANARY, Converter, Refusal
from wardlens.evaluators.convert.spreadsheets import read_spreadsheet

WriteText = Callable[[str, str], Path]

CSV = f'File,CHQ,Summary\n14.txt,"SUBJECT: {CANARY}\nHello. Is  it Dr. Lee?",Who is it?\n'
RECORD = {
    "example_id": "14.txt",
    "input": f"[0] SUBJECT: {CANARY} Hello. [1] Is it Dr. Lee?",
    "reference": "Who is it?",
}


def fake_openpyxl(*rows: tuple[Any, ...]) -> types.ModuleType:
    module = types.ModuleType("openpyxl")
    sheet = types.SimpleNamespace(iter_rows=lambda values_only: iter(rows if values_only else ()))
    workbook = types.SimpleNamespace(worksheets=[sheet])
    vars(module)["load_workbook"] = lambda *_args, **_options: workbook
    return module


def test_sentences_of_questions_are_numbered(converted: Converter, write_text: WriteText) -> None:
    assert converted("meqsum", write_text("meqsum.csv", CSV)) == [RECORD]


def test_a_spreadsheet_gives_the_same_records(
    converted: Converter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = (
        ("File", "CHQ", "Summary", None, None),
        ("14.txt", f"SUBJECT: {CANARY}\nHello. Is  it Dr. Lee?", "Who is it?", None, None),
        (None, None, None, None, None),
        (15, "Why?", "Why?", None, None),
    )
    monkeypatch.setitem(sys.modules, "openpyxl", fake_openpyxl(*rows))

    records = converted("meqsum", tmp_path / "meqsum.xlsx")

    assert records == [RECORD, {"example_id": "15", "input": "[0] Why?", "reference": "Why?"}]


def test_a_real_spreadsheet_is_read(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    workbook = openpyxl.Workbook()
    for row in (("File", "CHQ"), ("14.txt", "Why?")):
        workbook.active.append(row)
    workbook.save(tmp_path / "meqsum.xlsx")

    assert read_spreadsheet(tmp_path / "meqsum.xlsx") == [{"File": "14.txt", "CHQ": "Why?"}]


def test_without_openpyxl_spreadsheets_are_refused_with_two_ways_out(
    refusal: Refusal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)

    message = refusal("meqsum", tmp_path / "meqsum.xlsx")

    assert "pip install 'wardlens[excel]'" in message
    assert "CSV" in message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (f"File,CHQ,Summary\n1,{CANARY},\n", "row 1, field 'Summary': there is no text"),
        (f"File,CHQ,Summary,Age\n1,{CANARY},a,b\n", "row 1: unknown column 'Age'"),
        (f"{CANARY},{CANARY}1,c\n1,{CANARY},a\n", "row 1: no column CHQ, Summary, File"),
        (f"File,CHQ,Summary\n1,{CANARY},a\n1,{CANARY},a\n", "row 2: the same id as in row 1"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    content: str, message: str, refusal: Refusal, write_text: WriteText
) -> None:
    assert message in refusal("meqsum", write_text("meqsum.csv", content))


def test_files_of_other_kinds_are_refused(refusal: Refusal, tmp_path: Path) -> None:
    assert "read from .csv and .xlsx" in refusal("meqsum", tmp_path / "meqsum.json")

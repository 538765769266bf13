"""Radiology reports as tables and as paired line files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.convert.conftest import CANARY, Converter, Refusal

WriteJson = Callable[[str, Any], Path]
WriteText = Callable[[str, str], Path]

REPORT = {"findings": f"{CANARY} is seen. no effusion.", "impression": f"1. {CANARY}."}
RECORD = {
    "example_id": "s50",
    "input": f"[0] {CANARY} is seen. [1] no effusion.",
    "reference": f"1. {CANARY}.",
}


def test_reports_of_mediqa_become_records_without_their_background(
    converted: Converter, write_json: WriteJson
) -> None:
    row = {"study_id": "s50", "subject_id": "p10", "background": "pain", **REPORT}

    assert converted("mimic-radiology", write_json("dev.json", [row])) == [RECORD]


def test_reports_without_an_id_are_named_by_their_row(
    converted: Converter, write_text: WriteText
) -> None:
    path = write_text("dev.csv", "findings,impression\nnormal .,ok .\nclear .,ok .\n")

    records = converted("mimic-radiology", path)

    assert [record["example_id"] for record in records] == ["1", "2"]


def test_numbers_are_ids_too(converted: Converter, write_json: WriteJson) -> None:
    path = write_json("dev.json", [{"study_id": 50, **REPORT}])

    assert converted("mimic-radiology", path) == [{**RECORD, "example_id": "50"}]


def test_paired_line_files_become_records_in_either_order(
    converted: Converter, write_text: WriteText
) -> None:
    findings = write_text("test.findings.tok", "no effusion . heart normal .\nclear\x85 .\n")
    impressions = write_text("test.impression.tok", "1 . normal .\nok .")

    for pair in ((findings, impressions), (impressions, findings)):
        assert converted("mimic-radiology", *pair, "--overwrite") == [
            {
                "example_id": "test-1",
                "input": "[0] no effusion . [1] heart normal .",
                "reference": "1 . normal .",
            },
            {"example_id": "test-2", "input": "[0] clear .", "reference": "ok ."},
        ]


def test_line_files_without_a_prefix_are_read(converted: Converter, write_text: WriteText) -> None:
    pair = (write_text("findings.tok", "clear .\n"), write_text("impression.tok", "ok .\n"))

    assert converted("mimic-radiology", *pair)[0]["example_id"] == "report-1"


def test_reports_that_lack_a_text_are_left_out_and_named(
    converted: Converter, write_text: WriteText, capsys: pytest.CaptureFixture[str]
) -> None:
    findings = write_text("test.findings.tok", "\nclear .\nclear .\n" + "\n" * 6)
    impressions = write_text("test.impression.tok", "ok .\nok .\n \n" + "ok .\n" * 6)

    records = converted("mimic-radiology", findings, impressions)

    assert [record["example_id"] for record in records] == ["test-2"]
    assert f"Left out for lack of a text: {findings} rows 1, 3, 4, 5, 6 and 3 more" in (
        capsys.readouterr().out
    )


def test_files_in_which_no_report_is_complete_are_refused(
    refusal: Refusal, write_json: WriteJson
) -> None:
    path = write_json("dev.json", [{**REPORT, "impression": None}])

    assert "no report in these files has both" in refusal("mimic-radiology", path)


def test_line_files_of_different_length_are_refused(
    refusal: Refusal, write_text: WriteText
) -> None:
    findings = write_text("test.findings.tok", f"{CANARY}\nclear .\n")
    impressions = write_text("test.impression.tok", "ok .\n")

    message = refusal("mimic-radiology", findings, impressions)

    assert f"{findings}: 2 lines, but {impressions} has 1." in message


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ("test.findings.tok", "impressions are missing. Give {folder}/test.impression.tok too"),
        ("test.impression.tok", "findings are missing. Give {folder}/test.findings.tok too"),
    ],
)
def test_half_a_pair_is_refused(
    given: str, missing: str, refusal: Refusal, write_text: WriteText, tmp_path: Path
) -> None:
    message = refusal("mimic-radiology", write_text(given, CANARY))

    assert missing.format(folder=tmp_path) in message


def test_pairs_of_one_name_from_two_folders_are_refused(
    refusal: Refusal, write_text: WriteText
) -> None:
    paths = [
        write_text(f"{folder}/test.{kind}.tok", CANARY)
        for folder in ("ct_head", "ct_chest")
        for kind in ("findings", "impression")
    ]

    assert "convert the files one by one" in refusal("mimic-radiology", *paths)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**REPORT, "score": 1}, "row 1: unknown column 'score'"),
        ({"findings": CANARY}, "row 1: no column impression"),
        ({**REPORT, "findings": [CANARY]}, "row 1, field 'findings': expected text"),
        ({**REPORT, "id": None}, "row 1, field 'id': expected text or a number, found null"),
        ({**REPORT, "id": "\ud800"}, "row 1, field 'id': blank, or no valid Unicode"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(
    row: dict[str, Any], message: str, refusal: Refusal, write_json: WriteJson
) -> None:
    assert message in refusal("mimic-radiology", write_json("dev.json", [row]))


def test_files_of_other_kinds_and_unreadable_ones_are_refused(
    refusal: Refusal, write_text: WriteText, tmp_path: Path
) -> None:
    pair = (tmp_path / "test.findings.tok", tmp_path / "test.impression.tok")
    assert ".jsonl" in refusal("mimic-radiology", tmp_path / "test.txt")
    assert "can't be read" in refusal("mimic-radiology", *pair)
    pair[0].write_bytes(b"ok\xff")
    assert "not UTF-8 at byte 2" in refusal(
        "mimic-radiology", pair[0], write_text(pair[1].name, "")
    )

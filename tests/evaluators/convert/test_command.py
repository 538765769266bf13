"""What every conversion has in common: where it writes, and what it refuses to."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.evaluators.convert.conftest import Converter, Refusal, convert_to
from wardlens.engine.errors import UserError
from wardlens.evaluators.examples import load_inputs

WriteText = Callable[[str, str], Path]


@pytest.fixture
def reports(write_text: WriteText) -> Path:
    return write_text("reports.csv", "id,findings,impression\na,clear . \u2028 ok .,ok\nb,x,y\n")


def test_one_object_a_line_is_written_for_jsonl(reports: Path, tmp_path: Path) -> None:
    convert_to(tmp_path / "records.JSONL", "mimic-radiology", reports)

    lines = (tmp_path / "records.JSONL").read_bytes().decode("ascii").splitlines()
    assert [json.loads(line)["example_id"] for line in lines] == ["a", "b"]


def test_records_can_be_loaded_and_only_their_owner_can_read_them(
    reports: Path, converted: Converter, tmp_path: Path
) -> None:
    converted("mimic-radiology", reports)

    examples = load_inputs([str(tmp_path / "records.json")]).systems["records"]
    assert [example.example_id.reveal() for example in examples] == ["a", "b"]
    assert stat.S_IMODE((tmp_path / "records.json").stat().st_mode) == 0o600


def test_folders_are_made_and_the_number_of_records_is_said(
    reports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new" / "records.json"

    assert convert_to(out, "mimic-radiology", reports) == 0
    assert capsys.readouterr().out == f"2 records in {out}\n"


def test_a_file_that_is_there_is_replaced_only_when_told_to(reports: Path, tmp_path: Path) -> None:
    out = tmp_path / "records.json"
    out.write_text("mine")

    with pytest.raises(UserError, match="there is such a file"):
        convert_to(out, "mimic-radiology", reports)
    assert out.read_text() == "mine"

    convert_to(out, "mimic-radiology", reports, "--overwrite")
    assert out.read_text() != "mine"


def test_an_input_is_never_overwritten(reports: Path) -> None:
    before = reports.read_bytes()

    with pytest.raises(UserError, match="one of the inputs"):
        convert_to(reports, "mimic-radiology", reports, "--overwrite")
    assert reports.read_bytes() == before


def test_endings_and_places_that_can_not_be_written_are_refused(
    reports: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"Allowed: \.json, \.jsonl"):
        convert_to(tmp_path / "records.csv", "mimic-radiology", reports)
    with pytest.raises(UserError, match="a folder"):
        convert_to(tmp_path, "mimic-radiology", reports)


def test_an_unknown_layout_is_refused_with_those_that_there_are(
    refusal: Refusal, reports: Path
) -> None:
    assert "acibench, meqsum, mimic-radiology" in refusal("acebench", reports)

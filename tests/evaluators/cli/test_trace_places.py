"""A trace may harm nothing that the run reads or writes."""

from pathlib import Path

import pytest

from tests.evaluators.cli.canaries import CHOICES, NOTES, Refused, write
from tests.evaluators.conftest import CommandLine


@pytest.mark.parametrize("place", ["the input", "in the ledger", "a folder", "another file"])
def test_a_trace_that_would_replace_something_is_refused(
    place: str, notes: Path, refused: Refused, tmp_path: Path
) -> None:
    other = tmp_path / "letter.txt"
    other.write_text("dear colleague")
    places = {
        "the input": notes,
        "in the ledger": tmp_path / "ledger" / "t.jsonl",
        "a folder": tmp_path,
        "another file": other,
    }
    before = notes.read_bytes()

    message = refused(notes, *CHOICES, "--ledger", tmp_path / "ledger", "--trace", places[place])

    assert "--trace" in message
    assert notes.read_bytes() == before
    assert other.read_text() == "dear colleague"


def test_a_trace_of_an_earlier_run_is_replaced(
    notes: Path, command_line: CommandLine, tmp_path: Path
) -> None:
    trace = tmp_path / "trace.jsonl"
    arguments = ("run", notes, *CHOICES, "--out", tmp_path / "o", "--trace", trace)
    assert command_line(*arguments).exit_code == 0
    first = trace.read_bytes()

    assert command_line(*arguments).exit_code == 0
    assert trace.read_bytes() == first != b""


def test_a_link_is_followed_to_its_file(
    notes: Path, command_line: CommandLine, tmp_path: Path
) -> None:
    link = tmp_path / "link.jsonl"
    link.symlink_to(tmp_path / "real.jsonl")

    out = tmp_path / "o"
    assert command_line("run", notes, *CHOICES, "--out", out, "--trace", link).exit_code == 0
    assert link.is_symlink()
    assert (tmp_path / "real.jsonl").read_bytes()


def test_output_claims_of_several_systems_can_not_come_from_one_file(
    notes: Path, refused: Refused, tmp_path: Path
) -> None:
    claims = write(tmp_path / "claims.json", NOTES)

    message = refused(f"A={notes}", f"B={notes}", *CHOICES, "--claims", claims)

    assert "row 1, field 'subclaims_output'" in message


@pytest.mark.parametrize("name", ["", "\x1b[31m", "a\nb"])
def test_a_system_needs_a_printable_name(name: str, notes: Path, refused: Refused) -> None:
    assert "printable characters" in refused(f"{name}={notes}", *CHOICES)

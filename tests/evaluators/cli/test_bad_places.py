"""A ledger, a home or a result folder that can't be used is refused."""

from pathlib import Path

import pytest

from tests.evaluators.cli.canaries import CHOICES, TEXT_CANARY, Refused
from tests.evaluators.conftest import CommandLine, Snapshot
from wardlens.engine.ledger.writer_lock import WriterLock


def test_a_ledger_on_a_network_file_system_is_refused(
    notes: Path, refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "mountinfo"
    table.write_text("1 0 0:1 / / rw - nfs4 server:/export rw\n")
    monkeypatch.setattr("wardlens.engine.ledger.location._MOUNT_TABLE", table)

    message = refused(notes, *CHOICES, "--ledger", tmp_path / "ledger")

    assert "is on a network file system (nfs4)" in message
    assert "--ledger DIR" in message


def test_a_second_run_on_the_same_ledger_is_refused(
    notes: Path, refused: Refused, tmp_path: Path
) -> None:
    (tmp_path / "ledger").mkdir()
    lock = WriterLock(tmp_path / "ledger")
    try:
        message = refused(notes, *CHOICES, "--ledger", tmp_path / "ledger")
    finally:
        lock.release()

    assert "is using the ledger" in message


def test_a_file_in_place_of_the_ledger_folder_is_refused(notes: Path, refused: Refused) -> None:
    assert f"cannot keep a ledger in {notes}" in refused(notes, *CHOICES, "--ledger", notes)


def test_a_damaged_ledger_is_refused(notes: Path, refused: Refused, tmp_path: Path) -> None:
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger" / "ledger.sqlite").write_bytes(TEXT_CANARY.encode() * 500)

    message = refused(notes, *CHOICES, "--ledger", tmp_path / "ledger")

    assert "can't be used" in message


def test_a_ledger_of_another_installation_is_refused(
    notes: Path,
    refused: Refused,
    command_line: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger = ("--ledger", tmp_path / "ledger")
    assert command_line("run", notes, *CHOICES, *ledger, "--out", tmp_path / "o").exit_code == 0
    monkeypatch.setenv("WARDLENS_HOME", str(tmp_path / "another"))

    assert "sealed under another installation's key" in refused(notes, *CHOICES, *ledger)


def test_a_home_that_is_no_folder_is_refused(
    notes: Path, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARDLENS_HOME", str(notes))

    assert f"cannot use {notes} as Wardlens's own folder" in refused(notes, *CHOICES)


def test_a_damaged_key_is_refused(notes: Path, refused: Refused, home: Path) -> None:
    home.mkdir()
    (home / "installation.key").write_bytes(b"short")

    assert "should hold 32 bytes and holds 5" in refused(notes, *CHOICES)


NOT_OURS = {
    "is not empty and holds no Wardlens run": {"thesis.doc": b"years of work"},
    "run.json there is damaged": {"run.json": b"{"},
    "another configuration": {"run.json": b'{"configuration": {"rules": "released"}}'},
}


@pytest.mark.parametrize("message", NOT_OURS)
def test_a_result_folder_that_is_not_ours_is_refused_and_stays_as_it_is(
    message: str, notes: Path, tmp_path: Path, command_line: CommandLine, snapshot: Snapshot
) -> None:
    out = tmp_path / "occupied"
    out.mkdir()
    for name, content in NOT_OURS[message].items():
        (out / name).write_bytes(content)

    finished = command_line("run", notes, *CHOICES, "--out", out)

    assert (finished.exit_code, finished.stdout, finished.stderr.count("\n")) == (2, "", 1)
    assert f"--out {out}: " in finished.stderr
    assert message in finished.stderr
    assert "--overwrite" in finished.stderr
    assert snapshot(out) == NOT_OURS[message]


@pytest.mark.parametrize("below", [False, True])
def test_a_file_in_place_of_the_result_folder_is_refused(
    below: bool,  # noqa: FBT001
    notes: Path,
    command_line: CommandLine,
) -> None:
    before = notes.read_bytes()

    finished = command_line("run", notes, *CHOICES, "--out", notes / "out" if below else notes)

    assert finished.exit_code == 2
    assert f"wardlens: --out {notes}" in finished.stderr
    assert notes.read_bytes() == before


def test_a_result_folder_whose_name_is_too_long_is_refused(
    notes: Path, command_line: CommandLine
) -> None:
    finished = command_line("run", notes, *CHOICES, "--out", "x" * 300)

    assert (finished.exit_code, finished.stdout) == (2, "")
    assert "File name too long" in finished.stderr

"""Fixtures for tests of examples, judges, metrics, results and the command line."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.small_run import NOTES, Run, write
from wardlens.engine.installation import Installation, open_installation
from wardlens.evaluators import RunOptions, RunResult, evaluate
from wardlens.evaluators.cli import main


@dataclass(frozen=True, slots=True)
class Finished:
    """What a command left: its exit code and what it said."""

    exit_code: int
    stdout: str
    stderr: str


CommandLine = Callable[..., Finished]
"""Runs `wardlens` with its arguments."""

Snapshot = Callable[[Path], dict[str, bytes]]
"""The bytes of all files under a folder, by name."""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Wardlens home of its own, so that no test sees the user's key or ledger."""
    folder = tmp_path / "home"
    monkeypatch.setenv("WARDLENS_HOME", str(folder))
    return folder


@pytest.fixture
def installation(home: Path) -> Installation:
    """An installation of its own."""
    return open_installation(home)


@pytest.fixture
def command_line(capfd: pytest.CaptureFixture[str]) -> CommandLine:
    """`wardlens` in this process."""

    def run(*arguments: str | Path) -> Finished:
        capfd.readouterr()
        try:
            exit_code = main([str(argument) for argument in arguments])
        except SystemExit as ended:
            exit_code = int(ended.code or 0)
        said = capfd.readouterr()
        return Finished(exit_code, said.out, said.err)

    return run


@pytest.fixture
def snapshot() -> Snapshot:
    """Takes the bytes of all files under a folder."""

    def take(folder: Path) -> dict[str, bytes]:
        files = (path for path in sorted(folder.rglob("*")) if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}

    return take


@pytest.fixture
def open_mask() -> Iterator[None]:
    """A umask that would leave files open to everyone."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs both metrics over the notes by the overlap rule, unless told otherwise."""
    write(tmp_path / "notes.json", NOTES)

    def start(**changes: Any) -> RunResult:
        options: dict[str, Any] = {
            "inputs": (str(tmp_path / "notes.json"),),
            "metrics": "claim_recall,claim_precision",
            "evaluator": "overlap",
            "out": tmp_path / "out",
        }
        return evaluate(RunOptions(**options | changes))

    return start

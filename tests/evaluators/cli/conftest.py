"""What every refusal has in common: exit code 2, one line, no text of any document, nothing
written and nothing overwritten."""

import shutil
from pathlib import Path

import pytest

from tests.evaluators.cli.canaries import CHOICES, ID_CANARY, NOTES, TEXT_CANARY, Refused, write
from tests.evaluators.conftest import CommandLine, Snapshot
from wardlens.evaluators import RunOptions, evaluate


@pytest.fixture(scope="session")
def finished_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, of which nothing may change."""
    folder = tmp_path_factory.mktemp("finished")
    notes = write(folder / "notes.json", NOTES)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WARDLENS_HOME", str(folder / "home"))
        options = RunOptions(
            inputs=(str(notes),), metrics="claim_recall", evaluator="overlap", out=folder / "out"
        )
        evaluate(options)
    return folder / "out"


@pytest.fixture
def refused(
    command_line: CommandLine, snapshot: Snapshot, finished_folder: Path, tmp_path: Path
) -> Refused:
    def run(*arguments: str | Path) -> str:
        out, fresh = tmp_path / "out", tmp_path / "fresh"
        shutil.copytree(finished_folder, out)
        before = snapshot(out)
        for place in ((out, "--overwrite"), (fresh,)):
            finished = command_line("run", *arguments, "--out", *place)
            assert finished.exit_code == 2
            assert finished.stdout == ""
            assert finished.stderr.startswith("wardlens: ")
            assert finished.stderr.count("\n") == 1
            assert "Traceback" not in finished.stderr
            assert TEXT_CANARY not in finished.stderr
            assert ID_CANARY not in finished.stderr
        assert snapshot(out) == before
        assert not fresh.exists()
        return finished.stderr

    return run


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A good input."""
    return write(tmp_path / "notes.json", NOTES)


@pytest.fixture(params=["input", "claims"])
def refused_file(request: pytest.FixtureRequest, refused: Refused, notes: Path) -> Refused:
    """Sees a file refused, as input and as claims file."""

    def run(path: Path) -> str:
        given = (path,) if request.param == "input" else (notes, "--claims", path)
        message = refused(*given, *CHOICES)
        assert str(path) in message
        return message

    return run

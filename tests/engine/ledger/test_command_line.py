"""What a user of the command line sees of a ledger that can't be used."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.engine.questions import ledger_key
from wardlens.engine import sealed
from wardlens.engine.installation import open_installation
from wardlens.engine.ledger.store import Store
from wardlens.evaluators.cli import main

EXAMPLES = Path(__file__).parents[3] / "examples"


def no_database(path: Path) -> None:
    path.write_bytes(b"These are notes, not a database.\n" * 200)


def lost_its_end(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 2 * 4096])


def another_installations(path: Path) -> None:
    path.unlink()
    Store(path, open_installation(path.parent / "other")).close()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("spoil", [no_database, lost_its_end, another_installations, a_folder])
def test_a_ledger_that_cant_be_used_is_one_line_of_text_and_exit_code_2(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    spoil: Callable[[Path], None],
) -> None:
    monkeypatch.setattr(sealed, "_display_key", sealed._display_key)
    monkeypatch.setenv("WARDLENS_HOME", str(tmp_path / "home"))
    folder = tmp_path / "ledger"
    folder.mkdir()
    store = Store(folder / "ledger.sqlite", open_installation())
    store.append([(ledger_key(n % 3, n), b"reply") for n in range(500)])
    store.close()
    spoil(folder / "ledger.sqlite")

    inputs = [str(EXAMPLES / "notes.system_a.json"), "--claims", str(EXAMPLES / "claims.json")]
    choices = ["--metrics", "claim_recall", "--evaluator", "overlap"]
    places = ["--out", str(tmp_path / "out"), "--ledger", str(folder)]
    assert main(["run", *inputs, *choices, *places]) == 2

    said = capfd.readouterr().err.strip()
    assert said.startswith("wardlens: ")
    assert "--ledger DIR" in said
    assert "\n" not in said
    assert not list((tmp_path / "out").glob("*.parquet"))

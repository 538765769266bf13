"""A run killed at any moment is completed by the same command: what is missing is asked, and the
results are those of a run that nothing disturbed."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest

from wardlens.evaluators.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
ROWS_A_TRANSACTION = 3

DRIVER = f"""
import os, pathlib, signal, sys
from wardlens.engine.desk import desk
from wardlens.engine.ledger.store import Store
from wardlens.evaluators.cli import main
from wardlens.evaluators.results import RunFolder

point, *arguments = sys.argv[1:]


def pass_by(name):
    if name == point:
        os.kill(os.getpid(), signal.SIGKILL)


append, transactions = Store.append, 0


def append_a_few(store, replies):
    global transactions
    rows = list(replies)
    for start in range(0, len(rows), {ROWS_A_TRANSACTION}):
        append(store, rows[start : start + {ROWS_A_TRANSACTION}])
        transactions += 1
        pass_by(f"after transaction {{transactions}}")


begin, write, replace = RunFolder.begin, RunFolder.write, pathlib.Path.replace


def begin_and_pass(folder, configuration):
    begin(folder, configuration)
    pass_by("after begin")


def write_and_pass(folder, name, content):
    write(folder, name, content)
    pass_by(f"after {{name}}")


def pass_and_replace(path, target):
    pass_by(f"before the name {{target.name}}")
    return replace(path, target)


Store.append, desk.BLOCK_SIZE = append_a_few, 5
RunFolder.begin, RunFolder.write = begin_and_pass, write_and_pass
pathlib.Path.replace = pass_and_replace
sys.exit(main(arguments))
"""


class Run:
    """One command with a ledger and result folder of its own, given again and again."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home, self._ledger, self._out = home, folder / "ledger", folder / "out"
        self._arguments = [
            *("run", str(EXAMPLES / "notes.system_a.json"), str(EXAMPLES / "notes.system_b.json")),
            *("--claims", str(EXAMPLES / "claims.json"), "--limit", "3"),
            *("--metrics", "claim_recall,claim_precision", "--evaluator", "overlap"),
            *("--ledger", str(self._ledger), "--out", str(self._out)),
        ]

    def kill(self, point: str) -> None:
        """Run until it kills itself at `point`."""
        command = [sys.executable, "-c", DRIVER, point, *self._arguments]
        environment = {**os.environ, "WARDLENS_HOME": str(self._home)}
        killed = subprocess.run(command, env=environment, capture_output=True, check=False)
        assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()

    def finish(self) -> dict[str, int]:
        """Run to the end, undisturbed; what became of the requests."""
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("WARDLENS_HOME", str(self._home))
            assert main(self._arguments) == 0
        record = json.loads((self._out / "run.json").read_text())
        requests: dict[str, int] = record["this_invocation"]["requests"]
        return requests

    def answers_kept(self) -> int:
        """Rows of the ledger, counted in a copy: to open it after a crash already mends it."""
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(self._ledger, copy, dirs_exist_ok=True)
            with contextlib.closing(sqlite3.connect(Path(copy) / "ledger.sqlite")) as connection:
                (count,) = connection.execute("SELECT count(*) FROM replies").fetchone()
        return int(count)

    def results(self) -> dict[str, object]:
        """All result files; of the record, what doesn't tell of one invocation."""
        files: dict[str, object] = {path.name: path.read_bytes() for path in self._out.iterdir()}
        record = json.loads((self._out / "run.json").read_text())
        del record["this_invocation"]
        return files | {"run.json": json.dumps(record)}


class Undisturbed(NamedTuple):
    """What a run leaves that goes through at once."""

    questions: int
    results: dict[str, object]


@pytest.fixture(scope="module")
def common_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One installation, because digests in the record are made with its key."""
    return tmp_path_factory.mktemp("common") / "home"


@pytest.fixture(scope="module")
def undisturbed(common_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    run = Run(common_home, tmp_path_factory.mktemp("undisturbed"))
    run.finish()
    return Undisturbed(run.answers_kept(), run.results())


@pytest.fixture
def run(common_home: Path, tmp_path: Path) -> Run:
    return Run(common_home, tmp_path)


def check_continuation(run: Run, kept: int, undisturbed: Undisturbed) -> None:
    requests = run.finish()

    assert requests["computed"] == undisturbed.questions - kept
    assert requests["from_ledger"] == kept
    assert run.results() == undisturbed.results


@pytest.mark.parametrize(
    ("point", "transactions"),
    [("after transaction 7", 7), ("after transaction 1", 1)],
)
def test_killed_while_it_asks_a_run_continues_with_what_is_missing(
    point: str, transactions: int, run: Run, undisturbed: Undisturbed
) -> None:
    run.kill(point)

    kept = run.answers_kept()

    # The last rows of a group may be fewer.
    assert transactions <= kept <= ROWS_A_TRANSACTION * transactions < undisturbed.questions
    check_continuation(run, kept, undisturbed)


@pytest.mark.parametrize(
    "point",
    [
        "before the name run.json",
        "after begin",
        "before the name judgments.parquet",
        "after judgments.parquet",
    ],
)
def test_killed_while_it_writes_a_run_asks_nothing_again(
    point: str, run: Run, undisturbed: Undisturbed
) -> None:
    run.kill(point)

    assert run.answers_kept() == undisturbed.questions
    check_continuation(run, undisturbed.questions, undisturbed)


def test_a_run_killed_again_and_again_still_ends_well(run: Run, undisturbed: Undisturbed) -> None:
    for point in ("after transaction 3", "after transaction 2"):
        run.kill(point)

    kept = run.answers_kept()

    assert 5 <= kept <= 5 * ROWS_A_TRANSACTION
    check_continuation(run, kept, undisturbed)

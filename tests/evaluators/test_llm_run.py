"""`wardlens run` with a real model on real vLLM: killed, continued, and asked again."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

_EXAMPLES = Path(__file__).parents[2] / "examples"
_GRACE_SECONDS = 10


class Run:
    """One command with a ledger and result folder of its own, given again and again."""

    def __init__(self, home: Path, folder: Path, *, limit: int = 4) -> None:
        self.ledger = folder / "ledger"
        self.out = folder / "out"
        self._environment = {**os.environ, "WARDLENS_HOME": str(home)}
        self._command = [
            str(Path(sys.executable).with_name("wardlens")),
            "run",
            str(_EXAMPLES / "notes.system_a.json"),
            *("--claims", str(_EXAMPLES / "claims.json"), "--limit", str(limit)),
            *("--metrics", "claim_recall,claim_precision", "--evaluator", "smollm2"),
            *("--ledger", str(self.ledger), "--out", str(self.out)),
        ]

    def start(self) -> subprocess.Popen[bytes]:
        # A parent that ignores Ctrl-C (a shell's background job) would hand that down.
        return subprocess.Popen(
            self._command,
            env=self._environment,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )

    def finish(self) -> dict[str, int]:
        """Run to the end; what became of the requests."""
        subprocess.run(self._command, env=self._environment, check=True, timeout=300)
        record = json.loads((self.out / "run.json").read_bytes())
        counts: dict[str, int] = record["this_invocation"]["requests"]
        return counts

    def rows(self) -> dict[bytes, bytes]:
        """The sealed replies in the ledger."""
        path = self.ledger / "ledger.sqlite"
        if not path.exists():
            return {}
        try:
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
                return dict(connection.execute("SELECT request, sealed FROM replies"))
        except sqlite3.OperationalError:
            return {}


@pytest.fixture(scope="module")
def run(embedded_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return Run(embedded_home, tmp_path_factory.mktemp("run"))


def test_a_killed_run_continues_with_what_is_missing(run: Run) -> None:
    # Killed while the model loads: nothing is answered, and nothing is left running.
    _kill_when(run, lambda process: len(descendants(process.pid)) >= 3)
    assert run.rows() == {}

    # Killed among the judgments: what is in the ledger stays there, bit for bit.
    _kill_when(run, lambda _process: len(run.rows()) > 0)
    kept = run.rows()

    counts = run.finish()

    finished = run.rows()
    assert {key: finished[key] for key in kept} == kept
    assert counts["computed"] == len(finished) - len(kept)
    assert counts["from_ledger"] + counts["repeated"] + counts["computed"] == counts["asked"]
    assert counts["unscored"] == 0


def test_a_finished_run_asks_the_model_nothing_and_gives_the_same_bytes(run: Run) -> None:
    before = _result_bytes(run.out)

    counts = run.finish()

    assert counts["computed"] == 0
    assert _result_bytes(run.out) == before


def test_every_judgment_carries_the_model_s_certainty_and_its_mark(run: Run) -> None:
    rows = pq.read_table(run.out / "judgments.parquet").to_pylist()

    assert rows
    for row in rows:
        assert row["weak_judge"] is True
        assert row["style"] == "label"
        assert row["unscored"] is None
        assert row["label"] == int(row["probability"] > 0.5) or row["margin"] < 0.7
        assert 0 < row["mass"] <= 1
        assert row["margin"] >= 0


def _result_bytes(folder: Path) -> dict[str, bytes]:
    names = ("judgments.parquet", "examples.parquet", "metrics.json", "report.html")
    return {name: (folder / name).read_bytes() for name in names}


def _kill_when(run: Run, ready: Callable[[subprocess.Popen[bytes]], bool]) -> None:
    """Start the run, SIGKILL it once `ready`, and check that its children follow in time."""
    process = run.start()
    seen: dict[int, str] = {}
    deadline = time.monotonic() + 180
    while not ready(process):
        assert process.poll() is None, "the run ended before it could be killed"
        assert time.monotonic() < deadline, "the run never came so far"
        seen |= descendants(process.pid)
        time.sleep(0.05)
    seen |= descendants(process.pid)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert seen
    killed = time.monotonic()
    while left := [pid for pid, start in seen.items() if start_time(pid) == start]:
        assert time.monotonic() - killed < _GRACE_SECONDS, f"{len(left)} processes outlived it"
        time.sleep(0.1)


def descendants(pid: int) -> dict[int, str]:
    """Start times of the descendants of a process, by process id."""
    found: dict[int, str] = {}
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(c) for task in tasks for c in (task / "children").read_text().split()]
    except OSError:
        return found
    for child in children:
        start = start_time(child)
        if start is not None:
            found |= {child: start} | descendants(child)
    return found


def start_time(pid: int) -> str | None:
    """Start time of a process that runs, None for one that is gone or a zombie."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]

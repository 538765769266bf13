"""Long fault drills with a real engine (`make drill`)."""

import os
import signal
import time
from pathlib import Path

import pytest

from tests.evaluators.test_llm_run import Run, descendants, start_time

pytestmark = pytest.mark.drill


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_run_whose_engine_dies_ends_with_every_judgment(
    embedded_home: Path, tmp_path: Path, deaths: int
) -> None:
    run = Run(embedded_home, tmp_path, limit=10)
    process = run.start()
    for _ in range(deaths):
        _wait_for_rows(run, len(run.rows()) + 1)
        _kill_engine(process.pid)
    assert process.wait(timeout=400) == 0

    # Requests in flight at two deaths may be left unscored; the next run asks them again.
    counts = run.finish()
    assert counts["unscored"] == 0
    assert counts["computed"] <= 512


def _wait_for_rows(run: Run, count: int) -> None:
    deadline = time.monotonic() + 240
    while len(run.rows()) < count:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _kill_engine(owner: int) -> None:
    """SIGKILL the process with most memory below `owner`: the one that holds the model."""
    largest = max(descendants(owner), key=_resident_pages)
    os.kill(largest, signal.SIGKILL)


def _resident_pages(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0


@pytest.mark.parametrize("seconds", [3, 12, 40])
def test_an_interrupted_run_says_that_it_continues_and_leaves_nothing_running(
    embedded_home: Path, tmp_path: Path, seconds: int
) -> None:
    run = Run(embedded_home, tmp_path, limit=10)
    process = run.start()
    time.sleep(seconds)
    children = descendants(process.pid)
    process.send_signal(signal.SIGINT)

    assert process.wait(timeout=60) == 130
    time.sleep(1)
    assert not any(start_time(pid) == start for pid, start in children.items())
    assert run.finish()["unscored"] == 0

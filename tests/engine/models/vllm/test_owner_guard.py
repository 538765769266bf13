"""Child processes of an engine end with their owner."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import pytest

from tests.engine.running import next_line, running_program
from wardlens.engine.models.vllm import owner_guard
from wardlens.engine.models.vllm.owner_guard import OwnerGuard, _start_time

# A child with two grandchildren; one of them leaves the process group and the session.
TREE = (
    "import subprocess, sys\n"
    "sleep = [sys.executable, '-S', '-c', 'import time; time.sleep(60)']\n"
    "plain = subprocess.Popen(sleep)\n"
    "apart = subprocess.Popen(sleep, start_new_session=True)\n"
    "print(plain.pid, apart.pid, flush=True)\n"
    "plain.wait()\n"
)
OWNER = (
    "import subprocess, sys, time\n"
    "from wardlens.engine.models.vllm.owner_guard import OwnerGuard\n"
    "guard = OwnerGuard()\n"
    "tree = subprocess.Popen([sys.executable, '-S', '-c', sys.argv[1]], stdout=-1, text=True)\n"
    "print(guard._process.pid, tree.pid, tree.stdout.readline().strip(), flush=True)\n"
    "for line in sys.stdin:\n"
    "    if line == 'release\\n':\n"
    "        guard.release()\n"
    "        print('released', flush=True)\n"
)


def is_running(process_id: int) -> bool:
    return _start_time(process_id) is not None


def wait_until(condition: Callable[[], bool], *, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    """A process that is no descendant of any owner."""
    with subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"]) as process:
        yield process
        process.kill()


@pytest.fixture
def owner() -> Iterator[tuple[subprocess.Popen[str], int, list[int]]]:
    """An owner, its guard, and its descendants: a child and two grandchildren."""
    with running_program(OWNER, TREE) as process:
        guard, *tree = map(int, next_line(process).split())
        # Long enough for the guard to have seen them all.
        time.sleep(owner_guard._POLL_SECONDS * 2.5)
        try:
            yield process, guard, tree
        finally:
            for process_id in tree:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process_id, signal.SIGKILL)


Owner = tuple[subprocess.Popen[str], int, list[int]]


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_when_the_owner_is_killed_its_descendants_end_within_three_seconds(
    owner: Owner, bystander: subprocess.Popen[bytes], ending: signal.Signals
) -> None:
    process, guard, tree = owner
    assert len(tree) == 3
    assert all(map(is_running, [guard, *tree]))

    process.send_signal(ending)
    process.wait(timeout=5)

    assert wait_until(lambda: not any(map(is_running, tree)), seconds=3)
    assert wait_until(lambda: not is_running(guard), seconds=3)
    assert bystander.poll() is None


def test_releasing_the_guard_ends_it_and_nothing_else(owner: Owner) -> None:
    process, guard, tree = owner
    assert process.stdin is not None
    process.stdin.write("release\n")
    process.stdin.flush()
    assert next_line(process) == "released"
    assert not is_running(guard)
    time.sleep(owner_guard._POLL_SECONDS * 2)
    assert all(map(is_running, tree))

    process.kill()
    process.wait(timeout=5)
    time.sleep(owner_guard._POLL_SECONDS * 2)
    assert all(map(is_running, tree))


def test_a_guard_can_be_released_twice() -> None:
    guard = OwnerGuard()
    guard.release()
    guard.release()
    assert guard._process.poll() is not None


def test_another_process_with_the_same_number_is_not_taken_for_one_that_was_seen() -> None:
    number, start = os.getpid(), _start_time(os.getpid())
    assert start is not None
    assert owner_guard._is_running((number, start))
    assert not owner_guard._is_running((number, str(int(start) - 1)))


def test_zombies_count_as_gone() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", ""], stdin=subprocess.PIPE) as process:
        assert wait_until(lambda: _start_time(process.pid) is None, seconds=5)
        assert process.returncode is None


def test_a_name_with_brackets_and_spaces_is_no_trouble() -> None:
    program = (
        "import ctypes, sys\n"
        "ctypes.CDLL(None).prctl(15, b') Z 1 (', 0, 0, 0)\n"
        "print('named', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with running_program(program) as process:
        assert next_line(process) == "named"
        assert is_running(process.pid)


def test_descendants_are_found_to_any_depth(owner: Owner) -> None:
    process, guard, tree = owner
    found = {process_id for process_id, _ in owner_guard._descendants(process.pid)}
    assert found == {guard, *tree}


HASTY_OWNER = (
    "import os, signal, subprocess, sys, time\n"
    "from wardlens.engine.models.vllm.owner_guard import OwnerGuard\n"
    "guard = OwnerGuard()\n"
    "time.sleep(1)\n"
    "sleep = [sys.executable, '-S', '-c', 'import time; time.sleep(60)']\n"
    "children = [subprocess.Popen(sleep, start_new_session=True) for _ in range(3)]\n"
    "print(*[child.pid for child in children], flush=True)\n"
    "os.kill(os.getpid(), signal.SIGKILL)\n"
)


def test_children_that_the_guard_never_met_end_too() -> None:
    with running_program(HASTY_OWNER) as process:
        children = list(map(int, next_line(process).split()))

        assert len(children) == 3
        assert wait_until(lambda: not any(map(is_running, children)), seconds=5)

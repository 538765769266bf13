"""Ends the child processes of an engine when their owner is gone.

vLLM's engine runs in child processes that outlive a killed front end and keep its memory. The
guard is a small process of its own: it follows the owner's descendants (by process id and start
time, never by name) and, once the owner is dead, kills those that are left. Children so young that
it hasn't met them yet are known by a mark in the environment that they were started with (vLLM
overwrites its own later on, so the mark alone wouldn't do). It also covers the time in which a
model is still loading. Run as a script it needs the standard library only.
"""

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

_POLL_SECONDS = 0.5
_SWEEPS = 10
_LEAST_SWEEPS = 3

_MARK = "WARDLENS_ENGINE_OWNER"

Process = tuple[int, str]
"""Process id and start time, which together are never reused."""


class OwnerGuard:
    """A running guard for this process; `release` it once the engine has been closed."""

    def __init__(self) -> None:
        # Inherited by every process that the owner starts from now on.
        os.environ[_MARK] = f"{os.getpid()}-{_start_time(os.getpid())}"
        self._process: subprocess.Popen[bytes] = subprocess.Popen(  # noqa: S603 - our own file
            [sys.executable, "-I", "-S", str(Path(__file__)), str(os.getpid()), _mark()],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def release(self) -> None:
        """Stop guarding; nothing is killed."""
        self._process.kill()
        self._process.wait()


def guard(owner: int, mark: str, closing: IO[bytes]) -> None:
    """Follow the descendants of process `owner` until it is gone, then kill them.

    `mark` is the line of the environment that its children were started with.
    `closing` is a stream whose other end the owner holds; its end means that the owner ended.
    """
    seen: set[Process] = set()
    while os.getppid() == owner:
        seen = {process for process in seen | _descendants(owner) if _is_running(process)}
        if select.select([closing], [], [], _POLL_SECONDS)[0]:
            break
    for sweep in range(_SWEEPS):
        seen |= _marked(mark)
        seen |= {child for process in seen for child in _descendants(process[0])}
        left = [process for process in seen if _is_running(process)]
        # A child that was just being started shows its mark only a moment later.
        if not left and sweep >= _LEAST_SWEEPS:
            return
        for process_id, _start in left:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process_id, signal.SIGKILL)
        time.sleep(_POLL_SECONDS)


def _descendants(process_id: int) -> set[Process]:
    found: set[Process] = set()
    open_ids = [process_id]
    while open_ids:
        for child in _children(open_ids.pop()):
            start = _start_time(child)
            if child != os.getpid() and start is not None and (child, start) not in found:
                found.add((child, start))
                open_ids.append(child)
    return found


def _mark() -> str:
    return f"{_MARK}={os.environ[_MARK]}"


def _marked(mark: str) -> set[Process]:
    """Running processes, other than this one, whose environment has the line `mark`."""
    found: set[Process] = set()
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            lines = (folder / "environ").read_bytes().split(b"\0")
            start = _start_time(int(folder.name))
            if mark.encode() in lines and start is not None:
                found.add((int(folder.name), start))
    return found


def _children(process_id: int) -> list[int]:
    children: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{process_id}/task").iterdir():
            with contextlib.suppress(OSError):
                children += map(int, (task / "children").read_text().split())
    return children


def _start_time(process_id: int) -> str | None:
    """Start time of a process that runs, None for one that is gone or a zombie."""
    try:
        fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else fields[19]


def _is_running(process: Process) -> bool:
    return _start_time(process[0]) == process[1]


if __name__ == "__main__":
    guard(int(sys.argv[1]), sys.argv[2], sys.stdin.buffer)

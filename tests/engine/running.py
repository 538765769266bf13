"""Asynchronous work with a time limit, and Python programs in processes of their own."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from wardlens.engine.offline import DEFAULTS, SWITCHES

Result = TypeVar("Result")


def run_async(work: Coroutine[Any, Any, Result], *, seconds: float = 20) -> Result:
    """Run `work`; what hangs fails with TimeoutError instead."""

    async def bounded() -> Result:
        async with asyncio.timeout(seconds):
            return await work

    return asyncio.run(bounded())


async def ticks(count: int) -> None:
    """Let the event loop turn `count` times."""
    for _ in range(count):
        await asyncio.sleep(0)


async def until(condition: Callable[[], bool], *, seconds: float = 10) -> None:
    """Wait for what other tasks and threads will bring about."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what it waits for sets no event
            await asyncio.sleep(0.001)


def run_program(
    source: str, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a Python program to its end, its output as text.

    It starts without the offline switches that importing Wardlens has set in this process.
    """
    return subprocess.run(
        [sys.executable, "-c", source, *arguments],
        env=_environment(environment),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@contextmanager
def running_program(source: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A Python program that runs while the block does, its standard output a pipe of lines."""
    with subprocess.Popen(
        [sys.executable, "-c", source, *arguments],
        env=_environment(None),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        try:
            yield program
        finally:
            program.kill()


def next_line(program: subprocess.Popen[str]) -> str:
    """The next line that `program` prints, without its end; empty when it has ended."""
    assert program.stdout is not None
    return program.stdout.readline().rstrip("\n")


def _environment(extra: Mapping[str, str] | None) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if k not in SWITCHES and k not in DEFAULTS}
    return {**inherited, **(extra or {})}

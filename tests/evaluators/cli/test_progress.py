"""Progress: a bar on a terminal, plain lines elsewhere."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple, cast

import pytest

from wardlens.engine.desk import DeskCounts
from wardlens.engine.installation import Installation
from wardlens.evaluators import RunOptions
from wardlens.evaluators.cli.progress import count_questions, show_progress
from wardlens.evaluators.plan import Plan, make_plan


@pytest.fixture
def plan(tmp_path: Path, installation: Installation) -> Plan:
    """A plan of three judgments a system."""
    notes = tmp_path / "notes.jsonl"
    notes.write_text(
        '{"example_id": "a", "output": "o", "subclaims_reference": ["x", "y"]}\n'
        '{"example_id": "b", "output": "o", "subclaims_reference": ["z"]}\n'
    )
    inputs = (f"s={notes}", f"t={notes}")
    options = RunOptions(inputs=inputs, metrics="claim_recall", evaluator="overlap", out=tmp_path)
    return make_plan(options, installation)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds, in a list of one, that the progress takes for the time."""
    now = [1000.0]
    monkeypatch.setattr("wardlens.evaluators.cli.progress.time.monotonic", lambda: now[0])
    return now


class Terminal(NamedTuple):
    standard_error: IO[str]
    reader: int

    def shown(self) -> str:
        shown = b""
        with contextlib.suppress(BlockingIOError):
            while True:
                shown += os.read(self.reader, 4096)
        return shown.decode()


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """A terminal of our own."""
    reader, writer = os.openpty()
    os.set_blocking(reader, False)
    with os.fdopen(writer, "w") as standard_error:
        yield Terminal(standard_error, reader)
    os.close(reader)


def test_all_questions_of_all_systems_are_counted(plan: Plan) -> None:
    assert count_questions(plan) == 6


@pytest.mark.parametrize("metrics", ["citation_recall", "citation_precision,citation_recall"])
def test_of_citation_metrics_statements_are_counted(
    metrics: str, tmp_path: Path, installation: Installation
) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_text(
        '{"example_id": "a", "input": "[0] i", "output": "PLAN\\nRest [0]. Ice.\\nTea [0]."}\n'
        '{"example_id": "b", "input": "[0] i", "output": ""}\n'
    )
    options = RunOptions(inputs=(str(notes),), metrics=metrics, evaluator="overlap", out=tmp_path)

    assert count_questions(make_plan(options, installation)) == 3


def test_without_a_terminal_progress_is_plain_lines_ten_seconds_apart(
    plan: Plan, clock: list[float], capfd: pytest.CaptureFixture[str]
) -> None:
    counts = DeskCounts(asked=6)
    with show_progress() as watcher:
        watcher.on_plan(plan)
        for seconds, computed in ((0, 1), (5, 2), (10, 3)):
            clock[0] = 1000.0 + seconds
            counts.computed, counts.unscored = computed, computed // 3
            watcher.on_answer(counts)

    assert capfd.readouterr().err.splitlines() == [
        "wardlens: 6 judgments by overlap",
        "wardlens: 1 of 6, 0 unscored",
        "wardlens: 3 of 6, 0.2 a second, 15 s left, 1 unscored",
    ]


def test_answers_from_the_ledger_count_as_done_but_give_no_rate(
    plan: Plan, clock: list[float], capfd: pytest.CaptureFixture[str]
) -> None:
    with show_progress() as watcher:
        watcher.on_plan(plan)
        clock[0] += 20
        watcher.on_answer(DeskCounts(asked=6, remembered=4, repeated=1))

    assert capfd.readouterr().err.splitlines()[-1] == "wardlens: 5 of 6, 0 unscored"


def test_on_a_terminal_progress_is_a_bar(
    plan: Plan, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", cast(object, terminal.standard_error))
    monkeypatch.setenv("TERM", "xterm")

    with show_progress() as watcher:
        watcher.on_plan(plan)
        watcher.on_answer(DeskCounts(asked=6, computed=4, unscored=1))

    shown = terminal.shown()
    assert "4/6" in shown
    assert "1 unscored" in shown

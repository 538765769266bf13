"""Shows how far a run is: a bar on a terminal, plain lines elsewhere. No text, no ids."""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from wardlens.engine.desk import DeskCounts
from wardlens.evaluators.evaluate import RunWatcher
from wardlens.evaluators.metrics.statements import cited_texts
from wardlens.evaluators.plan import Plan

_PLAIN_SECONDS = 10.0


@contextmanager
def show_progress() -> Iterator[RunWatcher]:
    """A watcher that shows progress on standard error until the block ends."""
    # A duplicate, because an engine that starts takes over the descriptor for a while.
    with os.fdopen(os.dup(sys.stderr.fileno()), "w") as stream:
        console = Console(file=stream)
        if console.is_terminal:
            with _bar(console) as watcher:
                yield watcher
        else:
            lines = _Lines(stream)
            yield RunWatcher(on_plan=lines.on_plan, on_answer=lines.on_answer)


@contextmanager
def _bar(console: Console) -> Iterator[RunWatcher]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        bar = _Bar(progress)
        yield RunWatcher(on_plan=bar.on_plan, on_answer=bar.on_answer)


def count_questions(plan: Plan) -> int:
    """About how many questions the run asks: claims, and statements without their citations."""
    return sum(
        len(question.claims)
        for examples in plan.inputs.systems.values()
        for example in examples
        for metric in plan.metrics
        if metric.claim_questions is not None
        for question in metric.claim_questions(example)
    ) + _count_statements(plan)


def _count_statements(plan: Plan) -> int:
    if all(metric.claim_questions is not None for metric in plan.metrics):
        return 0
    return sum(
        len(text.statements)
        for examples in plan.inputs.systems.values()
        for example in examples
        for text in cited_texts(example, plan.conventions)
    )


class _Pace:
    """Judgments a second since the first answer that had to be computed."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._before = 0

    def rate(self, counts: DeskCounts) -> float | None:
        if not counts.computed:
            return None
        now = time.monotonic()
        if self._since is None:
            self._since, self._before = now, counts.computed
        elapsed = now - self._since
        return (counts.computed - self._before) / elapsed if elapsed > 1 else None


class _Bar:
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._pace = _Pace()
        self._total = 0

    def on_plan(self, plan: Plan) -> None:
        self._total = count_questions(plan)
        self._progress.add_task("judgments", total=self._total, rate="")

    def on_answer(self, counts: DeskCounts) -> None:
        rate = self._pace.rate(counts)
        text = (f"{rate:.1f}/s, " if rate else "") + f"{counts.unscored} unscored"
        for task in self._progress.task_ids:
            total = max(self._total, counts.asked)
            self._progress.update(task, total=total, completed=counts.answered, rate=text)


class _Lines:
    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._pace = _Pace()
        self._total = 0
        self._next = 0.0

    def on_plan(self, plan: Plan) -> None:
        self._total = count_questions(plan)
        self._write(f"{self._total} judgments by {plan.evaluator.name}")

    def on_answer(self, counts: DeskCounts) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _PLAIN_SECONDS
        rate = self._pace.rate(counts)
        # How many questions citations take is known only as their answers come.
        total = max(self._total, counts.asked)
        left = f", {(total - counts.answered) / rate:.0f} s left" if rate else ""
        speed = f", {rate:.1f} a second" if rate else ""
        self._write(f"{counts.answered} of {total}{speed}{left}, {counts.unscored} unscored")

    def _write(self, line: str) -> None:
        self._stream.write(f"wardlens: {line}\n")
        self._stream.flush()

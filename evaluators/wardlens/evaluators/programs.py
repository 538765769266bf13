"""Runs the metric programs of all examples, many at once, and keeps their order."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from wardlens.engine.desk import Desk, DeskCounts
from wardlens.engine.installation import Installation
from wardlens.engine.ledger import Ledger, RequestKeys
from wardlens.evaluators.examples import Example
from wardlens.evaluators.judges import Judge
from wardlens.evaluators.metrics import Judgment
from wardlens.evaluators.metrics.trace import questions_asked
from wardlens.evaluators.plan import Plan
from wardlens.evaluators.results.outcome import ExampleOutcome, Outcome

_EXAMPLES_AT_ONCE = 256
"""More than enough to keep any engine busy; few enough to bound memory."""

OnAnswer = Callable[[DeskCounts], None]


@dataclass(frozen=True, slots=True)
class Judged:
    """The judgments of a run and what they took."""

    outcome: Outcome
    counts: DeskCounts
    damaged_ledger_rows: int


async def judge_all(
    plan: Plan, ledger: Ledger, installation: Installation, on_answer: OnAnswer
) -> Judged:
    """Judge every example of every system; when this returns, all answers are durable."""
    replica = plan.evaluator.replica
    keys = RequestKeys(installation, replica.fingerprint)
    async with Desk(replica, ledger, keys, on_answer=on_answer) as desk:
        judge = plan.evaluator.make_judge(desk)
        places = asyncio.Semaphore(1 if judge.answers_in_order else _EXAMPLES_AT_ONCE)
        try:
            async with asyncio.TaskGroup() as group:
                tasks = {
                    system: [
                        group.create_task(_judge_example(plan, example, judge, places))
                        for example in examples
                    ]
                    for system, examples in plan.inputs.systems.items()
                }
        except ExceptionGroup as failures:
            # All fail for one cause, that of the desk; the first tells it.
            raise failures.exceptions[0] from None
        finally:
            await ledger.flush()
        outcome = {s: tuple(task.result() for task in listed) for s, listed in tasks.items()}
        return Judged(outcome, desk.counts, ledger.damaged_rows)


async def _judge_example(
    plan: Plan, example: Example, judge: Judge, places: asyncio.Semaphore
) -> ExampleOutcome:
    judged: dict[str, list[Judgment]] = {}
    # Of two metrics, one that brings the other with it is asked for both: nothing is asked twice.
    bringing = {included: metric for metric in plan.metrics for included in metric.includes}
    async with places:
        for metric in plan.metrics:
            if metric.name not in judged:
                program = bringing.get(metric.name, metric).program
                judged |= await program(example, judge, plan.conventions)
    asked = tuple(questions_asked(judged)) if plan.options.trace is not None else ()
    return ExampleOutcome(example, {m.name: tuple(judged[m.name]) for m in plan.metrics}, asked)

"""A whole run, from options to result files."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from wardlens.engine.desk import DeskCounts
from wardlens.engine.errors import UserError
from wardlens.engine.event_loop import run_in_own_loop
from wardlens.engine.installation import Installation, open_installation
from wardlens.engine.ledger import Ledger
from wardlens.evaluators.examples.alignment import MisalignedClaimsError
from wardlens.evaluators.options import RunOptions
from wardlens.evaluators.plan import Plan, make_plan
from wardlens.evaluators.programs import Judged, judge_all
from wardlens.evaluators.report import report_html
from wardlens.evaluators.results import RunFolder
from wardlens.evaluators.results.record import Timings, run_record
from wardlens.evaluators.results.scores import Scores, score_systems, scores_as_json
from wardlens.evaluators.results.tables import ResultTables
from wardlens.evaluators.results.trace import write_trace


@dataclass(frozen=True, slots=True)
class RunWatcher:
    """Callbacks of a run: `on_plan` once everything is checked, `on_answer` as answers come in."""

    on_plan: Callable[[Plan], None] = lambda _plan: None
    on_answer: Callable[[DeskCounts], None] = lambda _counts: None


@dataclass(frozen=True, slots=True)
class RunResult:
    """A finished run: its scores and counts; the files are in `out`."""

    out: Path
    plan: Plan
    scores: Scores
    judged: Judged
    timings: Timings = field(repr=False)


def evaluate(options: RunOptions, watcher: RunWatcher | None = None) -> RunResult:
    """Do a run and write its results; the same options again continue it, or finish at once.

    Raises:
        UserError: something that was given can't be used; nothing is overwritten.
        EngineError: the model can't be loaded or died for good; answers so far are kept.
    """
    watcher = watcher or RunWatcher()
    started = time.monotonic()
    installation = open_installation()
    folder = RunFolder(options.out)
    plan = _plan_or_write_misalignment(options, installation, folder)
    if not options.overwrite:
        folder.refuse_other_run(plan.configuration)
    ledger_folder = options.ledger or installation.default_ledger
    with Ledger(ledger_folder, installation) as ledger, folder.held():
        watcher.on_plan(plan)
        planned = time.monotonic()
        judged = run_in_own_loop(judge_all(plan, ledger, installation, watcher.on_answer))
        answered = time.monotonic()
        names = tuple(metric.name for metric in plan.metrics)
        scores = score_systems(judged.outcome, names, plan.rules)
        timings = Timings(preparing=planned - started, judging=answered - planned)
        result = RunResult(options.out, plan, scores, judged, timings)
        _write(folder, result, installation)
    return result


def _plan_or_write_misalignment(
    options: RunOptions, installation: Installation, folder: RunFolder
) -> Plan:
    try:
        return make_plan(options, installation)
    except MisalignedClaimsError as error:
        if not options.overwrite:
            folder.refuse_other_files()
        rows = [
            {
                "claims_row": m.row,
                "example_id": m.example_id.reveal(),
                "likely_example_id": m.likely_id.reveal(),
                "likely_row": m.likely_row,
            }
            for m in error.found
        ]
        written = folder.write_misaligned(rows)
        raise UserError(f"{error} The likely right ids are in {written}.") from error


def _write(folder: RunFolder, result: RunResult, installation: Installation) -> None:
    plan, judged, scores = result.plan, result.judged, result.scores
    # Only now: until there are results, those of an earlier run stay as they are.
    folder.begin(plan.configuration)
    tables = ResultTables(judged.outcome, plan.evaluator, samples=plan.options.samples)
    folder.write("judgments.parquet", tables.judgments())
    folder.write("examples.parquet", tables.examples())
    folder.write_json("metrics.json", scores_as_json(scores, plan.evaluator, plan.rules))
    folder.write("report.html", report_html(plan, judged.outcome, scores).encode())
    # Last, because its state says that the other files are there.
    folder.write_json("run.json", run_record(plan, judged, result.timings, installation))
    if plan.options.trace is not None:
        write_trace(plan.options.trace, judged.outcome)

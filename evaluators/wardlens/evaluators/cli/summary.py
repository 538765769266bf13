"""Prints the scores of a finished run."""

from rich.console import Console
from rich.table import Table

from wardlens.evaluators.evaluate import RunResult
from wardlens.evaluators.rules.aggregate import Summary
from wardlens.evaluators.run_warnings import run_warnings

_PIPE_WIDTH = 160


def print_summary(result: RunResult) -> None:
    """Print a table of scores, and where everything is."""
    evaluator = result.plan.evaluator
    name = f"{evaluator.name} (weak judge)" if evaluator.weak else evaluator.name
    table = Table(title=f"Scores by {name}, rules {result.plan.rules.name}", title_justify="left")
    for column in ("system", "metric"):
        table.add_column(column)
    for column in ("score", "95 % interval", "bounds", "judgments", "unscored"):
        table.add_column(column, justify="right")
    for system, metrics in result.scores.items():
        for metric, scored in metrics.items():
            table.add_row(system, metric, *_figures(scored.total))
    # Names are the user's: brackets and colons in them are no markup.
    console = Console(markup=False, emoji=False)
    if not console.is_terminal:
        # A pipe has no width to wrap at.
        console.width = _PIPE_WIDTH
    console.print(table)
    counts = result.judged.counts
    console.print(
        f"{counts.computed} judgments computed, {counts.remembered} from the ledger, "
        f"{counts.repeated} repeated. Results in {result.out}",
        highlight=False,
    )
    _warn(result, console)


def _figures(summary: Summary) -> tuple[str, ...]:
    return (
        _figure(summary.score),
        _range(summary.ci95),
        _range(summary.bounds) if summary.n_unscored else "",
        str(summary.n),
        str(summary.n_unscored),
    )


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.6f}"


def _range(bounds: tuple[float, float] | None) -> str:
    return "-" if bounds is None else f"{bounds[0]:.4f} to {bounds[1]:.4f}"


def _warn(result: RunResult, console: Console) -> None:
    warnings = run_warnings(result.plan)
    damaged = result.judged.damaged_ledger_rows
    if damaged:
        warnings.append(f"{damaged} damaged ledger rows were not used, but asked again.")
    for warning in warnings:
        console.print(f"Note: {warning}", highlight=False)

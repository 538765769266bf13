"""Score outputs against references and write the results."""

import argparse
from pathlib import Path

from wardlens.evaluators.cli.progress import show_progress
from wardlens.evaluators.cli.summary import print_summary
from wardlens.evaluators.evaluate import evaluate
from wardlens.evaluators.judges.evaluator import STYLES
from wardlens.evaluators.metrics import METRICS
from wardlens.evaluators.options import DEFAULT_SHOTS, RunOptions
from wardlens.evaluators.rules import PRESETS
from wardlens.evaluators.tasks import SPLIT_MODES, TASKS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `wardlens run`."""
    add = parser.add_argument
    add(
        "inputs",
        nargs="+",
        metavar="INPUT",
        help="records of one system: .json, .jsonl, .csv or .parquet; NAME=FILE names the system",
    )
    add("--metrics", required=True, help=f"comma-separated: {', '.join(METRICS)}")
    add(
        "--evaluator",
        required=True,
        metavar="EV",
        help="overlap, overlap:THRESHOLD, replay:FILE, smollm2 (embedded, weak), or a checkpoint "
        "directory (Mistral, Mixtral, LLaMA)",
    )
    add("--out", required=True, type=path_argument, metavar="DIR", help="folder for the results")
    add(
        "--claims",
        type=path_argument,
        metavar="FILE",
        help="claims and sections, joined by example_id",
    )
    add("--rules", default="paper", help=f"one of {', '.join(PRESETS)} (default: paper)")
    add("--task", default="note", help=f"one of {', '.join(TASKS)} (default: note)")
    add("--split", help=f"how outputs become statements: {', '.join(SPLIT_MODES)}")
    add(
        "--tag-sections",
        action="store_true",
        help="divide outputs and references without section fields by their headings",
    )
    add("--style", default="label", help=f"how to ask: {', '.join(STYLES)} (default: label)")
    add("--shots", type=int, default=DEFAULT_SHOTS, help="worked examples, 0 or 2 (default: 2)")
    add(
        "--prompts",
        type=path_argument,
        metavar="DIR",
        help="a folder with your own prompt files",
    )
    add("--limit", type=int, metavar="N", help="only the first N examples of each input")
    add("--samples", action="store_true", help="write document texts into the results (PHI)")
    add("--ledger", type=path_argument, metavar="DIR", help="folder of the ledger, on a local disk")
    add(
        "--trace",
        type=path_argument,
        metavar="FILE",
        help="write the questions to FILE (PHI)",
    )
    add("--overwrite", action="store_true", help="replace results of another configuration")
    add("--allow-misaligned", action="store_true", help="accept claims of other examples")


def path_argument(text: str) -> Path:
    """A path; an empty one (an unset variable of the shell, say) would be the current folder."""
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)


def run(arguments: argparse.Namespace) -> int:
    """Do the run; returns the exit code."""
    values = {name: value for name, value in vars(arguments).items() if name != "run"}
    options = RunOptions(**values | {"inputs": tuple(arguments.inputs)})
    with show_progress() as watcher:
        result = evaluate(options, watcher)
    print_summary(result)
    return 0

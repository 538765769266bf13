"""The questions of a run, one JSON object a line, as `replay:FILE` reads them."""

import json
import os
from collections.abc import Iterable
from pathlib import Path

from wardlens.engine.durable import write_durably
from wardlens.engine.errors import UserError
from wardlens.evaluators.judges.replay_judge import question_text
from wardlens.evaluators.results.outcome import Outcome

_FIELDS = {"index", "input", "label"}


def check_trace_place(path: Path, taken: Iterable[Path], folders: Iterable[Path]) -> None:
    """Raise `UserError` unless a trace can be written to `path` without harm.

    It may not be one of the files `taken` nor lie in one of `folders`, and whatever is there
    already must be a trace.
    """
    place = path.resolve()
    if place in {other.resolve() for other in taken} or any(
        place.is_relative_to(folder.resolve()) for folder in folders
    ):
        raise UserError(
            f"--trace {path}: this is, or lies in, something that the run reads or writes. Name a "
            "file of its own."
        )
    if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
        raise UserError(f"--trace {path}: its folder is missing or can't be written to.")
    if place.exists() and not _is_trace(place):
        raise UserError(f"--trace {path}: there is something else. Name a new file.")


def write_trace(path: Path, outcome: Outcome) -> None:
    """Write the trace.

    Raises:
        UserError: it can't be written (the disk is full, say).
    """
    try:
        write_durably(path.resolve(), trace_lines(outcome))
    except OSError as error:
        raise UserError(
            f"--trace {path}: can't be written ({error.strerror}). The results are complete; give "
            "the same command with another place for the trace."
        ) from error


def trace_lines(outcome: Outcome) -> bytes:
    """`{"index", "input", "label"}` a question; `label` is null where it is unscored.

    Holds document text (protected health information).
    """
    asked = (q for examples in outcome.values() for e in examples for q in e.questions)
    rows = [
        {
            "index": index,
            "input": question_text(question.premise, question.hypothesis),
            "label": None if question.verdict.label is None else int(question.verdict.label),
        }
        for index, question in enumerate(asked)
    ]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _is_trace(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        first = file.readline()
    try:
        row = json.loads(first) if first else dict.fromkeys(_FIELDS)
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and set(row) == _FIELDS

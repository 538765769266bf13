"""A few invented notes to run over, and what to look at afterwards."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from wardlens.evaluators import RunResult

Run = Callable[..., RunResult]
"""Runs both metrics over the notes by the overlap rule, unless told otherwise."""

FILES = {"run.json", "metrics.json", "examples.parquet", "judgments.parquet", "report.html"}
NOTES: list[dict[str, Any]] = [
    {
        "example_id": f"patient-{name}",
        "input": f"[0][patient] my {name} hurts",
        "reference": f"The patient has {name} pain. No fever.",
        "output": f"The patient reports {name} pain since Friday.",
        "subclaims_reference": [f"The patient has {name} pain.", "There is no fever.", "Friday"],
        "subclaims_output": [f"Reports {name} pain.", "Since Friday."],
    }
    for name in ("knee", "chest", "back", "ear")
]
CLAIMS_A_NOTE = 5


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write `rows` as JSON."""
    path.write_text(json.dumps(rows))
    return path


def change_notes(tmp_path: Path, row: int, **fields: Any) -> None:
    """Write the notes again with other values in one row (from 0)."""
    rows = [{**note, **fields} if i == row else note for i, note in enumerate(NOTES)]
    write(tmp_path / "notes.json", rows)


def computed(out: Path) -> int:
    """How many questions the last invocation asked of the model."""
    record = json.loads((out / "run.json").read_text())
    return int(record["this_invocation"]["requests"]["computed"])


def without_invocation(files: dict[str, bytes]) -> dict[str, Any]:
    """Result files, less the part that tells of one invocation."""
    record = json.loads(files["run.json"])
    del record["this_invocation"]
    return {**files, "run.json": record}

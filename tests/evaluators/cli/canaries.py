"""Records in which every text and every id can be recognised, to see that none is ever shown."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Refused = Callable[..., str]
"""Runs `wardlens run` with these arguments, sees it refused, and returns the message."""

TEXT_CANARY = "Quellmalz"
ID_CANARY = "MRN-4711"

NOTES = [
    {
        "example_id": f"{ID_CANARY}-{name}",
        "input": f"[0][doctor] Hello {TEXT_CANARY}.",
        "reference": f"{TEXT_CANARY} has {name} pain.",
        "reference_subjective": f"{TEXT_CANARY} has {name} pain.",
        "output": f"{TEXT_CANARY} reports {name} pain.",
        "output_subjective": f"{TEXT_CANARY} reports {name} pain.",
        "subclaims_reference": [f"{TEXT_CANARY} has {name} pain."],
        "subclaims_output": [f"{TEXT_CANARY} reports {name} pain."],
    }
    for name in ("knee", "chest", "back")
]
CHOICES = ("--metrics", "claim_recall", "--evaluator", "overlap")


def write(path: Path, content: Any) -> Path:
    """Write `content` as JSON."""
    path.write_text(json.dumps(content))
    return path


def changed(row: int, **fields: object) -> list[dict[str, Any]]:
    """The notes with other values in one row (from 1)."""
    return [{**r, **fields} if i == row else r for i, r in enumerate(NOTES, start=1)]

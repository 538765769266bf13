"""Everything a user can say about a run."""

from dataclasses import dataclass
from pathlib import Path

DEFAULT_SHOTS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """Options of one run, as given; `evaluate` checks them.

    `inputs` are paths or `NAME=PATH`, `metrics` a comma-separated list. `ledger` defaults to the
    installation's own.
    """

    inputs: tuple[str, ...]
    metrics: str
    evaluator: str
    out: Path
    claims: Path | None = None
    rules: str = "paper"
    task: str = "note"
    split: str | None = None
    tag_sections: bool = False
    style: str = "label"
    shots: int = DEFAULT_SHOTS
    prompts: Path | None = None
    limit: int | None = None
    samples: bool = False
    ledger: Path | None = None
    trace: Path | None = None
    overwrite: bool = False
    allow_misaligned: bool = False

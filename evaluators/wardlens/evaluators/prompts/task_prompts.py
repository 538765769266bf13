"""All prompts of one task: for claims, for cited statements, and whether two questions are one.

A folder of the user's own replaces the claim prompts with the files in it, the others with those in
its subfolders `citation` and `same`, where it has them.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from wardlens.evaluators.prompts.claim_prompts import ClaimPrompts, load_prompts


@dataclass(frozen=True, slots=True)
class TaskPrompts:
    """The prompts of a task; `same` is None where the task doesn't ask it."""

    claim: ClaimPrompts
    citation: ClaimPrompts
    same: ClaimPrompts | None

    @property
    def digest(self) -> str:
        """SHA-256 over all of them in hexadecimal."""
        sets = [prompts.digest for prompts in (self.claim, self.citation, self.same) if prompts]
        return hashlib.sha256(" ".join(sets).encode()).hexdigest()


def load_task_prompts(task: str, folder: Path | None = None) -> TaskPrompts:
    """The prompts of `task`, with those in `folder` in place of ours.

    Raises:
        UserError: a file is missing or not of the right form.
    """
    ours = resources.files(__package__) / task
    own: Mapping[str, Path] = {}
    if folder is not None:
        subfolders = {name: folder / name for name in ("citation", "same")}
        own = {"claim": folder} | {n: path for n, path in subfolders.items() if path.is_dir()}
    asks_same = (ours / "same").is_dir()
    return TaskPrompts(
        claim=load_prompts(own.get("claim", ours / "claim")),
        citation=load_prompts(own.get("citation", ours / "citation")),
        same=load_prompts(own.get("same", ours / "same")) if asks_same else None,
    )

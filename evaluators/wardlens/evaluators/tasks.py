"""The three tasks of DocLens: what the texts are called, how outputs are split, what is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.example import WHOLE, Claims, Example

SplitMode = Literal["sent", "citation", "whole"]


@dataclass(frozen=True, slots=True)
class Task:
    """A task.

    `split` is how outputs are cut into statements unless the user says otherwise; a question is one
    statement whatever the user says. `claims_are_whole_texts`: where no claims are given, the
    reference and the output are themselves the only claim. `either_or`: an instruct judge counts a
    claim as entailed also where it says that both questions ask the same.
    """

    name: str
    split: SplitMode
    claims_are_whole_texts: bool = False
    either_or: bool = False

    def prepare(self, example: Example) -> Example:
        """`example` with the claims that this task takes for granted."""
        if not self.claims_are_whole_texts:
            return example
        return replace(
            example,
            reference_claims=example.reference_claims or _as_claim(example.reference),
            output_claims=example.output_claims or _as_claim(example.output),
        )


def _as_claim(text: SealedText | None) -> dict[str, Claims]:
    return {} if text is None else {WHOLE: (text,)}


TASKS = {
    task.name: task
    for task in (
        Task("note", split="sent"),
        Task("radiology", split="citation"),
        Task("question", split="whole", claims_are_whole_texts=True, either_or=True),
    )
}

SPLIT_MODES: Mapping[str, SplitMode] = {"sent": "sent", "citation": "citation"}
"""The modes that a user may choose."""


def choose_task(name: str) -> Task:
    """The task called `name`; `UserError` if there is none."""
    if name not in TASKS:
        raise UserError(f"unknown task {name!r}. Allowed: {', '.join(TASKS)}.")
    return TASKS[name]


def choose_split(name: str | None, task: Task) -> SplitMode:
    """The splitting mode: what the user says, else the task's own; `UserError` if unknown."""
    if name is not None and name not in SPLIT_MODES:
        raise UserError(f"--split: unknown mode {name!r}. Allowed: {', '.join(SPLIT_MODES)}.")
    return task.split if name is None or task.split == "whole" else SPLIT_MODES[name]

"""A judge that answers from a file of recorded replies: `replay:FILE`.

Each row of the file (JSONL) names its question and holds the raw reply:

- `input`: the question as text, `premise: ... hypothesis: ...`, as `--trace` writes it; or
  `index`: its place (from 0) in program order, before any de-duplication;
- `reply` (text) or `label` (number): `1` for entailed, `0` for not. Any other reply is unscored;
  where `label` is null, as in traces of what was unscored, there is no reply.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardlens.engine.errors import UserError
from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.replicas import Reply
from wardlens.engine.requests import Request
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.rows import Row, kind_of, read_rows
from wardlens.evaluators.judges.entailment_judge import cut_to_words
from wardlens.evaluators.judges.verdict import Verdict, without_verdict


@dataclass(frozen=True, slots=True)
class Recording:
    """Recorded replies by question text and by place, and the SHA-256 of their file."""

    by_input: dict[str, str]
    by_index: dict[int, str]
    digest: str


def question_text(premise: SealedText, hypothesis: SealedText) -> str:
    """A question as it stands in traces and recordings."""
    return f"premise: {premise.reveal()} hypothesis: {hypothesis.reveal()}"


def read_recording(path: Path) -> Recording:
    """Read recorded replies.

    Raises:
        UserError: the file can't be read, or a row names no question, or holds no reply.
    """
    if path.suffix != ".jsonl":
        raise UserError(f"replay: {path}: recorded replies are a .jsonl file, one object a line.")
    by_input: dict[str, str] = {}
    by_index: dict[int, str] = {}
    for number, row in enumerate(read_rows(path), start=1):
        reply = _reply(path, number, row)
        given, index = row.get("input"), row.get("index")
        if isinstance(given, str):
            # The same question was answered the same, or the first answer stands.
            if reply is not None:
                by_input.setdefault(given, reply)
        elif given is None and type(index) is int and index >= 0:
            if reply is not None:
                by_index[index] = reply
        else:
            raise UserError(
                f"{path}: row {number}: needs the question, as text in 'input' or as its place "
                "(0 or more) in 'index'."
            )
    return Recording(by_input, by_index, hashlib.sha256(path.read_bytes()).hexdigest())


class ReplayJudge:
    """Answers from a recording, in program order; what is not in it is unscored."""

    answers_in_order = True

    def __init__(self, recording: Recording, premise_words: int | None) -> None:
        self._recording = recording
        self._premise_words = premise_words
        self._asked = 0

    def seen(self, premise: SealedText) -> SealedText:
        """The first words of `premise`, or all of it."""
        return cut_to_words(premise, self._premise_words)

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        """One verdict a hypothesis."""
        return [self._answer(self.seen(premise), hypothesis) for hypothesis in hypotheses]

    def _answer(self, premise: SealedText, hypothesis: SealedText) -> Verdict:
        index = self._asked
        self._asked += 1
        reply = self._recording.by_index.get(index)
        if reply is None:
            reply = self._recording.by_input.get(question_text(premise, hypothesis))
        if reply is None:
            return without_verdict("there is no recorded reply")
        if reply.strip() not in {"0", "1"}:
            return without_verdict("the recorded reply is neither 0 nor 1")
        return Verdict(label=reply.strip() == "1", stable=True)


class NoReplica:
    """Stands where a model would; a recording needs none."""

    requests_in_flight = 1

    def __init__(self, recording: Recording) -> None:
        self.fingerprint = Fingerprint(
            model=f"recording {recording.digest}", engine="wardlens replay 1", kernel_path="none"
        )

    async def start(self) -> None:
        """Nothing to load."""

    async def answer(self, block: Sequence[Request]) -> list[Reply]:
        """Never asked."""
        raise NotImplementedError(f"a recording answers no requests ({len(block)} came)")

    async def close(self) -> None:
        """Nothing to free."""


def _reply(path: Path, number: int, row: Row) -> str | None:
    value: Any = row.get("reply", row.get("label"))
    if value is None and "label" in row and "reply" not in row:
        return None
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(int(value))
    raise UserError(
        f"{path}: row {number}: needs the raw reply in 'reply' (text) or 'label' (0 or 1), found "
        f"{kind_of(value) if value is not None else 'none'}."
    )

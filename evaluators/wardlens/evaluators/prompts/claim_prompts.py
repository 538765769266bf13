"""The prompt that asks whether a document supports a claim.

Instruction, worked examples, document, claim, in this order (structure of DocLens, appendix A.2).
A folder of prompts holds, for the style `label`:

- `label.instruction.txt`: what to do;
- `label.question.txt`: the form of one question, `{document}` once and after it `{claim}` once;
- `examples.json`: worked examples, a list of `{"document", "claim", "label"}`, with `"answer"`
  where the answer is more than the label.

For a cited statement the document is the numbered sentences, the claim is the statement.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import NamedTuple

from wardlens.engine.errors import UserError
from wardlens.engine.requests import Segment
from wardlens.engine.sealed import SealedText

SHOTS = (0, 2)
"""Allowed numbers of worked examples: none, or one of each class."""

_DOCUMENT, _CLAIM = "{document}", "{claim}"
_FILES = ("label.instruction.txt", "label.question.txt", "examples.json")


class WorkedExample(NamedTuple):
    """A question with its label (`0` or `1`) and its answer, which begins with what is asked."""

    document: str
    claim: str
    label: str
    answer: str


class Question(NamedTuple):
    """The three fixed texts of a question form: before the document, between, after the claim."""

    before: str
    between: str
    after: str

    def fill(self, document: str, claim: str) -> str:
        """The question as plain text."""
        return f"{self.before}{document}{self.between}{claim}{self.after}"


@dataclass(frozen=True, slots=True)
class ClaimPrompts:
    """A set of prompts; `digest` is SHA-256 over its files in hexadecimal."""

    instruction: str
    question: Question
    examples: tuple[WorkedExample, ...]
    digest: str

    def ask(self, document: SealedText, claim: SealedText, shots: int) -> tuple[Segment, ...]:
        """The prompt for one claim, stable pieces first."""
        opening = SealedText(self._opening(shots))
        return (
            Segment("template", opening),
            Segment("document", document),
            Segment("template", SealedText(self.question.between)),
            Segment("claim", claim),
            Segment("template", SealedText(self.question.after)),
        )

    def _opening(self, shots: int) -> str:
        parts = [self.instruction]
        for number, example in enumerate(self._worked_examples(shots), start=1):
            question = self.question.fill(example.document, example.claim)
            parts.append(f"Example {number}\n\n{question} {example.answer}")
        if shots:
            parts.append("Now the real one")
        return "\n\n".join(parts) + "\n\n" + self.question.before

    def _worked_examples(self, shots: int) -> list[WorkedExample]:
        if shots == 0:
            return []
        return [next(e for e in self.examples if e.label == label) for label in ("1", "0")]


def load_prompts(place: Traversable) -> ClaimPrompts:
    """Load the prompts in the folder `place`.

    Raises:
        UserError: a file is missing or not of the form above.
    """
    if not place.is_dir():
        raise UserError(f"--prompts: {place} is no folder. It must hold {', '.join(_FILES)}.")
    texts = {name: _read(place, name) for name in _FILES}
    return ClaimPrompts(
        instruction=texts["label.instruction.txt"],
        question=_question(place, texts["label.question.txt"]),
        examples=_examples(place, texts["examples.json"]),
        digest=hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest(),
    )


def _read(place: Traversable, name: str) -> str:
    try:
        return (place / name).read_bytes().decode("utf-8-sig").strip()
    except FileNotFoundError as error:
        raise UserError(
            f"--prompts: {place} has no {name}. It must hold {', '.join(_FILES)}."
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"--prompts: {place / name} can't be read as UTF-8 text.") from error


def _question(place: Traversable, text: str) -> Question:
    if (
        text.count(_DOCUMENT) != 1
        or text.count(_CLAIM) != 1
        or text.index(_DOCUMENT) > text.index(_CLAIM)
    ):
        raise UserError(
            f"--prompts: {place / 'label.question.txt'} must have {_DOCUMENT} once and, after it, "
            f"{_CLAIM} once (prompts share the document's tokens, so it comes first)."
        )
    before, rest = text.split(_DOCUMENT)
    between, after = rest.split(_CLAIM)
    return Question(before, between, after)


def _examples(place: Traversable, text: str) -> tuple[WorkedExample, ...]:
    path = place / "examples.json"
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UserError(f"--prompts: {path} is not JSON: {error}.") from error
    if not isinstance(rows, list):
        raise UserError(f"--prompts: {path} must be a list of worked examples.")
    examples = tuple(_example(path, number, row) for number, row in enumerate(rows, start=1))
    if {example.label for example in examples} != {"0", "1"}:
        raise UserError(f"--prompts: {path} needs an example with label 1 and one with label 0.")
    return examples


def _example(path: Traversable, number: int, row: object) -> WorkedExample:
    if not isinstance(row, Mapping):
        raise UserError(f"--prompts: {path}: example {number} must be an object.")
    for field in ("document", "claim"):
        if not isinstance(row.get(field), str):
            raise UserError(f"--prompts: {path}: example {number}, field {field!r}: needs text.")
    if row.get("label") not in (0, 1):
        raise UserError(f"--prompts: {path}: example {number}, field 'label': must be 0 or 1.")
    label = str(int(row["label"]))
    answer = row.get("answer", label)
    if not isinstance(answer, str):
        raise UserError(f"--prompts: {path}: example {number}, field 'answer': needs text.")
    return WorkedExample(row["document"], row["claim"], label, answer)

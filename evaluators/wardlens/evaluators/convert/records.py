"""What every layout is converted to: an id, a numbered input and a reference."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.fields import Place
from wardlens.evaluators.text.sentences import split_punkt

ENDINGS = (".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Record:
    """One example, and the row that it comes from."""

    place: Place
    example_id: SealedText
    input: SealedText
    reference: SealedText


@dataclass(frozen=True, slots=True)
class Conversion:
    """The records of some files in order, and the rows that had a text missing."""

    records: tuple[Record, ...]
    left_out: tuple[Place, ...] = ()


def number_sentences(text: str) -> str:
    """`[0] first sentence [1] second sentence`, as the DocLens release numbers its inputs.

    Sentences are those of NLTK's punkt model, whose numbers citations in that release refer to:
    of its 100 questions 99 come out the same. (The hundredth ends in `!! !`; see `split_punkt`.)
    """
    sentences = split_punkt(text)
    return " ".join(f"[{number}] {sentence}" for number, sentence in enumerate(sentences))


def refuse_repeated_ids(records: Iterable[Record]) -> None:
    """Raise `UserError` if two records have one id."""
    first_places: dict[SealedText, Place] = {}
    for record in records:
        first = first_places.setdefault(record.example_id, record.place)
        if first != record.place:
            raise UserError(
                f"{record.place.path}: row {record.place.row}: the same id as in row {first.row} "
                f"of {first.path}. Ids must differ: correct them, or convert the files one by one."
            )


def encode_records(records: Iterable[Record], path: Path) -> bytes:
    """The records as the ending of `path` says: a JSON list, or one object a line.

    Raises:
        UserError: the ending is another one.
    """
    rows = [
        {
            "example_id": record.example_id.reveal(),
            "input": record.input.reveal(),
            "reference": record.reference.reveal(),
        }
        for record in records
    ]
    if path.suffix.lower() == ".json":
        return json.dumps(rows, indent=1).encode() + b"\n"
    if path.suffix.lower() == ".jsonl":
        return "".join(json.dumps(row) + "\n" for row in rows).encode()
    raise UserError(
        f"--out {path}: the ending {path.suffix or '(none)'!r} names no format that is written "
        f"here. Allowed: {', '.join(ENDINGS)}."
    )

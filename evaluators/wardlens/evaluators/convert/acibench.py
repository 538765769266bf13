"""ACI-Bench (Yim et al. 2023): dialogues of a visit, and the note that a clinician wrote.

As in the public repository: CSV files with the columns `dataset`, `encounter_id` (`id` in the
speech recognition experiments), `dialogue`, `note`; JSON files `{"data": [{"src", "tgt",
"file"}]}`. JSON files of one section of the note are refused: their `tgt` is no whole note.
"""

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.convert.records import Conversion, Record, refuse_repeated_ids
from wardlens.evaluators.convert.tables import Columns, TableRow, check_table
from wardlens.evaluators.examples.example import SECTIONS
from wardlens.evaluators.examples.rows import Row, kind_of, read_rows

_CSV = Columns(texts=("dialogue", "note"), ids=("encounter_id", "id"), unused=("dataset",))
_JSON = Columns(texts=("src", "tgt"), ids=("file",))
# Speakers begin lines; the speech recognition experiments have whole dialogues on one line.
_TURN = re.compile(r"^\[[a-z_]+\]|(?<=\s)\[(?:doctor|patient)(?:_guest)?\]", re.MULTILINE)
_ENCOUNTER = re.compile(r"(D2N\d+)-[a-z]+")


def read_acibench(paths: Sequence[Path]) -> Conversion:
    """One record an encounter: its dialogue as lines `[0][doctor] ...`, its note as reference.

    A line without a speaker goes on with the turn before it, as in the inputs of DocLens.

    Raises:
        UserError: a file can't be read, is of another layout, or ids repeat.
    """
    records = [record for path in paths for record in _read_file(path)]
    refuse_repeated_ids(records)
    return Conversion(tuple(records))


def _read_file(path: Path) -> list[Record]:
    if path.suffix.lower() == ".json":
        rows = check_table(path, _json_rows(path), _JSON)
        return [_record(row, _encounter(row), "src", "tgt") for row in rows]
    if path.suffix.lower() == ".csv":
        rows = check_table(path, read_rows(path), _CSV)
        return [_record(row, row.example_id(), "dialogue", "note") for row in rows]
    raise UserError(f"{path}: ACI-Bench is read from .csv and .json files.")


def _record(row: TableRow, example_id: SealedText, dialogue: str, note: str) -> Record:
    numbered = _number_turns(row.needed_text(dialogue))
    if numbered is None:
        raise row.place.error(dialogue, "no speaker in it, as in '[doctor] ...'.")
    return Record(row.place, example_id, SealedText(numbered), SealedText(row.needed_text(note)))


def _number_turns(dialogue: str) -> str | None:
    dialogue = dialogue.strip()
    starts = [turn.start() for turn in _TURN.finditer(dialogue)]
    if not starts:
        return None
    # One published dialogue begins with a turn that lacks its speaker.
    offsets = [*dict.fromkeys([0, *starts]), len(dialogue)]
    turns = (dialogue[start:end].rstrip() for start, end in pairwise(offsets))
    return "\n".join(f"[{number}]{turn}" for number, turn in enumerate(turns))


def _encounter(row: TableRow) -> SealedText:
    """The id that the CSV files have, which `file` continues: `D2N088-virtassist`."""
    file = row.example_id().reveal()
    for section in SECTIONS:
        if file.endswith(f"-{section}"):
            raise row.place.error(
                "file",
                f"it holds the section {section} only. Convert the file of whole notes, which has "
                "the same name without the section.",
            )
    encounter = _ENCOUNTER.fullmatch(file)
    return SealedText(encounter[1] if encounter else file)


def _json_rows(path: Path) -> list[Row]:
    try:
        content = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UserError(f"{path}: can't be read ({error.strerror}).") from error
    except (ValueError, RecursionError):
        # Its message may show what stands there.
        raise UserError(f"{path}: not JSON in UTF-8.") from None
    rows = content.get("data") if isinstance(content, dict) else None
    if not isinstance(rows, list) or not rows:
        raise UserError(f'{path}: expected an object {{"data": [...]}} with at least one row.')
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise UserError(
                f"{path}: row {number}: expected an object with src, tgt and file, found "
                f"{kind_of(row)}."
            )
    return rows

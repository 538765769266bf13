"""MeQSum (Ben Abacha and Demner-Fushman 2019): consumer health questions and their summaries.

The public release is one spreadsheet with the columns `File`, `CHQ` and `Summary`; a CSV file of
it is read too.
"""

from collections.abc import Sequence
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.convert.records import (
    Conversion,
    Record,
    number_sentences,
    refuse_repeated_ids,
)
from wardlens.evaluators.convert.spreadsheets import read_spreadsheet
from wardlens.evaluators.convert.tables import Columns, check_table
from wardlens.evaluators.examples.rows import read_rows

_COLUMNS = Columns(texts=("CHQ", "Summary"), ids=("File",))
_READERS = {".csv": read_rows, ".xlsx": read_spreadsheet}


def read_meqsum(paths: Sequence[Path]) -> Conversion:
    """One record a question: `File` as id, the numbered sentences of `CHQ`, and its summary.

    Raises:
        UserError: a file can't be read, is of another layout, or ids repeat.
    """
    records = [record for path in paths for record in _read_file(path)]
    refuse_repeated_ids(records)
    return Conversion(tuple(records))


def _read_file(path: Path) -> list[Record]:
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise UserError(f"{path}: MeQSum is read from .csv and .xlsx files.")
    return [
        Record(
            row.place,
            row.example_id(),
            SealedText(number_sentences(row.needed_text("CHQ"))),
            SealedText(row.needed_text("Summary")),
        )
        for row in check_table(path, reader(path), _COLUMNS)
    ]

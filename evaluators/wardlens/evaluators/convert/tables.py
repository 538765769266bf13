"""Tables of a known layout: which columns there are is checked, and what stands in them."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.fields import Place
from wardlens.evaluators.examples.rows import Row, kind_of


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a layout: texts and one of `ids` are needed, `unused` ones are known."""

    texts: tuple[str, ...]
    ids: tuple[str, ...]
    unused: tuple[str, ...] = ()
    ids_may_be_missing: bool = False


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row whose columns are those of its layout."""

    place: Place
    columns: Columns
    values: Row = field(repr=False)

    def text(self, name: str) -> str:
        """The text in column `name`; empty where there is nothing.

        Raises:
            UserError: it is no text.
        """
        value = self.values[name]
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.place.error(name, f"expected text, found {kind_of(value)}.")
        return value

    def needed_text(self, name: str) -> str:
        """The text in column `name`.

        Raises:
            UserError: it is no text, or blank.
        """
        text = self.text(name)
        if not text.strip():
            raise self.place.error(name, "there is no text. Complete the row, or take it out.")
        return text

    def example_id(self) -> SealedText:
        """The id; the number of the row where the layout has no id.

        Raises:
            UserError: the id is no text or number, blank, or not valid Unicode.
        """
        name = next((name for name in self.columns.ids if name in self.values), None)
        if name is None:
            return SealedText(str(self.place.row))
        value = self.values[name]
        if isinstance(value, int) and not isinstance(value, bool):
            value = str(value)
        if not isinstance(value, str):
            raise self.place.error(name, f"expected text or a number, found {kind_of(value)}.")
        example_id = SealedText(value)
        if example_id.is_blank or not example_id.is_valid_unicode:
            raise self.place.error(name, "blank, or no valid Unicode. Each row needs an id.")
        return example_id


def check_table(path: Path, rows: Iterable[Row], columns: Columns) -> list[TableRow]:
    """The rows of a table, each with the columns of its layout and no others.

    Raises:
        UserError: a column is missing or unknown; the message names the row and the column.
    """
    checked = []
    for number, row in enumerate(rows, start=1):
        _check_columns(path, number, row, columns)
        checked.append(TableRow(Place(path, number), columns, row))
    return checked


def _check_columns(path: Path, number: int, row: Row, columns: Columns) -> None:
    known = ", ".join((*columns.texts, *columns.unused))
    allowed = f"This layout has {known}, and one of {', '.join(columns.ids)}."
    missing = [name for name in columns.texts if name not in row]
    if not columns.ids_may_be_missing and not any(name in row for name in columns.ids):
        missing.append(" or ".join(columns.ids))
    if missing:
        # What stands there instead is not shown: without a header it is text of a document.
        raise UserError(
            f"{path}: row {number}: no column {', '.join(missing)}. {allowed} Column names "
            "must be as in the release."
        )
    unknown = [name for name in row if name not in {*columns.texts, *columns.ids, *columns.unused}]
    if unknown:
        raise UserError(
            f"{path}: row {number}: unknown column {', '.join(map(repr, unknown))}. {allowed} "
            "Take other columns out."
        )

"""Reading the user's files into rows of plain values: JSON, JSONL, CSV and Parquet.

The ending of the name chooses the format. Every error names the file and, where there is one, the
row (from 1) or the line, and never shows what stands there.
"""

import csv
import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wardlens.engine.errors import UserError

Row = dict[str, Any]

FORMATS = (".json", ".jsonl", ".csv", ".parquet")


def read_rows(path: Path) -> list[Row]:
    """All rows of the file at `path`.

    Raises:
        UserError: the file is missing, empty, not readable as its ending says, or not a table of
            objects.
    """
    readers = {".json": _json, ".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise UserError(
            f"{path}: the ending {path.suffix or '(none)'!r} names no format that is read here. "
            f"Allowed: {', '.join(FORMATS)}."
        )
    try:
        rows = reader(path)
    except FileNotFoundError as error:
        raise UserError(f"{path}: there is no such file. Check the name.") from error
    except IsADirectoryError as error:
        raise UserError(f"{path}: this is a folder. Name a file.") from error
    except OSError as error:
        raise UserError(f"{path}: can't be read ({error.strerror or type(error).__name__}).") from (
            error
        )
    if not rows:
        raise UserError(f"{path}: there are no rows in it. At least one example is needed.")
    return rows


def _json(path: Path) -> list[Row]:
    content = _parse(_text(path), f"{path}")
    if not isinstance(content, list):
        raise UserError(
            f"{path}: expected a JSON list of objects, found {kind_of(content)}. "
            "For one object a line, name the file .jsonl."
        )
    return _objects(path, enumerate(content, start=1), "row")


def _jsonl(path: Path) -> list[Row]:
    # Not splitlines(): texts may hold other line separators, which JSON leaves as they are.
    lines = [line for line in enumerate(_text(path).split("\n"), start=1) if line[1].strip()]
    parsed = ((number, _parse(line, f"{path}: line {number}")) for number, line in lines)
    return _objects(path, parsed, "line")


def _csv(path: Path) -> list[Row]:
    limit = csv.field_size_limit(sys.maxsize)
    try:
        table = csv.DictReader(io.StringIO(_text(path), newline=""), strict=True)
        rows = list(table)
    except csv.Error as error:
        # That of the table itself stands still at the last row that was read.
        line = table.reader.line_num
        raise UserError(f"{path}: line {line}: not CSV ({error}).") from error
    finally:
        csv.field_size_limit(limit)
    header = list(table.fieldnames or ())
    if len(set(header)) < len(header):
        raise UserError(f"{path}: two columns have the same name.")
    if len(header) == 1 and ";" in header[0]:
        raise UserError(f"{path}: fields must be separated by commas, not by semicolons.")
    for number, row in enumerate(rows, start=1):
        if None in row or None in row.values():
            raise UserError(
                f"{path}: row {number}: not as many fields as the header has "
                f"({len(header)}). Quote fields that hold commas or line ends."
            )
    return [
        {name: _from_cell(name, cell) for name, cell in row.items() if _is_given(name, cell)}
        for row in rows
    ]


def _parquet(path: Path) -> list[Row]:
    import pyarrow as pa  # noqa: PLC0415 - only for this format
    import pyarrow.parquet as pq  # noqa: PLC0415

    # Not by its name, under which a folder would be a data set of many files.
    content = pa.BufferReader(path.read_bytes())
    try:
        table = pq.read_table(content)
    except (pa.ArrowException, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not a Parquet file, or a damaged one.") from error
    if len(set(table.column_names)) < table.num_columns:
        raise UserError(f"{path}: two columns have the same name.")
    columns = {name: _column(table.column(name)) for name in table.column_names}
    # A column has a value in every row; one that is null in a row was not given there.
    return [
        {name: column[at] for name, column in columns.items() if column[at] is not None}
        for at in range(table.num_rows)
    ]


class _Unreadable:
    """Stands for a value of a column whose type Python can't hold; only who needs it complains."""


def _column(column: Any) -> list[Any]:
    import pyarrow as pa  # noqa: PLC0415

    try:
        values: list[Any] = column.to_pylist()
    except (pa.ArrowException, ValueError, OverflowError):
        return [_Unreadable()] * len(column)
    return values


def kind_of(value: object) -> str:
    """What a value is, in words for an error message."""
    names = {str: "text", bool: "true or false", int: "a number", float: "a number"}
    names |= {list: "a list", dict: "an object", type(None): "null"}
    return names.get(type(value), type(value).__name__.strip("_"))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 at byte {error.start}. Save it as UTF-8.") from error


def _parse(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = "" if where.rpartition(": ")[2].startswith("line ") else f"line {error.lineno}, "
        raise UserError(f"{where}: not JSON ({error.msg}, {line}column {error.colno}).") from None
    except (ValueError, RecursionError) as error:
        raise UserError(
            f"{where}: JSON that can't be read here (nested too deeply, or a number of too many "
            "digits)."
        ) from error


def _objects(path: Path, values: Iterable[tuple[int, Any]], unit: str) -> list[Row]:
    rows: list[Row] = []
    for number, value in values:
        if not isinstance(value, dict):
            raise UserError(
                f"{path}: {unit} {number}: expected an object with fields, found {kind_of(value)}."
            )
        rows.append(value)
    return rows


def _is_given(name: str, cell: str) -> bool:
    """An empty cell is an empty text, but no list of claims: an empty list is `[]`."""
    return bool(cell.strip()) or not name.startswith("subclaims_")


def _from_cell(name: str, cell: str) -> Any:
    """CSV has text only: claims lists are JSON lists in a cell."""
    if not name.startswith("subclaims_"):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        return cell

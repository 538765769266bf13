"""Reading Excel files, where openpyxl is installed."""

import importlib
import zipfile
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.evaluators.examples.rows import Row


def read_spreadsheet(path: Path) -> list[Row]:
    """The rows of the first sheet, by the names in its first row; cells without a name are left.

    Raises:
        UserError: openpyxl is missing, or the file can't be read.
    """
    try:
        # By name, because it ships no types.
        openpyxl = importlib.import_module("openpyxl")
    except ImportError as error:
        raise UserError(
            f"{path}: reading .xlsx files needs openpyxl. Install it with: "
            "pip install 'wardlens[excel]'. Or save the sheet as CSV (UTF-8) and convert that."
        ) from error
    try:
        workbook = openpyxl.load_workbook(path, read_only=True, data_only=True)
        header, *rows = workbook.worksheets[0].iter_rows(values_only=True)
    except OSError as error:
        raise UserError(f"{path}: can't be read ({error.strerror}).") from error
    except (zipfile.BadZipFile, KeyError, ValueError, IndexError) as error:
        raise UserError(f"{path}: not an .xlsx file with a table on its first sheet.") from error
    names = {position: name for position, name in enumerate(header) if name is not None}
    filled = (row for row in rows if any(cell is not None for cell in row))
    return [{name: row[position] for position, name in names.items()} for row in filled]

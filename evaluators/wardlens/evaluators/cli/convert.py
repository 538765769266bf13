"""Turn local copies of public data sets into records."""

import argparse
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from wardlens.engine.durable import create_private_folder, write_durably
from wardlens.engine.errors import UserError
from wardlens.evaluators.convert import LAYOUTS, encode_records
from wardlens.evaluators.examples.fields import Place


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `wardlens convert`."""
    add = parser.add_argument
    add("layout", metavar="LAYOUT", help=f"one of {', '.join(LAYOUTS)}")
    add(
        "inputs",
        nargs="+",
        type=Path,
        metavar="INPUT",
        help="files of the release: acibench .csv or .json; meqsum .xlsx or .csv; mimic-radiology "
        ".json, .jsonl, .csv, or findings.tok with impression.tok",
    )
    add("--out", required=True, type=Path, metavar="FILE", help="the records: .json or .jsonl")
    add("--overwrite", action="store_true", help="replace FILE if there is one")


def run(arguments: argparse.Namespace) -> int:
    """Do the conversion; returns the exit code."""
    out: Path = arguments.out
    read = LAYOUTS.get(arguments.layout)
    if read is None:
        raise UserError(f"there is no layout {arguments.layout!r}. Layouts: {', '.join(LAYOUTS)}.")
    _refuse_place(out, arguments.inputs, overwrite=arguments.overwrite)
    conversion = read(arguments.inputs)
    content = encode_records(conversion.records, out)
    create_private_folder(out.parent)
    write_durably(out, content, replace=arguments.overwrite)
    sys.stdout.write(f"{len(conversion.records)} records in {out}\n")
    if conversion.left_out:
        sys.stdout.write(f"Left out for lack of a text: {_named(conversion.left_out)}\n")
    return 0


def _refuse_place(out: Path, inputs: Sequence[Path], *, overwrite: bool) -> None:
    if out.is_dir():
        raise UserError(f"--out {out}: this is a folder. Name a file.")
    if out.resolve() in {path.resolve() for path in inputs}:
        raise UserError(f"--out {out}: this is one of the inputs. Name another file.")
    if out.exists() and not overwrite:
        raise UserError(f"--out {out}: there is such a file. Name another, or give --overwrite.")


def _named(places: Sequence[Place]) -> str:
    files = []
    for path, group in groupby(places, key=lambda place: place.path):
        rows = [place.row for place in group]
        more = f" and {len(rows) - 5} more" if rows[5:] else ""
        files.append(f"{path} rows {', '.join(map(str, rows[:5]))}{more}")
    return "; ".join(files)

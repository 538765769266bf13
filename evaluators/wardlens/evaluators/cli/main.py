"""Assembles the command line from entry points and turns failures into exit codes.

Each entry point of the group `wardlens.commands` is a module with `add_arguments(parser)`,
`run(arguments) -> int` and a one-line docstring. Exit codes: 0 done, 1 an engine failed or a
mistake of ours, 2 something the user gave can't be used, 130 interrupted.
"""

import argparse
import sys
import traceback
from collections.abc import Sequence
from importlib import metadata

from wardlens.engine.errors import WardlensError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    try:
        parsed = _parser().parse_args(arguments)
        return int(parsed.run(parsed))
    except WardlensError as error:
        _say(f"wardlens: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        _say("wardlens: interrupted. What was answered is kept: the same command continues.")
        return 130
    except OSError as error:
        if error.filename is None:
            _report_defect(error)
            return 1
        # A name that is too long, a folder that may not be read.
        _say(f"wardlens: {error.filename}: {error.strerror}.")
        return 2
    except Exception as error:  # noqa: BLE001 - the last line of defence
        _report_defect(error)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="wardlens", description="Evaluate machine-written medical text with local models."
    )
    parser.add_argument(
        "--version", action="version", version=f"wardlens {metadata.version('wardlens')}"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for entry_point in sorted(metadata.entry_points(group="wardlens.commands"), key=str):
        command = entry_point.load()
        help_line = (command.__doc__ or "").strip().splitlines()[0]
        subparser = commands.add_parser(entry_point.name, help=help_line, description=help_line)
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run)
    return parser


def _report_defect(error: BaseException) -> None:
    """Say where an unforeseen error came from, without messages: they might hold document text."""
    _say(f"wardlens: a defect in Wardlens, please report it ({_kinds(error)}).")
    for line in traceback.format_tb(_innermost(error).__traceback__):
        _say(line.splitlines()[0].strip())


def _innermost(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _kinds(error: BaseException) -> str:
    return type(_innermost(error)).__name__


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")

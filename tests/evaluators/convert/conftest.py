"""`wardlens convert` on small invented files."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wardlens.engine.errors import UserError
from wardlens.evaluators.cli import convert

CANARY = "zebrafish"
"""A word of the documents, which no message may show."""

Converter = Callable[..., list[dict[str, str]]]
"""Converts files of a layout (and options) to records."""

Refusal = Callable[..., str]
"""The message with which files of a layout (and options) are refused."""


def convert_to(out: Path, *arguments: object) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser()
    convert.add_arguments(parser)
    given = [str(argument) for argument in arguments]
    return convert.run(parser.parse_args([*given, "--out", str(out)]))


@pytest.fixture
def converted(tmp_path: Path) -> Converter:
    """Converts and reads what was written."""

    def run(*arguments: object) -> list[dict[str, str]]:
        assert convert_to(tmp_path / "records.json", *arguments) == 0
        records: list[dict[str, str]] = json.loads((tmp_path / "records.json").read_text())
        return records

    return run


@pytest.fixture
def refusal(tmp_path: Path) -> Refusal:
    """Converts what is refused: nothing may be written, nor a document shown."""

    def run(*arguments: object) -> str:
        with pytest.raises(UserError) as refused:
            convert_to(tmp_path / "records.json", *arguments)
        assert not (tmp_path / "records.json").exists()
        assert CANARY not in str(refused.value)
        return str(refused.value)

    return run


@pytest.fixture
def write_json(tmp_path: Path) -> Callable[[str, Any], Path]:
    """Writes a JSON file."""

    def write(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.write_text(json.dumps(content))
        return path

    return write


@pytest.fixture
def write_text(tmp_path: Path) -> Callable[[str, str], Path]:
    """Writes a text file, line ends as they are."""

    def write(name: str, content: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, newline="")
        return path

    return write

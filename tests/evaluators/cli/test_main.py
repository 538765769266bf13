"""The command line as a whole: its commands, and how failures end."""

import re
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from wardlens.engine.errors import EngineError

if TYPE_CHECKING:
    from tests.evaluators.conftest import CommandLine, Finished

CANARY = "Quellmalz"


@pytest.fixture
def failing(
    command_line: "CommandLine", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> "CommandLine":
    """A run that fails in its middle with a given exception."""

    def run(error: BaseException) -> "Finished":
        def evaluate(*_: object) -> NoReturn:
            raise error

        monkeypatch.setattr("wardlens.evaluators.cli.run.evaluate", evaluate)
        arguments = ("n.json", "--metrics", "claim_recall", "--evaluator", "overlap")
        return command_line("run", *arguments, "--out", tmp_path / "out")

    return run


def test_help_lists_the_commands(command_line: "CommandLine") -> None:
    finished = command_line("--help")

    assert finished.exit_code == 0
    for entry_point in metadata.entry_points(group="wardlens.commands"):
        assert re.search(rf"^ +{entry_point.name} ", finished.stdout, re.MULTILINE)
    assert "Score outputs against references" in finished.stdout


OPTIONS = (
    "metrics evaluator out claims rules style shots prompts limit samples ledger overwrite "
    "allow-misaligned"
)


@pytest.mark.parametrize("option", OPTIONS.split())
def test_help_of_run_lists_its_options(option: str, command_line: "CommandLine") -> None:
    assert f"\n  --{option}" in command_line("run", "--help").stdout


def test_version_is_that_of_the_package(command_line: "CommandLine") -> None:
    assert command_line("--version").stdout == f"wardlens {metadata.version('wardlens')}\n"


@pytest.mark.parametrize("arguments", [(), ("walk",), ("run",), ("run", "n.json", "--out", "o")])
def test_an_incomplete_command_line_is_refused_with_its_usage(
    arguments: tuple[str, ...], command_line: "CommandLine"
) -> None:
    finished = command_line(*arguments)

    assert finished.exit_code == 2
    assert finished.stderr.startswith("usage: wardlens")


def test_an_engine_that_fails_ends_with_one(failing: "CommandLine") -> None:
    finished = failing(EngineError("the engine died"))

    assert (finished.exit_code, finished.stderr) == (1, "wardlens: the engine died\n")


def test_an_interruption_ends_with_a_hundred_and_thirty(failing: "CommandLine") -> None:
    finished = failing(KeyboardInterrupt())

    assert finished.exit_code == 130
    assert "the same command continues" in finished.stderr


def test_a_file_that_can_not_be_used_is_named(failing: "CommandLine") -> None:
    finished = failing(OSError(36, "File name too long", "notes.json"))

    assert finished.exit_code == 2
    assert finished.stderr == "wardlens: notes.json: File name too long.\n"


@pytest.mark.parametrize(
    "error",
    [
        ValueError(CANARY),
        KeyError(CANARY),
        OSError(CANARY),
        ExceptionGroup(CANARY, [ExceptionGroup(CANARY, [ValueError(CANARY)])]),
    ],
)
def test_a_defect_of_ours_is_told_by_kind_and_place_without_its_message(
    error: Exception, failing: "CommandLine"
) -> None:
    finished = failing(error)

    assert finished.exit_code == 1
    assert "a defect in Wardlens, please report it" in finished.stderr
    assert CANARY not in finished.stderr + finished.stdout


def test_a_defect_shows_the_files_and_lines_it_came_through(failing: "CommandLine") -> None:
    finished = failing(ValueError(CANARY))

    assert "(ValueError)" in finished.stderr
    assert f'File "{__file__}", line ' in finished.stderr

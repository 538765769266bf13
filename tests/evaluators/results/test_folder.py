"""The folder that a run writes to: private, claimed by one configuration, each file whole."""

import dataclasses
import json
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from wardlens.engine.durable import TEMPORARY_FILES
from wardlens.engine.errors import UserError
from wardlens.evaluators.results import Configuration, RunFolder

if TYPE_CHECKING:
    from tests.evaluators.conftest import Snapshot

CONFIGURATION = Configuration(
    inputs={"s": "/data/s.json"},
    claims=None,
    metrics=("claim_recall",),
    evaluator="overlap",
    model="overlap 0.6",
    evaluator_settings={},
    style="overlap",
    rules="paper",
    task="note",
    split="sent",
    tag_sections=False,
    limit=None,
    samples=False,
    allow_misaligned=False,
)
OTHER = dataclasses.replace(CONFIGURATION, rules="released", limit=3)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results" / "out"


@pytest.mark.usefixtures("open_mask")
def test_the_folder_and_its_files_are_private(out: Path) -> None:
    folder = RunFolder(out)
    folder.begin(CONFIGURATION)
    folder.write("report.html", b"page")

    assert mode(out) == 0o700
    assert {mode(path) for path in out.iterdir()} == {0o600}


def test_while_results_are_replaced_the_record_says_so(out: Path) -> None:
    RunFolder(out).begin(CONFIGURATION)

    record = json.loads((out / "run.json").read_text())
    assert record["state"] == "writing"
    assert record["configuration"] == CONFIGURATION.as_json()


@pytest.mark.parametrize("made", [False, True])
def test_a_new_or_an_empty_folder_is_accepted(made: bool, out: Path) -> None:  # noqa: FBT001
    if made:
        out.mkdir(parents=True)

    RunFolder(out).refuse_other_run(CONFIGURATION)


def test_a_folder_of_the_same_configuration_is_accepted(out: Path) -> None:
    RunFolder(out).begin(CONFIGURATION)

    RunFolder(out).refuse_other_run(CONFIGURATION)


def test_a_folder_of_another_configuration_is_refused_with_what_differs(out: Path) -> None:
    RunFolder(out).begin(CONFIGURATION)

    with pytest.raises(UserError, match=r"different: limit, rules\).*--overwrite"):
        RunFolder(out).refuse_other_run(OTHER)


def test_a_folder_with_other_files_is_refused(out: Path) -> None:
    out.mkdir(parents=True)
    (out / "thesis.doc").touch()

    with pytest.raises(UserError, match=r"is not empty and holds no Wardlens run.*--overwrite"):
        RunFolder(out).refuse_other_run(CONFIGURATION)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").touch()

    with pytest.raises(UserError, match=r"this is a file\. Name a folder"):
        RunFolder(tmp_path / "out").refuse_other_run(CONFIGURATION)


def test_a_folder_below_a_file_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(UserError, match="can't be made"):
        RunFolder(tmp_path / "file" / "out").begin(CONFIGURATION)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"{}", b'{"configuration": null}', b"\xff", b"[" * 100_000]
)
def test_a_damaged_record_is_refused(content: bytes, out: Path) -> None:
    out.mkdir(parents=True)
    (out / "run.json").write_bytes(content)

    with pytest.raises(UserError, match=r"run\.json there is damaged"):
        RunFolder(out).refuse_other_run(CONFIGURATION)


def test_refusing_changes_nothing(out: Path, snapshot: "Snapshot") -> None:
    RunFolder(out).begin(CONFIGURATION)
    before = snapshot(out)

    with pytest.raises(UserError):
        RunFolder(out).refuse_other_run(OTHER)

    assert snapshot(out) == before


def test_what_a_refused_run_left_does_not_stand_in_the_way_and_goes_with_the_next_run(
    out: Path,
) -> None:
    folder = RunFolder(out)
    assert folder.write_misaligned([]) == out / "misaligned.json"

    folder.refuse_other_run(CONFIGURATION)
    folder.begin(CONFIGURATION)

    assert [path.name for path in out.iterdir()] == ["run.json"]


def test_what_a_killed_writer_left_does_not_stand_in_the_way_and_goes_with_the_next_run(
    out: Path,
) -> None:
    # A kill between making the temporary file of run.json and giving it its name.
    out.mkdir(parents=True)
    (out / TEMPORARY_FILES.replace("*", "x7_ab3k2")).write_bytes(b'{"schema"')

    RunFolder(out).refuse_other_run(CONFIGURATION)
    RunFolder(out).begin(CONFIGURATION)

    assert [path.name for path in out.iterdir()] == ["run.json"]


def test_a_file_that_can_not_be_written_is_named_and_the_old_one_stays(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(_descriptor: int) -> NoReturn:
        raise OSError(28, "No space left on device")

    folder = RunFolder(out)
    folder.begin(CONFIGURATION)
    folder.write("metrics.json", b"old")
    monkeypatch.setattr("os.fsync", fsync)

    with pytest.raises(UserError, match=r"metrics\.json can't be written \(No space left"):
        folder.write("metrics.json", b"new")
    assert (out / "metrics.json").read_bytes() == b"old"
    assert {path.name for path in out.iterdir()} == {"run.json", "metrics.json"}


def test_json_is_written_for_people(out: Path) -> None:
    folder = RunFolder(out)
    folder.begin(CONFIGURATION)

    folder.write_json("metrics.json", {"système": None})

    assert (out / "metrics.json").read_bytes() == '{\n  "système": null\n}\n'.encode()


def test_a_figure_that_is_no_number_is_never_written(out: Path) -> None:
    folder = RunFolder(out)
    folder.begin(CONFIGURATION)

    with pytest.raises(ValueError, match="not JSON compliant"):
        folder.write_json("metrics.json", {"score": float("nan")})
    assert not (out / "metrics.json").exists()


def test_two_runs_never_hold_one_folder(out: Path) -> None:
    with (
        RunFolder(out).held(),
        pytest.raises(UserError, match="another run is writing there"),
        RunFolder(out).held(),
    ):
        pass

    with RunFolder(out).held():
        pass


def test_holding_a_folder_changes_nothing_in_it(out: Path) -> None:
    RunFolder(out).begin(CONFIGURATION)
    before = (out / "run.json").read_bytes()

    with RunFolder(out).held():
        assert [path.name for path in out.iterdir()] == ["run.json"]
        assert (out / "run.json").read_bytes() == before

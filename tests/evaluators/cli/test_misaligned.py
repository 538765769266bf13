"""Claims of other patients are refused; which, and whose they are, stands in a private file."""

import json
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.evaluators.conftest import CommandLine, Finished, Snapshot

ID_CANARY = "MRN-4711"
TEXT_CANARY = "Quellmalz"
WORDS = ("knee swelling since friday", "productive cough and wheeze", "left ear is itching")
NOTES = [
    {
        "example_id": f"{ID_CANARY}-{i}",
        "reference": f"{TEXT_CANARY} {words}",
        "output": f"{TEXT_CANARY} {words}",
    }
    for i, words in enumerate(WORDS)
]
SWAPPED = {0: 0, 1: 2, 2: 1}


def claims(order: dict[int, int]) -> list[dict[str, Any]]:
    """Claims in which row i carries those of example `order[i]`."""
    return [
        {"example_id": f"{ID_CANARY}-{i}", "subclaims_reference": [WORDS[j], TEXT_CANARY]}
        for i, j in order.items()
    ]


class Visit:
    """A command over notes with claims of which two rows are swapped."""

    def __init__(self, folder: Path, command_line: "CommandLine") -> None:
        self.out = folder / "out"
        self._notes, self._claims = folder / "notes.json", folder / "claims.json"
        self._notes.write_text(json.dumps(NOTES))
        self.swap(SWAPPED)
        self._command_line = command_line

    def swap(self, order: dict[int, int]) -> None:
        self._claims.write_text(json.dumps(claims(order)))

    def run(self, *options: str) -> "Finished":
        return self._command_line(
            *("run", self._notes, "--claims", self._claims, "--metrics", "claim_recall"),
            *("--evaluator", "overlap", "--out", self.out, *options),
        )


@pytest.fixture
def visit(tmp_path: Path, command_line: "CommandLine") -> Visit:
    return Visit(tmp_path, command_line)


def test_misaligned_claims_are_refused_by_row_and_no_id_is_said(visit: Visit) -> None:
    finished = visit.run()

    assert (finished.exit_code, finished.stdout) == (2, "")
    assert finished.stderr.count("\n") == 1
    assert "the claims of 2 of 3 rows belong to another example" in finished.stderr
    assert "row 2 fits the example in row 3; row 3 fits the example in row 2" in finished.stderr
    assert "--allow-misaligned" in finished.stderr
    assert str(visit.out / "misaligned.json") in finished.stderr
    assert ID_CANARY not in finished.stderr
    assert TEXT_CANARY not in finished.stderr


@pytest.mark.usefixtures("open_mask")
def test_the_likely_ids_stand_in_a_private_file(visit: Visit) -> None:
    visit.run()

    written = visit.out / "misaligned.json"
    assert json.loads(written.read_text()) == {
        "misaligned": [
            {
                "claims_row": i + 1,
                "example_id": f"{ID_CANARY}-{i}",
                "likely_example_id": f"{ID_CANARY}-{j}",
                "likely_row": j + 1,
            }
            for i, j in ((1, 2), (2, 1))
        ]
    }
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    assert stat.S_IMODE(visit.out.stat().st_mode) == 0o700
    assert [path.name for path in visit.out.iterdir()] == ["misaligned.json"]


def test_allowed_the_run_goes_on(visit: Visit) -> None:
    finished = visit.run("--allow-misaligned")

    assert finished.exit_code == 0
    assert (visit.out / "metrics.json").exists()
    assert not (visit.out / "misaligned.json").exists()


def test_once_the_file_is_corrected_the_same_command_runs(visit: Visit) -> None:
    visit.run()
    visit.swap({i: i for i in SWAPPED})

    assert visit.run().exit_code == 0
    assert not (visit.out / "misaligned.json").exists()


def test_a_finished_run_in_the_folder_stays_as_it_is(visit: Visit, snapshot: "Snapshot") -> None:
    visit.run("--allow-misaligned")
    before = snapshot(visit.out)

    assert visit.run("--rules", "released").exit_code == 2

    after = snapshot(visit.out)
    assert after.pop("misaligned.json")
    assert after == before


def test_no_ids_are_written_into_a_folder_of_someone_else(
    visit: Visit, snapshot: "Snapshot"
) -> None:
    visit.out.mkdir()
    (visit.out / "thesis.doc").write_bytes(b"years of work")
    before = snapshot(visit.out)

    finished = visit.run()

    assert finished.exit_code == 2
    assert "is not empty and holds no Wardlens run" in finished.stderr
    assert snapshot(visit.out) == before


def test_all_forty_rows_of_the_published_file_are_refused_with_their_right_ids(
    shared: Path, command_line: "CommandLine", tmp_path: Path
) -> None:
    data = shared / "data/aci_bench"

    finished = command_line(
        *("run", data / "test1.gpt4_notes.json"),
        *("--claims", data / "test1.claims.misaligned.json"),
        *("--metrics", "claim_recall", "--evaluator", "overlap", "--out", tmp_path / "out"),
    )

    assert finished.exit_code == 2
    assert "the claims of 40 of 40 rows" in finished.stderr
    assert "D2N" not in finished.stderr
    found = json.loads((tmp_path / "out" / "misaligned.json").read_text())["misaligned"]
    known = json.loads((shared / "cases/doclens/aci_claims_misalignment_map.json").read_text())
    assert {row["example_id"]: row["likely_example_id"] for row in found} == known["map"]

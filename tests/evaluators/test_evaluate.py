"""A whole run and the files that it leaves, whatever the texts hold."""

import asyncio
import json
import stat
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.evaluators.conftest import Snapshot
from tests.evaluators.small_run import FILES, NOTES, Run, change_notes, write
from wardlens.evaluators import RunResult


@pytest.mark.usefixtures("open_mask")
def test_a_run_leaves_its_five_files_in_a_private_folder(run: Run, tmp_path: Path) -> None:
    run()

    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == FILES
    assert stat.S_IMODE(out.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()} == {0o600}


def test_the_record_says_what_was_run_on_what_with_what(run: Run, tmp_path: Path) -> None:
    run(claims=write(tmp_path / "claims.json", [{"example_id": "patient-knee"}]), limit=2)

    record = json.loads((tmp_path / "out" / "run.json").read_text())
    assert (record["schema"], record["state"]) == (1, "finished")
    assert record["configuration"]["metrics"] == ["claim_recall", "claim_precision"]
    assert record["rules"]["name"] == "paper"
    assert record["evaluator"]["fingerprint"]["model"] == "overlap 0.6"
    assert record["inputs"]["notes"]["rows"] == 4
    assert record["claims"]["examples_without_a_row"] == 1
    assert {"python", "wardlens", "pyarrow"} <= record["versions"].keys()
    requests = record["this_invocation"]["requests"]
    assert requests["asked"] == requests["computed"] + requests["repeated"]
    assert record["this_invocation"]["seconds"].keys() == {"preparing", "judging"}


def test_digests_in_the_record_are_keyed_so_that_short_inputs_can_not_be_guessed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def digest(home: str) -> str:
        monkeypatch.setenv("WARDLENS_HOME", str(tmp_path / home))
        run(out=tmp_path / f"out-{home}")
        record = json.loads((tmp_path / f"out-{home}" / "run.json").read_text())
        return str(record["inputs"]["notes"]["keyed_sha256"])

    assert digest("one") != digest("two")


def test_without_samples_no_file_holds_document_text(
    run: Run, tmp_path: Path, snapshot: Snapshot
) -> None:
    run()

    for name, content in snapshot(tmp_path / "out").items():
        assert b"Friday" not in content, name
    # Parquet may compress texts away, so its columns are looked at too.
    for name in ("judgments", "examples"):
        table = pq.read_table(tmp_path / "out" / f"{name}.parquet")
        assert "Friday" not in str(table.to_pylist())


def test_with_samples_the_tables_hold_the_texts(run: Run, tmp_path: Path) -> None:
    run(samples=True)

    judgments = pq.read_table(tmp_path / "out" / "judgments.parquet").to_pylist()
    examples = pq.read_table(tmp_path / "out" / "examples.parquet").to_pylist()
    assert judgments[0]["text"] == "The patient has knee pain."
    assert examples[0]["output"] == "The patient reports knee pain since Friday."


def test_the_ledger_and_the_home_hold_neither_texts_nor_ids(
    run: Run, home: Path, snapshot: Snapshot
) -> None:
    run()

    for name, content in snapshot(home).items():
        assert b"Friday" not in content, name
        assert b"patient-" not in content, name


def test_the_limit_takes_the_first_examples_of_each_input(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    run(inputs=(f"s={path}", f"t={path}"), limit=2)

    table = pq.read_table(tmp_path / "out" / "examples.parquet")
    rows = {(row["system"], row["example_id"]) for row in table.to_pylist()}
    assert rows == {(s, f"patient-{n}") for s in "st" for n in ("knee", "chest")}


def test_a_limit_beyond_the_end_takes_all(run: Run) -> None:
    (examples,) = run(limit=10**9).judged.outcome.values()

    assert len(examples) == len(NOTES)


def test_several_systems_are_named_as_given(run: Run, tmp_path: Path) -> None:
    other = write(tmp_path / "other.json", NOTES[::-1])

    scores = run(inputs=(f"ours={tmp_path / 'notes.json'}", str(other))).scores

    assert list(scores) == ["ours", "other"]
    assert scores["ours"]["claim_recall"].total.micro == scores["other"]["claim_recall"].total.micro


def test_the_front_door_works_inside_a_running_event_loop(run: Run, tmp_path: Path) -> None:
    async def notebook_cell() -> RunResult:
        return run()

    asyncio.run(notebook_cell())

    assert (tmp_path / "out" / "metrics.json").exists()


@pytest.mark.parametrize("samples", [False, True])
@pytest.mark.parametrize(
    "text",
    [
        "\x00",
        "ألم في الصدر \u202e",
        "👩🏽‍⚕️ e\u0301",
        "a\ud800b",
        "\udc00",
        "x" * 2**20,
        "w " * 2**19,
    ],
    ids=[
        "NUL",
        "right to left",
        "emoji",
        "surrogate",
        "low surrogate",
        "one long word",
        "megabyte",
    ],
)
def test_any_text_is_judged_and_written(
    text: str,
    samples: bool,  # noqa: FBT001
    run: Run,
    tmp_path: Path,
) -> None:
    change_notes(tmp_path, 1, input=text, output=text, subclaims_reference=[text, f"knee {text}"])

    result = run(metrics="claim_recall", samples=samples)

    (examples,) = result.judged.outcome.values()
    assert all(j.verdict.label is not None for j in examples[1].judgments["claim_recall"])
    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES


@pytest.mark.parametrize("example_id", ["\x00", "ألم \u202e", "👩🏽‍⚕️", "<b>&", "x" * 2**20, " \n"])
def test_any_id_is_written(example_id: str, run: Run, tmp_path: Path) -> None:
    change_notes(tmp_path, 0, example_id=example_id)

    run()

    table = pq.read_table(tmp_path / "out" / "judgments.parquet")
    assert table["example_id"][0].as_py() == example_id


def test_many_examples_keep_their_order(run: Run, tmp_path: Path) -> None:
    # More than are judged at a time.
    rows = [{**NOTES[i % 4], "example_id": i} for i in range(600)]

    run(inputs=(str(write(tmp_path / "many.json", rows)),), metrics="claim_recall")

    table = pq.read_table(tmp_path / "out" / "judgments.parquet")
    assert table["example_id"].to_pylist() == [str(i) for i in range(600) for _claim in range(3)]

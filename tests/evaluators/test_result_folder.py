"""Whose folder it is: a run uses its own, and nothing else without being told to."""

from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.conftest import Snapshot
from tests.evaluators.small_run import Run, without_invocation
from wardlens.engine.errors import UserError


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"metrics": "claim_recall"}, "metrics"),
        ({"evaluator": "overlap:0.7"}, "evaluator, model"),
        ({"rules": "released"}, "rules"),
        ({"limit": 2}, "limit"),
        ({"samples": True}, "samples"),
        ({"allow_misaligned": True}, "allow_misaligned"),
    ],
)
def test_a_folder_of_another_configuration_is_refused_and_stays_as_it_is(
    changes: dict[str, Any], named: str, run: Run, tmp_path: Path, snapshot: Snapshot
) -> None:
    run()
    before = snapshot(tmp_path / "out")

    with pytest.raises(UserError, match=rf"another configuration \(different: {named}\)"):
        run(**changes)

    assert snapshot(tmp_path / "out") == before


def test_overwrite_replaces_a_run_of_another_configuration(
    run: Run, tmp_path: Path, snapshot: Snapshot
) -> None:
    run(limit=2)
    run(out=tmp_path / "fresh")

    run(overwrite=True)

    replaced, fresh = snapshot(tmp_path / "out"), snapshot(tmp_path / "fresh")
    assert without_invocation(replaced) == without_invocation(fresh)


def test_after_overwrite_the_same_command_without_it_continues(run: Run) -> None:
    run(limit=2)
    run(overwrite=True)

    assert run().judged.counts.computed == 0


def test_a_folder_of_someone_else_is_refused_and_stays_as_it_is(
    run: Run, tmp_path: Path, snapshot: Snapshot
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.doc").write_bytes(b"years of work")
    before = snapshot(tmp_path / "out")

    with pytest.raises(UserError, match="is not empty and holds no Wardlens run"):
        run()

    assert snapshot(tmp_path / "out") == before


def test_overwrite_leaves_files_that_are_not_ours(run: Run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.doc").write_bytes(b"years of work")

    run(overwrite=True)

    assert (tmp_path / "out" / "thesis.doc").read_bytes() == b"years of work"

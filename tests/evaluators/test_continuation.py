"""The same command again, or another over the same ledger, asks only what is new."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.conftest import Snapshot
from tests.evaluators.small_run import (
    CLAIMS_A_NOTE,
    NOTES,
    Run,
    change_notes,
    computed,
    without_invocation,
)
from wardlens.engine.errors import EngineError
from wardlens.engine.models.overlap import OverlapReplica
from wardlens.engine.replicas import Reply
from wardlens.engine.requests import Request


def test_each_different_question_is_asked_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "notes.json"

    counts = run(inputs=(f"s={path}", f"t={path}")).judged.counts

    assert (counts.asked, counts.computed, counts.repeated) == (40, 20, 20)


def test_the_same_command_again_asks_nothing_and_leaves_the_same_files(
    run: Run, tmp_path: Path, snapshot: Snapshot
) -> None:
    run()
    before = snapshot(tmp_path / "out")

    run()

    after = snapshot(tmp_path / "out")
    assert computed(tmp_path / "out") == 0
    assert without_invocation(before) == without_invocation(after)


def test_where_nothing_is_missing_the_model_is_not_loaded(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def start(_replica: OverlapReplica) -> None:
        raise EngineError("must not be loaded")

    run()
    monkeypatch.setattr(OverlapReplica, "start", start)

    assert run().judged.counts.computed == 0


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"subclaims_reference": [*NOTES[1]["subclaims_reference"], "A new claim."]}, 1),
        ({"subclaims_reference": ["A new claim."]}, 1),
        ({"subclaims_output": []}, 0),
        ({"output": "Another note."}, 3),
        ({"reference": "Another note."}, 2),
        ({"input": "[0][doctor] another dialogue"}, 0),
        ({"example_id": "another"}, 0),
    ],
)
def test_a_changed_input_asks_only_what_changed(
    changes: dict[str, Any], expected: int, run: Run, tmp_path: Path
) -> None:
    run()
    assert computed(tmp_path / "out") == len(NOTES) * CLAIMS_A_NOTE
    change_notes(tmp_path, 1, **changes)

    run()

    assert computed(tmp_path / "out") == expected


def test_one_more_metric_asks_only_its_own_questions(run: Run, tmp_path: Path) -> None:
    run(metrics="claim_recall", out=tmp_path / "first")

    run(out=tmp_path / "second")

    assert computed(tmp_path / "second") == 2 * len(NOTES)


def test_other_rules_ask_nothing_that_was_answered(run: Run, tmp_path: Path) -> None:
    run(rules="paper", out=tmp_path / "first")

    run(rules="released", out=tmp_path / "second")

    assert computed(tmp_path / "second") == 0


def test_another_threshold_is_another_model(run: Run, tmp_path: Path) -> None:
    run(out=tmp_path / "first")

    run(evaluator="overlap:0.7", out=tmp_path / "second")

    assert computed(tmp_path / "second") == len(NOTES) * CLAIMS_A_NOTE


def test_a_ledger_of_its_own_remembers_nothing_of_another(run: Run, tmp_path: Path) -> None:
    run()

    run(ledger=tmp_path / "ledger", out=tmp_path / "second")

    assert computed(tmp_path / "second") == len(NOTES) * CLAIMS_A_NOTE


def test_a_failed_run_of_another_configuration_leaves_the_results_that_were_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run()
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}

    async def start(_replica: OverlapReplica) -> None:
        raise EngineError("it can't be loaded")

    with monkeypatch.context() as patch:
        patch.setattr(OverlapReplica, "start", start)
        with pytest.raises(EngineError, match="can't be loaded"):
            run(evaluator="overlap:0.9", overwrite=True)

    after = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert after == before


def test_a_run_that_fails_on_its_way_can_be_continued(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(_replica: OverlapReplica, _block: Sequence[Request]) -> list[Reply]:
        raise EngineError("the engine died")

    with monkeypatch.context() as patch:
        patch.setattr(OverlapReplica, "answer", answer)
        with pytest.raises(EngineError, match="the engine died"):
            run()

    assert not any((tmp_path / "out").iterdir())
    assert run().judged.counts.computed == len(NOTES) * CLAIMS_A_NOTE

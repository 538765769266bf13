"""Runs that answer from recorded replies, and runs that write their questions down."""

import json
import stat
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.evaluators.small_run import FILES, NOTES, Run, write
from wardlens.engine.errors import UserError

ALL = "claim_recall,claim_precision,citation_recall,citation_precision"
SECTIONS = {
    "output_subjective": "The ear hurts [0]. The ear hurts a lot [0][1].",
    "output_assessment_and_plan": "Rest [2]. ## PLAN",
    "reference_subjective": "The ear hurts.",
    "subclaims_reference_subjective": ["The ear hurts.", ""],
    "subclaims_output_subjective": ["The ear hurts."],
}
OUTPUTS: list[dict[str, Any]] = [
    {"output": "The ear hurts [0][1]. No fever. It hurts [0-1]. He may rest [2] [9]."},
    SECTIONS,
    {"output": ""},
    {"output": "The ear hurts [0]. The ear hurts [0]. \ud83d Rest [2]."},
]
SOURCE = "[0] the ear hurts\n[1] a lot\n[2] you should rest"
CITED = [{**note, "input": SOURCE, **output} for note, output in zip(NOTES, OUTPUTS, strict=True)]


@pytest.fixture
def cited(tmp_path: Path) -> tuple[str, ...]:
    return (str(write(tmp_path / "cited.json", CITED)),)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def without_names(out: Path) -> dict[str, Any]:
    """What the result files say, less which evaluator said it."""
    names = {"evaluator", "style"}
    metrics = json.loads((out / "metrics.json").read_text())
    report = (out / "report.html").read_text()
    said: dict[str, Any] = {
        "metrics": {m: {k: v for k, v in r.items() if k not in names} for m, r in metrics.items()},
        "report": report.replace("overlap", "replay"),
    }
    for name in ("judgments", "examples"):
        table = pq.read_table(out / f"{name}.parquet")
        kept = [column for column in table.column_names if column not in names]
        said[name] = table.select(kept).to_pylist()
    return said


@pytest.mark.parametrize("rules", ["paper", "released"])
@pytest.mark.parametrize("task", ["note", "radiology", "question"])
def test_a_trace_that_is_replayed_gives_the_same_results_and_the_same_trace(
    task: str, rules: str, run: Run, tmp_path: Path, cited: tuple[str, ...]
) -> None:
    options: dict[str, Any] = {"inputs": cited, "metrics": ALL, "task": task, "rules": rules}
    trace, again = tmp_path / "trace.jsonl", tmp_path / "again.jsonl"
    run(**options, samples=True, trace=trace, out=tmp_path / "asked")
    assert len(rows(trace)) > 10

    run(
        **options,
        samples=True,
        evaluator=f"replay:{trace}",
        trace=again,
        out=tmp_path / "replayed",
    )

    assert without_names(tmp_path / "replayed") == without_names(tmp_path / "asked")
    assert again.read_bytes() == trace.read_bytes()


def test_without_its_reply_a_question_is_unscored_and_bounds_say_what_that_may_mean(
    run: Run, tmp_path: Path, cited: tuple[str, ...]
) -> None:
    trace, part = tmp_path / "trace.jsonl", tmp_path / "part.jsonl"
    asked = run(inputs=cited, metrics=ALL, trace=trace, out=tmp_path / "asked")
    part.write_text("".join(trace.read_text().splitlines(keepends=True)[::2]))

    result = run(inputs=cited, metrics=ALL, evaluator=f"replay:{part}", out=tmp_path / "replayed")

    for metric in ALL.split(","):
        whole, found = (r.scores["cited"][metric].total for r in (asked, result))
        assert found.n == whole.n
        assert found.bounds is not None
        assert whole.score is not None
        assert found.bounds[0] <= whole.score <= found.bounds[1]
    assert sum(s.total.n_unscored for s in result.scores["cited"].values()) > 0
    table = pq.read_table(tmp_path / "replayed" / "judgments.parquet").to_pylist()
    reasons = {row["unscored"] for row in table if row["label"] is None}
    assert reasons == {"there is no recorded reply", "the claim is empty"}


def test_a_trace_with_unscored_questions_can_be_replayed(
    run: Run, tmp_path: Path, cited: tuple[str, ...]
) -> None:
    replies = tmp_path / "replies.jsonl"
    run(inputs=cited, metrics=ALL, trace=replies, out=tmp_path / "asked")
    raw = [{**row, "reply": "maybe" if n % 3 else "1"} for n, row in enumerate(rows(replies))]
    replies.write_text("".join(json.dumps(row) + "\n" for row in raw))
    trace = tmp_path / "trace.jsonl"
    once = run(
        inputs=cited, metrics=ALL, evaluator=f"replay:{replies}", trace=trace, out=tmp_path / "once"
    )
    assert None in {row["label"] for row in rows(trace)}

    twice = run(inputs=cited, metrics=ALL, evaluator=f"replay:{trace}", out=tmp_path / "twice")

    assert twice.scores == once.scores


def test_replies_by_place_go_through_many_examples_in_order(run: Run, tmp_path: Path) -> None:
    # More than are judged at a time.
    notes = write(tmp_path / "many.json", [{**NOTES[0], "example_id": n} for n in range(300)])
    n_claims = len(NOTES[0]["subclaims_reference"])
    replies = tmp_path / "replies.jsonl"
    replies.write_text(
        "".join(f'{{"index": {i}, "label": {(i * i // 3) % 2}}}\n' for i in range(300 * n_claims))
    )

    result = run(inputs=(str(notes),), metrics="claim_recall", evaluator=f"replay:{replies}")

    (examples,) = result.judged.outcome.values()
    labels = [j.verdict.label for e in examples for j in e.judgments["claim_recall"]]
    assert labels == [(i * i // 3) % 2 == 1 for i in range(300 * n_claims)]


def test_other_replies_are_another_run(run: Run, tmp_path: Path, cited: tuple[str, ...]) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text('{"index": 0, "label": 1}\n')
    run(inputs=cited, metrics=ALL, evaluator=f"replay:{replies}")
    run(inputs=cited, metrics=ALL, evaluator=f"replay:{replies}")
    replies.write_text('{"index": 0, "label": 0}\n')

    with pytest.raises(UserError, match=r"another configuration \(different: model\)"):
        run(inputs=cited, metrics=ALL, evaluator=f"replay:{replies}")


# --- the file of questions -----------------------------------------------------------------


@pytest.mark.usefixtures("open_mask")
def test_a_trace_can_be_read_by_its_owner_only(run: Run, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    run(trace=trace)
    trace.chmod(0o644)

    run(trace=trace)

    assert stat.S_IMODE(trace.stat().st_mode) == 0o600
    assert len(rows(trace)) == 20


def test_a_trace_holds_each_question_as_text_with_its_place_and_label(
    run: Run, tmp_path: Path
) -> None:
    run(trace=tmp_path / "trace.jsonl", limit=1, metrics="claim_recall")

    output = NOTES[0]["output"]
    assert rows(tmp_path / "trace.jsonl") == [
        {"index": index, "input": f"premise: {output} hypothesis: {claim}", "label": label}
        for index, (claim, label) in enumerate(
            zip(NOTES[0]["subclaims_reference"], (1, 0, 1), strict=True)
        )
    ]


def test_without_being_asked_for_no_trace_is_written(run: Run, tmp_path: Path) -> None:
    before = {path.name for path in tmp_path.iterdir()}

    run()

    assert {path.name for path in (tmp_path / "out").iterdir()} == FILES
    assert {path.name for path in tmp_path.iterdir()} - before == {"out", "home"} - before


def test_a_trace_may_be_asked_for_afterwards(run: Run, tmp_path: Path) -> None:
    run()

    result = run(trace=tmp_path / "trace.jsonl")

    assert result.judged.counts.computed == 0
    assert len(rows(tmp_path / "trace.jsonl")) == 20


def test_a_trace_where_none_can_be_written_is_refused_before_anything_is_asked(
    run: Run, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=r"--trace .*its folder is missing"):
        run(trace=tmp_path / "absent" / "trace.jsonl")
    with pytest.raises(UserError, match=r"--trace .*lies in, something that the run .* writes"):
        run(trace=tmp_path / "out" / "trace.jsonl")

    assert not (tmp_path / "out").exists()

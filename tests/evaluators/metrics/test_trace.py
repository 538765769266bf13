"""The order in which questions are told is the order in which they are asked."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluators.metrics.fake_judges import FunctionJudge, cited, judge_with
from tests.evaluators.small_run import Run, write
from wardlens.evaluators.metrics.trace import questions_asked

NOTE: dict[str, Any] = {
    "example_id": "a",
    "input": "[0] the knee hurts\n[1] the back hurts too\n[2] no fever",
    "reference": "Knee pain. No fever.",
    "output": "The knee hurts [0][1]. The back hurts [1][2]. No fever [2]. Rash. Cough [9].",
    "subclaims_reference": ["The knee hurts.", "", "The knee hurts."],
    "subclaims_output": ["No fever."],
}
CHOICES = [
    "citation_recall",
    "citation_precision",
    "citation_recall,citation_precision",
    "citation_precision,citation_recall",
    "claim_recall,citation_precision",
    "citation_precision,claim_recall",
    "claim_recall,citation_recall,claim_precision",
    "citation_recall,claim_precision,citation_precision,claim_recall",
]


@pytest.mark.parametrize("metric", ["citation_recall", "citation_precision"])
def test_questions_about_citations_stand_behind_those_about_their_statement(metric: str) -> None:
    judge = FunctionJudge(
        lambda premise, _hypothesis: None if premise == "two" else len(premise) != 3,
        answers_in_order=True,
    )
    example = cited("Cough [0][1][2]. Fever [1]. Pain [0][2].", "[0] zero [1] one [2] two")

    judged = judge_with(judge, example, metric)

    asked = [(q.premise.reveal(), q.hypothesis.reveal()) for q in questions_asked(judged)]
    assert asked == judge.asked


def test_without_judgments_nothing_was_asked() -> None:
    assert list(questions_asked({})) == []


@pytest.mark.parametrize("metrics", CHOICES)
def test_a_trace_tells_the_order_in_which_a_judge_is_asked(
    metrics: str, run: Run, tmp_path: Path
) -> None:
    notes = write(
        tmp_path / "cited.json", [NOTE, {**NOTE, "example_id": "b", "output": "Knee [0]."}]
    )
    inputs = (f"s={notes}", f"t={notes}")
    trace, by_place = tmp_path / "trace.jsonl", tmp_path / "by_place.jsonl"
    run(inputs=inputs, metrics=metrics, trace=trace, out=tmp_path / "asked")
    rows = [json.loads(line) for line in trace.read_text().splitlines()]
    by_place.write_text(
        "".join(f'{{"index": {r["index"]}, "label": {r["label"]}}}\n' for r in rows)
    )

    again = tmp_path / "again.jsonl"
    run(
        inputs=inputs,
        metrics=metrics,
        evaluator=f"replay:{by_place}",
        trace=again,
        out=tmp_path / "replayed",
    )

    assert again.read_text() == trace.read_text()
    examples, examples_replayed = (
        json.loads((tmp_path / out / "metrics.json").read_text()) for out in ("asked", "replayed")
    )
    for system in ("s", "t"):
        for metric in metrics.split(","):
            one, other = examples[system][metric], examples_replayed[system][metric]
            assert one["micro"] == other["micro"]
            assert one["n"] == other["n"]


@pytest.mark.parametrize("order", [1, -1])
def test_both_citation_metrics_together_ask_each_question_once(
    order: int, run: Run, tmp_path: Path
) -> None:
    notes = (str(write(tmp_path / "cited.json", [NOTE])),)
    both = ",".join(["citation_recall", "citation_precision"][::order])

    alone = run(inputs=notes, metrics="citation_precision", out=tmp_path / "alone")
    together = run(inputs=notes, metrics=both, out=tmp_path / "together")

    # Two of three statements that exist cite twice; one of these is entailed.
    assert alone.judged.counts.asked == together.judged.counts.asked > 3
    assert list(together.scores["cited"]) == both.split(",")
    assert (
        alone.scores["cited"]["citation_precision"]
        == together.scores["cited"]["citation_precision"]
    )


def test_recall_by_itself_asks_one_question_a_cited_statement(run: Run, tmp_path: Path) -> None:
    notes = (str(write(tmp_path / "cited.json", [NOTE])),)

    assert run(inputs=notes, metrics="citation_recall").judged.counts.asked == 3

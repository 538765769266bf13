"""The three tasks: how outputs are split, which claims are taken for granted."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.evaluators.small_run import Run, write
from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.tasks import TASKS, choose_split, choose_task

QUESTION = {
    "example_id": "q",
    "input": "[0] hello doctor\n[1] my knee hurts since friday\n[2] what can i do",
    "reference": "What helps against knee pain?",
    "output": "What can I do? My knee hurts. [1][2]",
}


@pytest.mark.parametrize(
    ("task", "given", "split"),
    [
        ("note", None, "sent"),
        ("note", "sent", "sent"),
        ("note", "citation", "citation"),
        ("radiology", None, "citation"),
        ("radiology", "sent", "sent"),
        ("question", None, "whole"),
        ("question", "sent", "whole"),
        ("question", "citation", "whole"),
    ],
)
def test_a_task_has_its_own_way_of_splitting_unless_told_otherwise(
    task: str, given: str | None, split: str
) -> None:
    assert choose_split(given, choose_task(task)) == split


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("given", ["", "whole", "Sent", "sentence", "sent,citation"])
def test_an_unknown_mode_is_refused_with_the_allowed_ones_whatever_the_task(
    given: str, task: str
) -> None:
    with pytest.raises(UserError, match=r"--split: unknown mode '.*'\. Allowed: sent, citation\."):
        choose_split(given, choose_task(task))


@pytest.mark.parametrize("given", ["", "Note", "notes", "meqsum", "note,question"])
def test_an_unknown_task_is_refused_with_the_allowed_ones(given: str) -> None:
    with pytest.raises(UserError, match=r"unknown task .*Allowed: note, radiology, question\."):
        choose_task(given)


QUESTION_TEXTS = Example(SealedText("q"), 1, reference=SealedText("r"), output=SealedText("o"))


def test_a_question_is_its_own_only_claim() -> None:
    prepared = TASKS["question"].prepare(QUESTION_TEXTS)

    assert prepared.reference_claims == {"full": (SealedText("r"),)}
    assert prepared.output_claims == {"full": (SealedText("o"),)}


def test_claims_that_are_given_stay() -> None:
    own = {"full": (SealedText("c"), SealedText("d"))}

    prepared = TASKS["question"].prepare(replace(QUESTION_TEXTS, reference_claims=own))

    assert prepared.reference_claims == own
    assert prepared.output_claims == {"full": (SealedText("o"),)}


def test_a_question_that_is_missing_is_no_claim() -> None:
    prepared = TASKS["question"].prepare(Example(SealedText("q"), 1))

    assert prepared.reference_claims == prepared.output_claims == {}


@pytest.mark.parametrize("task", ["note", "radiology"])
def test_other_tasks_take_no_claims_for_granted(task: str) -> None:
    example = Example(SealedText("n"), 1, reference=SealedText("r"), output=SealedText("o"))

    assert TASKS[task].prepare(example) is example


@pytest.mark.parametrize("rules", ["paper", "released"])
@pytest.mark.parametrize("split", [None, "sent", "citation"])
def test_the_output_of_a_question_is_one_statement_and_one_claim(
    split: str | None, rules: str, run: Run, tmp_path: Path
) -> None:
    notes = (str(write(tmp_path / "questions.json", [QUESTION])),)

    result = run(
        inputs=notes,
        metrics="claim_recall,claim_precision,citation_recall,citation_precision",
        task="question",
        split=split,
        rules=rules,
        samples=True,
    )

    counts = {name: scored.total.n for name, scored in result.scores["questions"].items()}
    assert counts == {
        "claim_recall": 1,
        "claim_precision": 1,
        "citation_recall": 1,
        "citation_precision": 2,
    }
    table = pq.read_table(tmp_path / "out" / "judgments.parquet").to_pylist()
    (statement,) = {row["text"] for row in table if row["metric"] == "citation_recall"}
    assert statement == "What can I do? My knee hurts."


def test_the_task_and_the_way_of_splitting_are_part_of_the_run(run: Run, tmp_path: Path) -> None:
    run(task="radiology")

    configuration = json.loads((tmp_path / "out" / "run.json").read_text())["configuration"]
    assert (configuration["task"], configuration["split"]) == ("radiology", "citation")
    with pytest.raises(UserError, match=r"different: split, task\)"):
        run(task="note")
    # Another name for the same.
    run(task="radiology", split="citation")

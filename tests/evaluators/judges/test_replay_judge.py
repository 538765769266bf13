"""A judge that answers from recorded replies."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges import JudgeSettings, Verdict, choose_evaluator
from wardlens.evaluators.judges.judge import AttributingJudge, ComparingJudge
from wardlens.evaluators.judges.replay_judge import (
    NoReplica,
    ReplayJudge,
    question_text,
    read_recording,
)
from wardlens.evaluators.prompts import load_task_prompts

QUESTION = "premise: P hypothesis: H"
CANARY = "Quellmalz"


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "replies.jsonl"


def ask(judge: ReplayJudge, premise: str, *hypotheses: str) -> list[Verdict]:
    return asyncio.run(judge.entails(SealedText(premise), [SealedText(h) for h in hypotheses]))


def labels(
    file: Path, *rows: object, asked: Sequence[tuple[str, str]] = (("P", "H"),)
) -> list[bool | None]:
    judge = ReplayJudge(read_recording(write(file, *rows)), None)
    return [ask(judge, *question)[0].label for question in asked]


@pytest.mark.parametrize("reply", ["1", " 1", "1\n"])
def test_a_recorded_reply_is_found_by_the_text_of_its_question(reply: str, file: Path) -> None:
    rows = [
        {"input": "premise: P hypothesis: X", "reply": "0"},
        {"input": QUESTION, "reply": reply},
    ]

    assert labels(file, *rows) == [True]


def test_a_recorded_reply_is_a_stable_verdict_without_a_probability(file: Path) -> None:
    judge = ReplayJudge(read_recording(write(file, {"input": QUESTION, "reply": "0"})), None)

    assert ask(judge, "P", "H") == [Verdict(label=False, stable=True)]


def test_a_recorded_reply_is_found_by_its_place_in_program_order(file: Path) -> None:
    rows = [{"index": 2, "reply": "1"}, {"index": 0, "reply": "0"}, {"index": 1, "reply": "1"}]
    judge = ReplayJudge(read_recording(write(file, *rows)), None)

    verdicts = ask(judge, "P", "H") + ask(judge, "Q", "H", "H")

    assert [verdict.label for verdict in verdicts] == [False, True, True]


def test_the_same_question_may_get_another_reply_at_another_place(file: Path) -> None:
    rows = [{"index": 0, "reply": "0"}, {"index": 1, "reply": "1"}]

    assert labels(file, *rows, asked=[("P", "H"), ("P", "H")]) == [False, True]


def test_a_place_goes_before_a_text(file: Path) -> None:
    rows = [{"input": QUESTION, "reply": "1"}, {"index": 0, "reply": "0"}]

    assert labels(file, *rows, asked=[("P", "H"), ("P", "H")]) == [False, True]


def test_a_row_with_both_is_found_by_its_text_alone(file: Path) -> None:
    rows = [{"index": 0, "input": QUESTION, "reply": "1"}]

    assert labels(file, *rows, asked=[("Q", "H"), ("P", "H")]) == [None, True]


def test_of_two_replies_to_one_text_the_first_stands_and_to_one_place_the_last(file: Path) -> None:
    by_text = [{"input": QUESTION, "reply": reply} for reply in ("0", "1")]
    by_place = [{"index": 0, "reply": reply} for reply in ("0", "1")]

    assert labels(file, *by_text) == [False]
    assert labels(file, *by_place) == [True]


@pytest.mark.parametrize(
    ("row", "label"),
    [
        ({"label": 1}, True),
        ({"label": 0}, False),
        ({"label": True}, True),
        ({"label": False}, False),
        ({"label": 2}, None),
        ({"label": -1}, None),
        ({"label": "1"}, True),
        ({"reply": 1}, True),
        ({"reply": "0", "label": 1}, False),
    ],
)
def test_a_label_stands_in_for_a_reply(row: dict[str, Any], label: bool | None, file: Path) -> None:  # noqa: FBT001
    assert labels(file, {"input": QUESTION, **row}) == [label]


@pytest.mark.parametrize(
    "reply", ["", " ", "yes", "01", "1.", "10", "1 0", "entailed: 1", "\u0661"]
)
def test_any_other_raw_reply_is_unscored(reply: str, file: Path) -> None:
    judge = ReplayJudge(read_recording(write(file, {"input": QUESTION, "reply": reply})), None)

    (verdict,) = ask(judge, "P", "H")

    assert verdict == Verdict(label=None, unscored="the recorded reply is neither 0 nor 1")


@pytest.mark.parametrize(
    "row",
    [
        {"input": "premise: P hypothesis: X", "reply": "1"},
        {"input": QUESTION.lower(), "reply": "1"},
        {"index": 1, "reply": "1"},
        # As traces have it where there was no answer.
        {"input": QUESTION, "label": None},
        {"index": 0, "label": None},
    ],
)
def test_without_a_recorded_reply_a_question_is_unscored(row: dict[str, Any], file: Path) -> None:
    judge = ReplayJudge(read_recording(write(file, row)), None)

    (verdict,) = ask(judge, "P", "H")

    assert verdict == Verdict(label=None, unscored="there is no recorded reply")


def test_premises_are_looked_up_as_cut(file: Path) -> None:
    judge = ReplayJudge(
        read_recording(write(file, {"input": "premise: a b hypothesis: H", "reply": "1"})), 2
    )

    assert judge.seen(SealedText("a b c")).reveal() == "a b"
    assert ask(judge, "a b c", "H")[0].label is True


def test_questions_with_any_characters_are_found(file: Path) -> None:
    text = '\ud800 \u2028 \x00 " \\ \U0001f469'
    row = {"input": question_text(SealedText(text), SealedText(text)), "reply": "1"}

    assert labels(file, row, asked=[(text, text)]) == [True]


def test_a_recording_attributes_and_compares_nothing(file: Path) -> None:
    judge = ReplayJudge(read_recording(write(file, {"index": 0, "reply": "1"})), None)

    assert judge.answers_in_order
    assert not isinstance(judge, AttributingJudge)
    assert not isinstance(judge, ComparingJudge)


# --- the file ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"reply": "1"}], "row 1: needs the question, as text in 'input' or as its place"),
        (
            [{"index": 0, "reply": "1"}, {"input": QUESTION}],
            "row 2: needs the raw reply in 'reply'",
        ),
        ([{"index": -1, "reply": "1"}], "row 1: needs the question"),
        ([{"index": True, "reply": "1"}], "row 1: needs the question"),
        ([{"index": 0.0, "reply": "1"}], "row 1: needs the question"),
        ([{"index": "0", "reply": "1"}], "row 1: needs the question"),
        ([{"input": None, "reply": "1"}], "row 1: needs the question"),
        ([{"input": [CANARY], "reply": "1"}], "row 1: needs the question"),
        ([{"input": 5, "index": 0, "reply": "1"}], "row 1: needs the question"),
        ([{"input": CANARY, "reply": None}], "row 1: needs the raw reply in 'reply' (text) or"),
        ([{"input": CANARY, "reply": None, "label": None}], "row 1: needs the raw reply"),
        ([{"input": CANARY, "reply": [CANARY]}], "found a list"),
        ([{"input": CANARY, "reply": {CANARY: 1}}], "found an object"),
        ([{"input": CANARY, "label": 1.0}], "found a number"),
        ([5], "line 1: expected an object with fields, found a number"),
        ([{"index": 0, "reply": "1"}, [CANARY]], "line 2: expected an object with fields"),
        ([], "there are no rows in it"),
    ],
)
def test_a_bad_row_is_named(rows: list[object], message: str, file: Path) -> None:
    write(file, *rows)

    with pytest.raises(UserError) as refused:
        read_recording(file)

    assert str(refused.value).startswith(f"{file}: ")
    assert message in str(refused.value)
    assert CANARY not in str(refused.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "there are no rows in it"),
        (b"\n \n", "there are no rows in it"),
        (b'{"index": 0, "reply": "1"}\n{"index": 1,', "line 2: not JSON"),
        (b'{"index": 0, "reply": "caf\xe9"}', "not UTF-8"),
        (b'{"index": 0, "label": ' + b"1" * 5000 + b"}", "line 1: JSON that can't be read"),
        (b"[" * 100_000, "line 1: JSON that can't be read"),
    ],
)
def test_a_file_that_can_not_be_read_is_refused(content: bytes, message: str, file: Path) -> None:
    file.write_bytes(content)

    with pytest.raises(UserError, match=message):
        read_recording(file)


@pytest.mark.parametrize("name", ["replies.json", "replies.csv", "replies", "", "replies.jsonl.gz"])
def test_other_endings_are_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / name if name else Path()
    if name:
        write(path, {"index": 0, "reply": "1"})

    with pytest.raises(UserError, match=r"recorded replies are a \.jsonl file"):
        read_recording(path)


def test_a_missing_file_is_refused(file: Path) -> None:
    with pytest.raises(UserError, match="there is no such file"):
        read_recording(file)


def test_blank_lines_do_not_count_as_rows(file: Path) -> None:
    file.write_text('\n\n{"index": 0, "reply": "1"}\n\n{"index": 1}\n')

    with pytest.raises(UserError, match="row 2: needs the raw reply"):
        read_recording(file)


def test_an_evaluator_of_recorded_replies_is_known_by_its_content(
    file: Path, tmp_path: Path, installation: Installation
) -> None:
    settings = JudgeSettings("label", shots=2, prompts=load_task_prompts("note"))
    copy = write(tmp_path / "copy.jsonl", {"index": 0, "reply": "1"})
    write(file, {"index": 0, "reply": "1"})
    models = []
    for path in (file, copy, write(tmp_path / "other.jsonl", {"index": 0, "reply": "0"})):
        evaluator = choose_evaluator(f"replay:{path}", settings, installation)
        assert (evaluator.name, evaluator.style, evaluator.weak) == ("replay", "replay", False)
        assert isinstance(evaluator.replica, NoReplica)
        models.append(evaluator.replica.fingerprint.model)

    assert models[0] == models[1] != models[2]

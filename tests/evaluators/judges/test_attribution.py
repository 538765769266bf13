"""One answer of an instruct model, slot by slot: supported or not, and by which citations."""

import asyncio
import re
from collections.abc import Callable, Sequence
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardlens.engine.answers import Answer, Decision, Unscored
from wardlens.engine.desk import Desk
from wardlens.engine.requests import DecisionRequest, Request
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.instruct_judge import InstructJudge
from wardlens.evaluators.judges.judge import AttributingJudge, Attribution, ComparingJudge
from wardlens.evaluators.prompts import load_task_prompts
from wardlens.evaluators.tasks import TASKS

STATEMENT = SealedText("The patient coughs.")
SUPPORTED = "Supported: "
YES = Decision(index=1, probabilities=(0.25, 0.75), mass=0.9, margin=1.1)
NO = Decision(index=0, probabilities=(0.875, 0.125), mass=0.5, margin=1.9)
NOTHING = Unscored("the prompt is too long", lasting=True)
LABELS: dict[bool | None, Answer] = {True: YES, False: NO, None: NOTHING}


class FakeDesk:
    """Answers by what is forced, and remembers what it was asked."""

    def __init__(self, answer: Callable[[str], Answer]) -> None:
        self.asked: list[DecisionRequest] = []
        self._answer = answer

    async def ask(self, requests: Sequence[Request]) -> list[Answer]:
        decisions = [cast(DecisionRequest, request) for request in requests]
        self.asked += decisions
        return [self._answer(decision.answer_prefix) for decision in decisions]

    @property
    def forced(self) -> list[str]:
        return [request.answer_prefix for request in self.asked]


def attribute(
    desk: FakeDesk, numbers: Sequence[int], texts: Sequence[str] | None = None, task: str = "note"
) -> Attribution:
    judge = InstructJudge(cast(Desk, desk), load_task_prompts(task), 2)
    sentences = [SealedText(text) for text in texts or [f"s{number}" for number in numbers]]
    return asyncio.run(judge.attribute(STATEMENT, numbers, sentences))


def labels(attribution: Attribution) -> tuple[bool | None, list[bool | None]]:
    return attribution.supported.label, [verdict.label for verdict in attribution.citations]


def test_the_forced_answer_grows_slot_by_slot_with_what_was_decided() -> None:
    desk = FakeDesk(lambda forced: NO if forced.endswith("[8]: ") else YES)

    attribution = attribute(desk, [7, 8, 21])

    assert desk.forced == [
        "Supported: ",
        "Supported: 1\n[7]: ",
        "Supported: 1\n[7]: 1\n[8]: ",
        "Supported: 1\n[7]: 1\n[8]: 0\n[21]: ",
    ]
    assert labels(attribution) == (True, [True, False, True])


def test_all_slots_are_questions_about_the_same_prompt_between_1_and_0() -> None:
    desk = FakeDesk(lambda _forced: YES)

    attribute(desk, [7, 8], ["[doctor] cough ?", "[patient] yes ."])

    document = SealedText("[7] [doctor] cough ?\n[8] [patient] yes .")
    prompt = load_task_prompts("note").citation.ask(document, STATEMENT, 2)
    assert {request.prompt for request in desk.asked} == {prompt}
    assert {request.choices for request in desk.asked} == {("0", "1")}
    assert {request.document for request in desk.asked} == {document}


@pytest.mark.parametrize("label", [True, False, None])
def test_one_citation_needs_no_second_question(label: bool | None) -> None:  # noqa: FBT001
    desk = FakeDesk(lambda _forced: LABELS[label])

    attribution = attribute(desk, [7])

    assert desk.forced == [SUPPORTED]
    assert attribution.citations == (attribution.supported,)
    assert attribution.supported.label is label


@pytest.mark.parametrize("label", [False, None])
def test_where_the_statement_is_not_supported_no_citation_is_asked(
    label: bool | None,  # noqa: FBT001
) -> None:
    desk = FakeDesk(lambda _forced: LABELS[label])

    attribution = attribute(desk, [7, 8, 9])

    assert desk.forced == [SUPPORTED]
    assert labels(attribution) == (label, [label] * 3)


def test_a_slot_without_an_answer_is_unscored_and_stands_as_not_needed() -> None:
    desk = FakeDesk(lambda forced: NOTHING if forced.endswith("[8]: ") else YES)

    attribution = attribute(desk, [7, 8, 9])

    assert labels(attribution) == (True, [True, None, True])
    assert attribution.citations[1].unscored == "the prompt is too long"
    assert desk.forced[-1] == "Supported: 1\n[7]: 1\n[8]: 0\n[9]: "


def test_every_slot_keeps_the_model_s_certainty() -> None:
    attribution = attribute(FakeDesk(lambda forced: YES if forced == SUPPORTED else NO), [7, 8])

    assert attribution.supported.probability == 0.75
    assert [(v.probability, v.mass, v.margin) for v in attribution.citations] == [
        (0.125, 0.5, 1.9)
    ] * 2


def test_a_number_that_is_cited_twice_has_one_slot_and_counts_twice() -> None:
    desk = FakeDesk(lambda forced: NO if forced.endswith("[8]: ") else YES)

    attribution = attribute(desk, [7, 8, 7])

    assert desk.forced[-1] == "Supported: 1\n[7]: 1\n[8]: "
    assert labels(attribution) == (True, [True, False, True])


@given(
    numbers=st.lists(st.integers(0, 500), min_size=2, max_size=8, unique=True),
    said=st.lists(st.sampled_from([True, False, None]), min_size=9, max_size=9),
)
def test_whatever_is_said_slots_are_those_cited_in_order(
    numbers: list[int], said: list[bool | None]
) -> None:
    desk = FakeDesk(lambda forced: LABELS[said[forced.count("[")]])

    attribution = attribute(desk, numbers)

    supported, citations = labels(attribution)
    assert supported is said[0]
    assert citations == (said[1 : len(numbers) + 1] if supported else [said[0]] * len(numbers))
    slots = re.findall(r"\[(\d+)\]", desk.forced[-1])
    assert [int(slot) for slot in slots] == (numbers if supported else [])
    # What is forced before a slot is what was decided, and nothing else.
    for earlier, later in zip(desk.forced, desk.forced[1:], strict=False):
        assert re.fullmatch(r"[01]\n\[\d+\]: ", later.removeprefix(earlier))


@given(texts=st.lists(st.text(), min_size=2, max_size=4), task=st.sampled_from(list(TASKS)))
def test_texts_are_in_segments_and_never_in_choices_or_forced_answers(
    texts: list[str], task: str
) -> None:
    desk = FakeDesk(lambda _forced: YES)
    numbers = range(len(texts))

    attribute(desk, numbers, texts, task)

    for request in desk.asked:
        assert request.choices == ("0", "1")
        assert re.fullmatch(r"Supported: (1(\n\[\d\]: 1)*\n\[\d\]: )?", request.answer_prefix)
        (document,) = (s for s in request.prompt if s.kind == "document")
        assert document.text.reveal() == "\n".join(f"[{n}] {t}" for n, t in enumerate(texts))
        (claim,) = (s for s in request.prompt if s.kind == "claim")
        assert claim.text == STATEMENT


def test_no_text_shows_in_a_request() -> None:
    desk = FakeDesk(lambda _forced: YES)

    attribute(desk, [0, 1], ["Quellmalz", "Quellmalz"])

    for request in desk.asked:
        assert "Quellmalz" not in repr(request)
        assert "coughs" not in repr(request)


@pytest.mark.parametrize("task", TASKS)
def test_worked_examples_answer_in_the_form_that_is_forced(task: str) -> None:
    for example in load_task_prompts(task).citation.examples:
        numbers = re.findall(r"^\[(\d+)\]", example.document, re.MULTILINE)
        supported, *slots = example.answer.split("\n")
        assert supported == SUPPORTED + example.label
        if example.label == "0" or len(numbers) == 1:
            assert slots == []
        else:
            assert [slot[:-1] for slot in slots] == [f"[{number}]: " for number in numbers]
            assert {slot[-1] for slot in slots} <= {"0", "1"}
            assert any(slot.endswith("1") for slot in slots)


def test_an_instruct_judge_attributes_and_compares() -> None:
    judge = InstructJudge(cast(Desk, FakeDesk(lambda _forced: YES)), load_task_prompts("note"), 0)

    assert isinstance(judge, AttributingJudge)
    assert isinstance(judge, ComparingJudge)


@pytest.mark.parametrize("label", [True, False, None])
def test_two_questions_are_compared_by_one_decision(label: bool | None) -> None:  # noqa: FBT001
    desk = FakeDesk(lambda _forced: LABELS[label])
    prompts = load_task_prompts("question")
    judge = InstructJudge(cast(Desk, desk), prompts, 2)
    output, reference = SealedText("What helps?"), SealedText("What can I do?")

    verdict = asyncio.run(judge.asks_the_same(output, reference))

    assert verdict.label is label
    assert prompts.same is not None
    assert desk.asked == [DecisionRequest(prompts.same.ask(output, reference, 2), ("0", "1"))]


@pytest.mark.parametrize("task", ["note", "radiology"])
def test_other_tasks_have_no_words_to_compare_questions(task: str) -> None:
    desk = FakeDesk(lambda _forced: YES)
    judge = InstructJudge(cast(Desk, desk), load_task_prompts(task), 2)

    verdict = asyncio.run(judge.asks_the_same(SealedText("a"), SealedText("b")))

    assert verdict.unscored == "this task doesn't compare questions"
    assert desk.asked == []

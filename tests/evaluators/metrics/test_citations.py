"""What is asked for a statement and its citations, and what becomes of missing answers."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.evaluators.metrics.fake_judges import (
    FunctionJudge,
    Label,
    cited,
    conventions,
    judge_with,
    labels,
    verdict,
)
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges import Verdict
from wardlens.evaluators.judges.judge import Attribution
from wardlens.evaluators.judges.verdict import without_verdict

SOURCE = "[0] zero\n[1] one\n[2] two"
JOINT = "zero one"


class ScriptedJudge(FunctionJudge):
    """Answers by premise; a premise that it doesn't know must not be asked."""

    def __init__(self, answers: dict[str, Label]) -> None:
        super().__init__(lambda premise, _hypothesis: answers[premise], answers_in_order=True)

    @property
    def premises(self) -> list[str]:
        return [premise for premise, _hypothesis in self.asked]


def test_all_together_then_each_alone_then_the_rest_without_it() -> None:
    answers: dict[str, Label] = {"zero one two": True, "zero": True}
    answers |= {"one": False, "zero two": True, "two": False, "zero one": False}
    judge = ScriptedJudge(answers)

    judged = judge_with(judge, cited("Cough [0][1][2].", SOURCE))

    assert judge.premises == ["zero one two", "zero", "one", "zero two", "two", "zero one"]
    assert labels(judged["citation_precision"]) == [True, False, True]


@pytest.mark.parametrize("label", [True, False, None])
def test_a_single_citation_needs_no_second_question(label: Label) -> None:
    judge = ScriptedJudge({"one": label})

    judged = judge_with(judge, cited("Cough [1].", SOURCE))

    assert judge.premises == ["one"]
    assert labels(judged["citation_recall"]) == labels(judged["citation_precision"]) == [label]


@pytest.mark.parametrize("label", [False, None])
def test_where_the_joint_question_is_not_answered_yes_nothing_more_is_asked(label: Label) -> None:
    judge = ScriptedJudge({JOINT: label})

    judged = judge_with(judge, cited("Cough [0][1].", SOURCE))

    assert judge.premises == [JOINT]
    assert labels(judged["citation_recall"]) == [label]
    assert labels(judged["citation_precision"]) == [label, label]


def test_a_missing_joint_answer_leaves_statement_and_citations_unscored_with_its_reason() -> None:
    judged = judge_with(ScriptedJudge({JOINT: None}), cited("Cough [0][1][9].", SOURCE))

    (statement,) = judged["citation_recall"]
    assert statement.verdict == without_verdict("no answer")
    *real, dangling = judged["citation_precision"]
    assert [j.verdict for j in real] == [without_verdict("no answer")] * 2
    # Whatever the judge would say, nothing is there that could support the statement.
    assert dangling.verdict == Verdict(label=False, stable=True)


@pytest.mark.parametrize(
    ("alone", "rest", "precise", "n_questions"),
    [
        (True, True, True, 1),
        (True, False, True, 1),
        (True, None, True, 1),
        (False, True, False, 2),
        (False, False, True, 2),
        (False, None, None, 2),
        (None, True, None, 2),
        (None, False, True, 2),
        (None, None, None, 2),
    ],
)
def test_a_citation_is_unscored_where_neither_of_its_answers_decides(
    alone: Label, rest: Label, precise: Label, n_questions: int
) -> None:
    # Of two citations the rest without one is the other.
    judge = ScriptedJudge({JOINT: True, "zero": alone, "one": rest})

    judged = judge_with(judge, cited("Cough [0][1].", SOURCE))

    first = judged["citation_precision"][0]
    assert first.verdict.label is precise
    assert (first.verdict.unscored is None) == (precise is not None)
    assert len(first.questions) == n_questions
    assert labels(judged["citation_recall"]) == [True]


def test_a_statement_without_citations_fails_and_is_not_asked() -> None:
    judge = ScriptedJudge({})

    judged = judge_with(judge, cited("Cough. Fever [9].", SOURCE))

    assert labels(judged["citation_recall"]) == [False, False]
    assert labels(judged["citation_precision"]) == [False]
    assert judge.asked == []


def test_judgments_stand_in_the_order_of_the_text_with_running_numbers() -> None:
    judge = FunctionJudge(lambda _premise, _hypothesis: True)

    judged = judge_with(judge, cited("Cough [0][1]. Fever. Pain [2][7].", SOURCE))

    recall, precision = judged["citation_recall"], judged["citation_precision"]
    assert [(j.index, j.text.reveal(), j.n_citations) for j in recall] == [
        (0, "Cough.", 2),
        (1, "Fever.", 0),
        (2, "Pain.", 2),
    ]
    assert [(j.index, j.text.reveal()) for j in precision] == [
        (0, "Cough."),
        (1, "Cough."),
        (2, "Pain."),
        (3, "Pain."),
    ]
    assert labels(precision) == [True, True, True, False]


def test_numbers_run_section_by_section() -> None:
    judge = FunctionJudge(lambda _premise, _hypothesis: True)
    sections = {"assessment_and_plan": "Rest [1].", "subjective": "Cough [0]. Fever [1][2]."}

    judged = judge_with(judge, cited("", SOURCE, sections=sections))

    places = [(j.section, j.index) for j in judged["citation_precision"]]
    assert places == [
        *(("subjective", index) for index in range(3)),
        ("assessment_and_plan", 0),
    ]


def test_a_judge_whose_answers_depend_on_the_order_is_asked_one_question_after_another() -> None:
    class Impatient(FunctionJudge):
        """Fails if a question comes while it thinks."""

        thinks = False

        async def entails(
            self, premise: SealedText, hypotheses: Sequence[SealedText]
        ) -> list[Verdict]:
            assert not self.thinks
            self.thinks = True
            for _ in range(3):
                await asyncio.sleep(0)
            self.thinks = False
            return await super().entails(premise, hypotheses)

    output = "Cough [0][1]. Fever [1][2]."
    in_order = Impatient(lambda premise, _h: len(premise) > 4, answers_in_order=True)
    judge_with(in_order, cited(output, SOURCE))

    assert in_order.asked == [
        *((premise, "Cough.") for premise in ("zero one", "zero", "one", "one", "zero")),
        *((premise, "Fever.") for premise in ("one two", "one", "two", "two", "one")),
    ]
    with pytest.raises(AssertionError):
        judge_with(Impatient(lambda _p, _h: True), cited(output, SOURCE))


class AttributingFake(FunctionJudge):
    """Gives every statement's label and those of its citations in one answer."""

    def __init__(self, *, supported: Label, citations: Sequence[Label]) -> None:
        super().__init__(lambda _premise, _hypothesis: None)
        self._attribution = Attribution(verdict(supported), tuple(map(verdict, citations)))
        self.attributed: list[tuple[str, list[int], list[str]]] = []

    async def attribute(
        self, statement: SealedText, numbers: Sequence[int], sentences: Sequence[SealedText]
    ) -> Attribution:
        texts = [sentence.reveal() for sentence in sentences]
        self.attributed.append((statement.reveal(), list(numbers), texts))
        return self._attribution


@pytest.mark.parametrize("metric", ["citation_recall", "citation_precision"])
def test_a_judge_that_attributes_gives_one_answer_a_statement(metric: str) -> None:
    judge = AttributingFake(supported=True, citations=[True, None])

    judged = judge_with(judge, cited("Cough [2][0][9]. Fever.", SOURCE), metric)

    assert judge.attributed == [("Cough.", [2, 0], ["two", "zero"])]
    assert judge.asked == []
    assert labels(judged["citation_recall"]) == [True, False]
    if metric == "citation_precision":
        assert labels(judged["citation_precision"]) == [True, None, False]


def test_a_judge_that_attributes_sees_item_numbers_that_entailment_engines_do_not() -> None:
    output, source = "Stable: 1. no mass [0].", "[0] zero"
    judge, engine = (
        AttributingFake(supported=True, citations=[True]),
        FunctionJudge(lambda _p, _h: True),
    )

    for asked in (judge, engine):
        judge_with(asked, cited(output, source), under=conventions("released", "radiology", "sent"))

    assert judge.attributed[0][0] == "Stable: 1. no mass."
    assert engine.asked[0][1] == "Stable: no mass."

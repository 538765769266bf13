"""For questions a claim also counts where output and reference ask the same."""

from typing import NamedTuple

import pytest

from tests.evaluators.metrics.fake_judges import (
    Asked,
    FunctionJudge,
    Label,
    conventions,
    judge_with,
    labels,
    verdict,
)
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.judges import Verdict
from wardlens.evaluators.tasks import TASKS

METRICS = ("claim_recall", "claim_precision")
EVERY_METRIC = pytest.mark.parametrize("metric", METRICS)
LABELS: tuple[Label, ...] = (True, False, None)


class ComparingFake(FunctionJudge):
    """Gives one answer to every claim and one to whether two questions ask the same."""

    def __init__(self, *, entailed: Label, same: Label) -> None:
        super().__init__(lambda _premise, _hypothesis: entailed)
        self.compared: list[Asked] = []
        self._same = same

    async def asks_the_same(self, output: SealedText, reference: SealedText) -> Verdict:
        self.compared.append((output.reveal(), reference.reveal()))
        return verdict(self._same)


class Judged(NamedTuple):
    labels: list[Label]
    compared: list[Asked]


def judge(
    metric: str,
    entailed: Label,
    same: Label,
    *,
    output: str | None = "Out [1]?",
    reference: str | None = "Ref?",
) -> Judged:
    fake = ComparingFake(entailed=entailed, same=same)
    example = Example(
        SealedText("q"),
        1,
        output=None if output is None else SealedText(output),
        reference=None if reference is None else SealedText(reference),
    )
    example = TASKS["question"].prepare(example)
    judged = judge_with(fake, example, metric, conventions(task="question"))
    return Judged(labels(judged[metric]), fake.compared)


@EVERY_METRIC
@pytest.mark.parametrize("entailed", LABELS)
@pytest.mark.parametrize("same", LABELS)
def test_either_yes_counts_and_both_must_say_no(metric: str, entailed: Label, same: Label) -> None:
    either: Label = None if None in {entailed, same} else False
    either = True if True in {entailed, same} else either

    assert judge(metric, entailed, same).labels == [either]


@EVERY_METRIC
def test_output_and_reference_are_compared_without_the_citations_of_the_output(metric: str) -> None:
    assert judge(metric, entailed=False, same=True).compared == [("Out?", "Ref?")]


@EVERY_METRIC
@pytest.mark.parametrize("task", ["note", "radiology"])
def test_other_tasks_compare_nothing(metric: str, task: str) -> None:
    fake = ComparingFake(entailed=False, same=True)
    claims = {"full": (SealedText("c"),)}
    example = Example(
        SealedText("n"),
        1,
        output=SealedText("o"),
        reference=SealedText("r"),
        reference_claims=claims,
        output_claims=claims,
    )

    judged = judge_with(fake, example, metric, conventions(task=task))

    assert labels(judged[metric]) == [False]
    assert fake.compared == []


@EVERY_METRIC
def test_a_judge_that_can_not_compare_asks_for_entailment_only(metric: str) -> None:
    fake = FunctionJudge(lambda _premise, _hypothesis: False)
    example = Example(SealedText("q"), 1, output=SealedText("o"), reference=SealedText("r"))

    judged = judge_with(
        fake, TASKS["question"].prepare(example), metric, conventions(task="question")
    )

    assert labels(judged[metric]) == [False]
    assert len(fake.asked) == 1


@EVERY_METRIC
def test_without_a_claim_nothing_is_compared(metric: str) -> None:
    if metric == "claim_recall":
        judged = judge(metric, entailed=True, same=True, reference=None)
    else:
        judged = judge(metric, entailed=True, same=True, output=None)

    assert judged == Judged([], [])


def test_an_empty_output_counts_where_the_judge_says_that_both_ask_the_same() -> None:
    judged = judge("claim_recall", entailed=True, same=True, output="")

    assert judged == Judged([True], [("", "Ref?")])

"""Metrics are chosen by name, and say what they need."""

from pathlib import Path

import pytest

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.metrics import METRICS, choose_metrics
from wardlens.evaluators.metrics.metric import require_fields

CLAIMS = {"full": (SealedText("c"),)}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("claim_recall", ["claim_recall"]),
        ("claim_precision,claim_recall", ["claim_precision", "claim_recall"]),
        (" claim_recall , claim_precision ,", ["claim_recall", "claim_precision"]),
        ("citation_precision,citation_recall", ["citation_precision", "citation_recall"]),
        ("claim_recall,claim_recall", ["claim_recall"]),
    ],
)
def test_each_named_metric_is_taken_once_in_the_order_given(
    given: str, expected: list[str]
) -> None:
    assert [metric.name for metric in choose_metrics(given)] == expected


@pytest.mark.parametrize("given", ["", ",", "recall", "claim_recall,Claim_Precision"])
def test_an_unknown_metric_is_refused_with_the_allowed_ones(given: str) -> None:
    with pytest.raises(UserError, match=r"unknown metric .*Allowed: claim_recall, claim_precision"):
        choose_metrics(given)


def test_a_metric_without_any_claims_is_refused() -> None:
    examples = [Example(SealedText("a"), 1, output=SealedText("o"), reference_claims={"full": ()})]

    with pytest.raises(UserError, match=r"s\.json: no row has claims for claim_recall"):
        require_fields([METRICS["claim_recall"]], examples, Path("s.json"))


def test_claims_in_one_row_are_enough() -> None:
    examples = [
        Example(SealedText("a"), 1),
        Example(SealedText("b"), 2, output=SealedText("o"), reference_claims=CLAIMS),
    ]

    require_fields([METRICS["claim_recall"]], examples, Path("s.json"))


@pytest.mark.parametrize(
    ("metric", "field"), [("claim_recall", "output"), ("claim_precision", "reference")]
)
def test_claims_without_a_text_to_hold_them_against_are_refused_by_row(
    metric: str, field: str
) -> None:
    examples = [Example(SealedText("secret"), 3, reference_claims=CLAIMS, output_claims=CLAIMS)]

    with pytest.raises(UserError) as refused:
        require_fields([METRICS[metric]], examples, Path("s.json"))

    assert str(refused.value) == (
        f"s.json: row 3, field '{field}': missing, but {metric} judges claims against it."
    )


@pytest.mark.parametrize("metric", ["citation_recall", "citation_precision"])
@pytest.mark.parametrize("field", ["output", "input"])
def test_citation_metrics_need_both_texts_in_every_row(field: str, metric: str) -> None:
    text = SealedText("t")
    whole = Example(SealedText("a"), 1, input=text, output=text)
    without = {
        "output": Example(SealedText("b"), 2, input=text),
        "input": Example(SealedText("b"), 2, output=text),
    }

    with pytest.raises(UserError) as refused:
        require_fields([METRICS[metric]], [whole, without[field]], Path("s.json"))

    assert str(refused.value) == (
        f"s.json: row 2, field '{field}': missing, but {metric} judges the output's statements "
        "against the input sentences they cite."
    )


@pytest.mark.parametrize("metric", ["citation_recall", "citation_precision"])
def test_sections_of_an_output_and_an_empty_input_are_enough_for_citation_metrics(
    metric: str,
) -> None:
    sections = {"subjective": SealedText("")}
    examples = [Example(SealedText("a"), 1, input=SealedText(""), output_sections=sections)]

    require_fields([METRICS[metric]], examples, Path("s.json"))

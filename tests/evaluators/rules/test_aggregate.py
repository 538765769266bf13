"""Scores against a reference that recounts the labels one by one."""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardlens.evaluators.judges import Verdict
from wardlens.evaluators.rules import PRESETS
from wardlens.evaluators.rules.aggregate import MetricResult, Summary, aggregate
from wardlens.evaluators.rules.tally import Tally, tally

Labels = dict[str, list[bool | None]]
"""Labels of one text by section; None is unscored."""

RULE_NAMES = ("paper", "released")
CLOSE = 1e-12

labels = st.lists(st.sampled_from([True, False, None]), max_size=4)
texts = st.lists(
    st.dictionaries(st.sampled_from(["subjective", "full", "plan"]), labels), max_size=6
)


def tallies(text: Labels) -> dict[str, Tally]:
    verdicts = {
        s: [Verdict(label, unscored=None if label is not None else "x") for label in ls]
        for s, ls in text.items()
    }
    return {section: tally(listed) for section, listed in verdicts.items()}


def aggregated(given: Sequence[Labels], rules: str) -> MetricResult:
    return aggregate([tallies(text) for text in given], PRESETS[rules])


def pooled(text: Labels) -> list[bool | None]:
    return [label for listed in text.values() for label in listed]


def micro(given: Sequence[list[bool | None]]) -> Fraction | None:
    scored = [label for text in given for label in text if label is not None]
    return Fraction(sum(scored), len(scored)) if scored else None


def macro(given: Sequence[list[bool | None]]) -> Fraction | None:
    shares = [share for text in given if (share := micro([text])) is not None]
    return sum(shares, Fraction()) / len(shares) if shares else None


def filled(given: Sequence[list[bool | None]], *, value: bool) -> list[list[bool | None]]:
    return [[value if label is None else label for label in text] for text in given]


def check(summary: Summary, given: Sequence[list[bool | None]], rules: str) -> None:
    chosen = micro if rules == "released" else macro
    empty = 0.0 if rules == "released" else None
    assert summary.micro == approximately(micro(given), empty)
    assert summary.macro == approximately(macro(given), empty)
    assert summary.score == (summary.micro if rules == "released" else summary.macro)
    assert summary.n == sum(len(text) for text in given)
    assert summary.n_unscored == sum(label is None for text in given for label in text)
    assert summary.n_texts == sum(len(text) > 0 for text in given)
    if summary.n:
        low, high = (chosen(filled(given, value=value)) for value in (False, True))
        assert summary.bounds == (approximately(low, None), approximately(high, None))
    else:
        assert summary.bounds is None


def approximately(value: Fraction | None, empty: float | None) -> object:
    return empty if value is None else pytest.approx(float(value), abs=CLOSE)


@pytest.mark.parametrize("rules", RULE_NAMES)
@given(given_texts=texts)
def test_a_total_is_what_recounting_all_labels_gives(rules: str, given_texts: list[Labels]) -> None:
    check(aggregated(given_texts, rules).total, [pooled(text) for text in given_texts], rules)


@pytest.mark.parametrize("rules", RULE_NAMES)
@given(given_texts=texts)
def test_a_section_is_what_recounting_its_labels_gives(
    rules: str, given_texts: list[Labels]
) -> None:
    result = aggregated(given_texts, rules)

    assert set(result.sections) == {section for text in given_texts for section in text}
    for section, summary in result.sections.items():
        check(summary, [text[section] for text in given_texts if section in text], rules)


@pytest.mark.parametrize("rules", RULE_NAMES)
@given(given_texts=texts)
def test_the_bounds_enclose_the_score(rules: str, given_texts: list[Labels]) -> None:
    total = aggregated(given_texts, rules).total

    if total.bounds is not None and total.score is not None and total.n > total.n_unscored:
        assert total.bounds[0] - CLOSE <= total.score <= total.bounds[1] + CLOSE


@pytest.mark.parametrize("rules", RULE_NAMES)
@given(given_texts=texts, seed=st.integers(0, 2**32))
def test_the_order_of_texts_changes_no_score(
    rules: str, given_texts: list[Labels], seed: int
) -> None:
    shuffled = random.Random(seed).sample(given_texts, len(given_texts))  # noqa: S311 - test data

    before, after = (aggregated(order, rules).total for order in (given_texts, shuffled))

    assert (before.score, before.micro, before.macro) == (after.score, after.micro, after.macro)
    assert before.bounds == after.bounds


@pytest.mark.parametrize("rules", RULE_NAMES)
@given(given_texts=texts, data=st.data())
def test_one_more_supported_claim_never_lowers_the_score(
    rules: str, given_texts: list[Labels], data: st.DataObject
) -> None:
    before = aggregated(given_texts, rules).total
    longer = [{section: list(ls) for section, ls in text.items()} for text in given_texts] or [{}]
    text = longer[data.draw(st.integers(0, len(longer) - 1))]
    text.setdefault("full", []).append(True)

    after = aggregated(longer, rules).total

    for old, new in ((before.micro, after.micro), (before.macro, after.macro)):
        assert new is not None
        assert old is None or new >= old - CLOSE


def test_without_judgments_paper_gives_no_score_and_released_zero() -> None:
    nothing: list[Labels] = [{}, {"full": []}]

    assert aggregated(nothing, "paper").total.score is None
    assert aggregated(nothing, "released").total.score == 0.0
    assert aggregated(nothing, "released").total.bounds is None


def test_with_every_judgment_unscored_the_bounds_say_that_anything_is_possible() -> None:
    nothing_known: list[Labels] = [{"full": [None]}, {"full": [None, None]}]

    assert aggregated(nothing_known, "paper").total.score is None
    assert aggregated(nothing_known, "released").total.score == 0.0
    assert aggregated(nothing_known, "paper").total.bounds == (0.0, 1.0)
    assert aggregated(nothing_known, "released").total.bounds == (0.0, 1.0)


def test_a_text_counts_as_one_whatever_its_number_of_claims() -> None:
    total = aggregated([{"full": [True]}, {"full": [False] * 9}], "paper").total

    assert (total.score, total.macro, total.micro) == (0.5, 0.5, 0.1)


def test_sections_stay_in_the_order_of_their_first_text() -> None:
    first: list[Labels] = [{"subjective": [True]}, {"full": [True], "subjective": [False]}]

    assert list(aggregated(first, "paper").sections) == ["subjective", "full"]

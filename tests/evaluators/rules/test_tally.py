"""Counts of verdicts and the shares that they give."""

from hypothesis import given
from hypothesis import strategies as st

from wardlens.evaluators.judges import Verdict
from wardlens.evaluators.rules.tally import Tally, tally

labels = st.lists(st.sampled_from([True, False, None]), max_size=8)


def count(given_labels: list[bool | None]) -> Tally:
    return tally(Verdict(label) for label in given_labels)


@given(given_labels=labels)
def test_a_tally_counts_all_true_and_unscored_verdicts(given_labels: list[bool | None]) -> None:
    assert count(given_labels) == Tally(
        len(given_labels), given_labels.count(True), given_labels.count(None)
    )


@given(first=labels, second=labels)
def test_tallies_add_up_as_their_verdicts_do(
    first: list[bool | None], second: list[bool | None]
) -> None:
    assert count(first) + count(second) == count(first + second)


def test_the_share_leaves_unscored_verdicts_out() -> None:
    assert count([True, False, None, None]).share == 0.5


def test_the_bounds_take_unscored_verdicts_for_false_and_for_true() -> None:
    assert (count([True, False, None, None]).lower, count([True, False, None, None]).upper) == (
        0.25,
        0.75,
    )


def test_without_verdicts_there_is_neither_share_nor_bound() -> None:
    assert (Tally().share, Tally().lower, Tally().upper) == (None, None, None)


def test_with_unscored_verdicts_only_there_are_bounds_but_no_share() -> None:
    assert (count([None]).share, count([None]).lower, count([None]).upper) == (None, 0.0, 1.0)

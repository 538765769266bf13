"""The interval against a loop that draws one text after the other."""

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wardlens.evaluators.rules.bootstrap import RESAMPLES, SEED, interval_95
from wardlens.evaluators.rules.tally import Tally

Score = Literal["macro", "micro"]

tallies = st.builds(
    lambda true, false, unscored: Tally(true + false + unscored, true, unscored),
    st.integers(0, 5),
    st.integers(0, 5),
    st.integers(0, 2),
)


def slow_interval(given: list[Tally], score: Score) -> tuple[float, float] | None:
    scored = [t for t in given if t.n_true + (t.n - t.n_true - t.n_unscored) > 0]
    if len(scored) < 2:
        return None
    chance = np.random.default_rng(SEED)
    scores = []
    for _ in range(RESAMPLES):
        drawn = [scored[int(i)] for i in chance.integers(0, len(scored), size=len(scored))]
        if score == "micro":
            scores.append(sum(t.n_true for t in drawn) / sum(t.n - t.n_unscored for t in drawn))
        else:
            scores.append(sum(t.n_true / (t.n - t.n_unscored) for t in drawn) / len(drawn))
    scores.sort()
    return percentile(scores, 2.5), percentile(scores, 97.5)


def percentile(ordered: list[float], percent: float) -> float:
    position = (len(ordered) - 1) * percent / 100
    below = int(position)
    return ordered[below] + (ordered[below + 1] - ordered[below]) * (position - below)


@pytest.mark.parametrize("score", ["macro", "micro"])
@given(given_tallies=st.lists(tallies, max_size=6))
@settings(max_examples=15)
def test_the_interval_is_what_a_loop_over_resamples_gives(
    score: Score, given_tallies: list[Tally]
) -> None:
    assert interval_95(given_tallies, score) == (
        pytest.approx(expected, abs=1e-12)
        if (expected := slow_interval(given_tallies, score))
        else None
    )


@pytest.mark.parametrize("score", ["macro", "micro"])
def test_the_same_counts_always_give_the_same_interval(score: Score) -> None:
    given_tallies = [Tally(5, i, 0) for i in range(6)]

    assert interval_95(given_tallies, score) == interval_95(list(given_tallies), score)


@pytest.mark.parametrize(
    "given_tallies",
    [[], [Tally(3, 1, 0)], [Tally(3, 1, 0), Tally(0, 0, 0)], [Tally(3, 1, 0), Tally(2, 0, 2)]],
)
def test_fewer_than_two_scored_texts_have_no_interval(given_tallies: list[Tally]) -> None:
    assert interval_95(given_tallies, "macro") is None


@given(given_tallies=st.lists(tallies, min_size=2, max_size=6))
@settings(max_examples=15)
def test_the_interval_lies_within_zero_and_one(given_tallies: list[Tally]) -> None:
    interval = interval_95(given_tallies, "macro")

    assert interval is None or 0 <= interval[0] <= interval[1] <= 1

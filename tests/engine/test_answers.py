"""Raw replies, and the answers read from them."""

import json
import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.questions import decision, entailment
from wardlens.engine.answers import (
    Decision,
    Entailment,
    ScoredSpelling,
    Unscored,
    read_answer,
    write_decision,
    write_entailment,
    write_unscored,
)
from wardlens.engine.requests import DecisionRequest, Request

ENTAILMENT = entailment("note", "claim")
TWO_CHOICES = decision("note", "claim", ("0", "1"))


def request_for(choice_count: int) -> DecisionRequest:
    return decision("note", "claim", tuple(map(str, range(choice_count))))


def spell(choice: int, log_probability: float, token: int = 0) -> ScoredSpelling:
    return ScoredSpelling(choice, (token,), log_probability)


def decide(*spellings: ScoredSpelling, choices: int = 2) -> Decision:
    answer = read_answer(request_for(choices), write_decision(spellings))
    assert isinstance(answer, Decision)
    return answer


@st.composite
def scored_spellings(draw: st.DrawFn) -> tuple[int, list[ScoredSpelling]]:
    """A number of choices, and one to three spellings of each in any order."""
    count = draw(st.integers(2, 5))
    log_probability = st.one_of(st.floats(-1000, 0), st.sampled_from([-1.0, -1.5, 0.0]))
    spellings = [
        spell(choice, draw(log_probability), token)
        for choice in range(count)
        for token in range(draw(st.integers(1, 3)))
    ]
    return count, draw(st.permutations(spellings))


def softmax_over_choices(count: int, spellings: list[ScoredSpelling]) -> list[float]:
    """The definition in float64: softmax over all spellings, summed by choice."""
    scores = np.array([s.log_probability for s in spellings], dtype=np.float64)
    shares = np.exp(scores - np.logaddexp.reduce(scores))
    owners = np.array([s.choice for s in spellings])
    return [float(shares[owners == choice].sum()) for choice in range(count)]


@given(scored_spellings())
def test_probabilities_are_the_softmax_over_the_spellings(
    drawn: tuple[int, list[ScoredSpelling]],
) -> None:
    count, spellings = drawn
    answer = decide(*spellings, choices=count)
    expected = softmax_over_choices(count, spellings)
    assert answer.probabilities == pytest.approx(expected, rel=1e-12, abs=1e-300)
    assert math.fsum(answer.probabilities) == pytest.approx(1)


@given(scored_spellings())
def test_the_index_is_the_choice_of_the_likeliest_spelling(
    drawn: tuple[int, list[ScoredSpelling]],
) -> None:
    count, spellings = drawn
    top = max(s.log_probability for s in spellings)
    expected = min(s.choice for s in spellings if s.log_probability == top)
    assert decide(*spellings, choices=count).index == expected


@given(scored_spellings())
def test_the_margin_is_the_lead_over_the_best_other_choice(
    drawn: tuple[int, list[ScoredSpelling]],
) -> None:
    count, spellings = drawn
    answer = decide(*spellings, choices=count)
    mine = max(s.log_probability for s in spellings if s.choice == answer.index)
    others = max(s.log_probability for s in spellings if s.choice != answer.index)
    assert answer.margin == mine - others >= 0


@given(scored_spellings())
def test_the_mass_is_the_raw_sum_of_all_spellings(
    drawn: tuple[int, list[ScoredSpelling]],
) -> None:
    count, spellings = drawn
    exact = sum(Fraction(math.exp(s.log_probability)) for s in spellings)
    expected = min(1.0, float(exact))
    assert decide(*spellings, choices=count).mass == pytest.approx(expected, rel=1e-9, abs=1e-300)


@given(scored_spellings(), st.randoms(use_true_random=False))
def test_the_order_of_spellings_doesnt_matter_beyond_rounding(
    drawn: tuple[int, list[ScoredSpelling]], random: Random
) -> None:
    count, spellings = drawn
    shuffled = list(spellings)
    random.shuffle(shuffled)
    one, other = decide(*spellings, choices=count), decide(*shuffled, choices=count)
    assert (one.index, one.margin) == (other.index, other.margin)
    assert one.probabilities == pytest.approx(other.probabilities, rel=1e-12, abs=1e-300)


def test_two_spellings_of_a_choice_add_up() -> None:
    answer = decide(spell(0, math.log(0.2)), spell(1, math.log(0.3), 5), spell(1, math.log(0.1), 6))
    assert answer.probabilities == pytest.approx((2 / 6, 4 / 6))
    assert answer.mass == pytest.approx(0.6)
    assert answer.index == 1
    assert answer.margin == pytest.approx(math.log(0.3) - math.log(0.2))


def test_greedy_decoding_decides_even_against_the_sum_of_spellings() -> None:
    answer = decide(
        spell(0, math.log(0.3)), spell(1, math.log(0.25), 5), spell(1, math.log(0.25), 6)
    )
    assert answer.index == 0
    assert answer.probabilities == pytest.approx((0.375, 0.625))


def test_of_equal_choices_the_first_is_taken_with_no_margin() -> None:
    answer = decide(spell(2, -1.0), spell(1, -1.0), spell(0, -3.0), choices=3)
    assert (answer.index, answer.margin) == (1, 0.0)


def test_very_unlikely_choices_keep_their_proportions() -> None:
    answer = decide(spell(0, -800.0), spell(1, -801.0))
    assert answer.probabilities == pytest.approx((1 / (1 + math.e**-1), 1 / (1 + math.e)))
    assert answer.mass == 0.0


@pytest.mark.parametrize("lost", [-math.inf, math.nan, math.inf])
def test_a_choice_without_a_finite_probability_leaves_the_decision_unscored(lost: float) -> None:
    raw = write_decision([spell(0, -0.1), spell(1, lost)])
    answer = read_answer(TWO_CHOICES, raw)
    assert answer == Unscored("the model gave a choice no finite probability", lasting=True)


def test_a_choice_without_spellings_leaves_the_decision_unscored() -> None:
    assert isinstance(read_answer(TWO_CHOICES, write_decision([spell(0, -0.1)])), Unscored)


def test_an_impossible_spelling_beside_a_possible_one_adds_nothing() -> None:
    answer = decide(spell(0, -1.0, 5), spell(0, -math.inf, 6), spell(1, -1.0, 7))
    assert answer.probabilities == (0.5, 0.5)


def test_an_undefined_spelling_leaves_the_decision_unscored_even_beside_a_defined_one() -> None:
    raw = write_decision([spell(0, -1.0, 5), spell(0, math.nan, 6), spell(1, -1.0, 7)])
    assert isinstance(read_answer(TWO_CHOICES, raw), Unscored)


@pytest.mark.parametrize("label", [True, False])
@pytest.mark.parametrize("probability", [None, 0.0, 0.1 + 0.2, 1.0])
def test_an_entailment_is_read_as_written(*, label: bool, probability: float | None) -> None:
    raw = write_entailment(label=label, probability=probability)
    assert read_answer(ENTAILMENT, raw) == Entailment(label, probability)


@given(st.lists(st.floats(-1e3, 0), min_size=2, max_size=2))
def test_scores_are_written_without_loss(log_probabilities: list[float]) -> None:
    raw = write_decision([spell(c, lp) for c, lp in enumerate(log_probabilities)])
    assert [row[2] for row in json.loads(raw)["spellings"]] == log_probabilities


@pytest.mark.parametrize("request_", [ENTAILMENT, TWO_CHOICES])
def test_a_lasting_refusal_is_read_as_written(request_: Request) -> None:
    raw = write_unscored("the prompt has 9 tokens")
    assert read_answer(request_, raw) == Unscored("the prompt has 9 tokens", lasting=True)


WRONG_ENTAILMENTS = [b'{"probability": 0.5}', write_decision([spell(0, -1.0), spell(1, -2.0)])]
WRONG_DECISIONS = [
    write_entailment(label=True, probability=0.5),
    b'{"spellings": 3}',
    b'{"spellings": [3]}',
    b'{"spellings": [[0, [1]], [1, [2]]]}',
    b'{"spellings": [[0, 1, -1.0], [1, 2, -1.0]]}',
    b'{"spellings": [[0, [1], "likely"], [1, [2], -1.0]]}',
    b'{"spellings": [[0, [1], null], [1, [2], -1.0]]}',
    b'{"spellings": [[0, [1], -1.0], [2, [2], -1.0]]}',
    b'{"spellings": [[0, [1], -1.0], [-1, [2], -1.0]]}',
    b'{"spellings": [[0, [1], -1.0], ["1", [2], -1.0]]}',
]
NO_REPLIES = [b"", b"{", b"\xff\xfe", b"[]", b"3", b"null", b'"unscored"', b"{}"]


@pytest.mark.parametrize("raw", WRONG_ENTAILMENTS + NO_REPLIES)
def test_what_is_no_entailment_reply_is_a_value_error(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message may be the parser's
        read_answer(ENTAILMENT, raw)


@pytest.mark.parametrize("raw", WRONG_DECISIONS + NO_REPLIES)
def test_what_is_no_decision_reply_is_a_value_error(raw: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the message may be the parser's
        read_answer(TWO_CHOICES, raw)

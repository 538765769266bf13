"""The overlap rule."""

import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.questions import decision, entailment
from tests.engine.running import run_async
from wardlens.engine.answers import Entailment, read_answer
from wardlens.engine.models.overlap import DEFAULT_THRESHOLD, OverlapReplica, is_entailed, words
from wardlens.engine.replicas import TokenCounts

WORDS = st.sampled_from(["fever", "Fever", "no", "38", "mg", "é", "--", "x1"])
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
THRESHOLDS = st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 0.6, 2 / 3, 0.75, 1.0])


def words_one_by_one(text: str) -> set[str]:
    """The definition, letter by letter: maximal runs of a-z and 0-9 in lower case."""
    allowed = set(string.ascii_lowercase + string.digits)
    spaced = "".join(letter if letter in allowed else " " for letter in text.lower())
    return set(spaced.split())


def judge(premise: str, hypothesis: str, threshold: float = DEFAULT_THRESHOLD) -> Entailment:
    request = entailment(premise, hypothesis)
    (reply,) = run_async(OverlapReplica(threshold).answer([request]))
    assert isinstance(reply.content, bytes)
    answer = read_answer(request, reply.content)
    assert isinstance(answer, Entailment)
    return answer


@given(st.text(max_size=30))
def test_words_are_runs_of_letters_and_digits_in_lower_case(text: str) -> None:
    assert words(text) == words_one_by_one(text)


@given(TEXTS, TEXTS, THRESHOLDS)
def test_agrees_with_counting_word_by_word(premise: str, hypothesis: str, threshold: float) -> None:
    wanted = words_one_by_one(hypothesis)
    found = [word for word in wanted if word in words_one_by_one(premise)]
    expected = bool(wanted) and len(found) / len(wanted) >= threshold
    assert judge(premise, hypothesis, threshold) == Entailment(expected, None)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "entailed"),
    [
        ("The patient has a high fever.", "Patient: HIGH FEVER", True),
        ("The patient has a fever.", "has gout", False),
        ("a b c", "a b c d e", True),
        ("a b", "a b c d", False),
        ("a", "a a a a b", False),
        ("anything", "", False),
        ("anything", "... !?", False),
        ("", "anything", False),
        ("Fieber é", "é", False),
    ],
)
def test_a_share_of_six_tenths_of_the_different_words_entails(
    premise: str, hypothesis: str, *, entailed: bool
) -> None:
    assert judge(premise, hypothesis).label == entailed


def test_a_hypothesis_without_words_is_not_entailed_even_at_threshold_zero() -> None:
    assert not is_entailed(frozenset({"a"}), frozenset(), 0.0)
    assert is_entailed(frozenset({"a"}), frozenset({"b"}), 0.0)


def test_replies_come_in_the_order_of_the_requests_and_cost_no_tokens() -> None:
    block = [entailment("a b c", hypothesis) for hypothesis in ("a", "x", "b c", "y z")]
    replies = run_async(OverlapReplica().answer(block))
    labels = [
        read_answer(request, reply.content)  # type: ignore[arg-type]
        for request, reply in zip(block, replies, strict=True)
    ]
    assert labels == [Entailment(label, None) for label in (True, False, True, False)]
    assert {reply.tokens for reply in replies} == {TokenCounts()}


def test_the_threshold_is_part_of_the_fingerprint() -> None:
    fingerprints = {OverlapReplica(threshold).fingerprint for threshold in (0.5, 0.6, 0.6000001)}
    assert len(fingerprints) == 3
    assert OverlapReplica(0.6).fingerprint == OverlapReplica().fingerprint


def test_other_kinds_of_requests_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match="the overlap rule can't answer a DecisionRequest"):
        run_async(OverlapReplica().answer([decision("note", "claim")]))


def test_starting_and_closing_do_nothing(tmp_path: Path) -> None:
    async def live() -> None:
        replica = OverlapReplica()
        await replica.start()
        await replica.close()

    run_async(live())
    assert list(tmp_path.iterdir()) == []

"""Finding citation markers, and how a text reads without them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardlens.evaluators.text.citations import GRAMMARS, CitedRange

PAPER, RELEASED = GRAMMARS["lists_and_ranges"], GRAMMARS["first_number"]
TEXTS = st.lists(
    st.sampled_from(["[", "]", "1", "23", "-", "\u2013", ",", ";", " ", "\n", "a", ".", "|"])
).map("".join)


@pytest.mark.parametrize(
    ("text", "paper", "released"),
    [
        ("a [1].", [(1, 1)], [1]),
        ("a [1][2] b [1]", [(1, 1), (2, 2), (1, 1)], [1, 2, 1]),
        ("a [1, 2]", [(1, 1), (2, 2)], [1]),
        ("a [3-5; 7]", [(3, 5), (7, 7)], [3]),
        ("a [5\u20133]", [(5, 3)], [5]),
        ("a [[4]]", [(4, 4)], [4]),
        ("a [4", [], [4]),
        ("a [4 b", [], [4]),
        ("a [4a]", [], [4]),
        ("a [1.5]", [], [1]),
        ("a 4]", [], []),
        ("a [] [-1] [a1] [ 2", [], []),
        ("a [ 2 ]", [(2, 2)], []),
        ("a [007]", [(7, 7)], [7]),
    ],
)
def test_markers_are_found_by_each_grammar(
    text: str, paper: list[tuple[int, int]], released: list[int]
) -> None:
    assert PAPER.find(text) == [CitedRange(*ends) for ends in paper]
    assert RELEASED.find(text) == [CitedRange(number, number) for number in released]


@pytest.mark.parametrize("digits", ["9" * 30, "9" * 4000])
def test_huge_numbers_are_told_apart(digits: str) -> None:
    for grammar in (PAPER, RELEASED):
        (found, other) = grammar.find(f"[{digits}][{digits[:-1]}8]")
        assert found.first == other.first + 1


def test_numbers_longer_than_python_reads_are_one_number() -> None:
    for grammar in (PAPER, RELEASED):
        found = grammar.find("[" + "1" * 5000 + "][" + "2" * 6000 + "]")
        assert len(set(found)) == 1
        assert found[0].first > 10**3999


@pytest.mark.parametrize(
    ("text", "paper", "released"),
    [
        ("a [1]. b", "a. b", "a. b"),
        ("a  \t[1] b", "a b", "a  \t b"),
        ("a [1] [2] b", "a b", "a b"),
        ("a\n[1] b", "a\n b", "a\n b"),
        ("a [1, 2] b", "a b", "a, 2 b"),
        ("a [3-5]", "a", "a-5"),
        ("a [[3]]", "a []", "a ["),
        ("a [] [-1] [b]", "a [] [-1] [b]", "a [ [-1 [b"),
        ("a [1] | b", "a | b", "a b"),
        ("a[1]b", "ab", "ab"),
        ("[1]", "", ""),
        ("", "", ""),
    ],
)
def test_a_text_reads_without_its_markers(text: str, paper: str, released: str) -> None:
    assert PAPER.remove(text) == paper
    assert RELEASED.remove(text) == released


@given(TEXTS)
def test_a_text_from_which_markers_are_taken_keeps_all_its_words(text: str) -> None:
    without = PAPER.remove(text)

    assert [c for c in without if c == "a"] == [c for c in text if c == "a"]
    if "[" not in without:
        assert PAPER.find(without) == []
    if not PAPER.find(text):
        assert without == text


@given(TEXTS)
def test_released_texts_keep_no_closing_bracket(text: str) -> None:
    assert "]" not in RELEASED.remove(text)


@pytest.mark.parametrize(
    "text",
    [
        " " * 10**6,
        "\t" * 10**6,
        ("x" + " " * 999) * 1000,
        "[" * 10**6,
        "[" + " " * 10**6,
        "[1" + " " * 10**6,
        "[" + "1" * 10**6,
        "[" + "1," * 500_000,
        "[" + "1-1," * 250_000,
        "[" + "1 - 1 , " * 125_000,
        "[1]" * 330_000,
        " | ]" * 250_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_a_million_characters_take_no_more_than_a_few_seconds(text: str) -> None:
    for grammar in (PAPER, RELEASED):
        started = time.process_time()
        grammar.find(text)
        grammar.remove(text)
        assert time.process_time() - started < 5

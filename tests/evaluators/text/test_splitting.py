"""Cutting outputs into pieces, by mode and splitter."""

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardlens.evaluators.tasks import SplitMode
from wardlens.evaluators.text.citations import GRAMMARS
from wardlens.evaluators.text.splitting import (
    SplitterName,
    is_heading,
    split_at_citations,
    split_statements,
)

OUTPUTS = st.lists(
    st.sampled_from(
        ["[1]", "[2, 3]", "[4-5]", "[", "]", " ", "\n", ".", ";", "- ", "cough", "Dr", "9"]
    )
).map("".join)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("a [1] b [2]", ["a [1]", "b [2]"]),
        ("a [1]. b [2].", ["a [1].", "b [2]."]),
        ("a [1][2] b", ["a [1][2]", "b"]),
        ("a [1] [2], b", ["a [1] [2]", "b"]),
        ("a. [1] b. [2]", ["a. [1]", "b. [2]"]),
        ("a [1]. [2] b", ["a [1]. [2]", "b"]),
        ("a [1]\n- [2]\n- b [3]", ["a [1]\n- [2]", "- b [3]"]),
        ("a ([1]). b", ["a ([1]).", "b"]),
        ("a [[1]][[2]] b", ["a [[1]][[2]]", "b"]),
        ("[1] a [2]", ["[1]", "a [2]"]),
        ("[1]", ["[1]"]),
        ("a b. c", ["a b. c"]),
        ("", []),
        (" \n", []),
    ],
)
def test_outputs_are_cut_behind_each_run_of_citations(text: str, pieces: list[str]) -> None:
    assert split_at_citations(text) == pieces


@given(OUTPUTS)
def test_cutting_at_citations_loses_no_word_and_no_citation(text: str) -> None:
    pieces = split_at_citations(text)

    assert re.findall(r"\w", "".join(pieces)) == re.findall(r"\w", text)
    find = GRAMMARS["lists_and_ranges"].find
    assert [marker for piece in pieces for marker in find(piece)] == find(text)


@given(OUTPUTS)
def test_only_the_first_piece_may_be_citations_without_a_word(text: str) -> None:
    for piece in split_at_citations(text)[1:]:
        without = GRAMMARS["lists_and_ranges"].remove(piece)
        assert any(c.isalnum() for c in without) or "[" not in piece or without == piece


@given(OUTPUTS)
def test_a_whole_output_is_one_piece_or_none(text: str) -> None:
    assert split_statements(text, "whole", "clinical") == ([text.strip()] if text.strip() else [])
    assert split_statements(text, "whole", "released") == [" ".join(text.split())]


@pytest.mark.parametrize("mode", get_args(SplitMode))
@pytest.mark.parametrize("splitter", get_args(SplitterName))
def test_every_splitter_has_every_mode(splitter: SplitterName, mode: str) -> None:
    assert split_statements("Cough [1]. Fever [2].", mode, splitter)


@pytest.mark.parametrize(
    ("piece", "heading"),
    [
        ("PLAN", True),
        ("ASSESSMENT AND PLAN", True),
        ("A/P", True),
        ("Plan:", True),
        ("**Plan:**", True),
        ("## PLAN", True),
        ("Medications include:", True),
        # In capitals and without a full stop, a finding looks like a heading.
        ("NO PNEUMONIA", True),
        ("NO PNEUMONIA.", False),
        ("Plan", False),
        ("## Plan", False),
        ("Plan: rest", False),
        ("12", False),
        ("", False),
    ],
)
def test_headings_are_in_capitals_or_end_in_a_colon(piece: str, *, heading: bool) -> None:
    assert is_heading(piece) is heading

"""Citation markers: `[4]` in an output points at the sentence numbered `[4]` in the input.

Two grammars. `lists_and_ranges` reads `[1][2]`, `[1, 2]` and `[3-5]`. `first_number` does what the
published scripts do: it sees `[` and digits only, so that `[1, 2]` cites 1 and `[3-5]` cites 3, and
takes away whatever it takes for rests of markers.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

CitationForms = Literal["lists_and_ranges", "first_number"]

_DIGITS = 4000
"""Longer numbers, which Python refuses to read, are all one number, which nothing bears."""
_NOWHERE = 10**_DIGITS

_NUMBER = r"\d+(?:\s*[-\u2013]\s*\d+)?"
GROUP_PATTERN = rf"\[\s*{_NUMBER}(?:\s*[,;]\s*{_NUMBER})*\s*\]"
"""One bracket with numbers, lists and ranges of them, as a regular expression without groups."""
_GROUP = re.compile(GROUP_PATTERN)
_ITEM = re.compile(r"(\d+)(?:\s*[-\u2013]\s*(\d+))?")
# Begins where the white space does, or long runs of it would be tried from each of its places.
_GROUP_AND_SPACE = re.compile(rf"(?<![ \t])[ \t]*+{GROUP_PATTERN}")
_FIRST_NUMBER = re.compile(r"\[\d+")


class CitedRange(NamedTuple):
    """Numbers `first` to `last`, both cited; most ranges hold one number."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CitationGrammar:
    """How markers are found in a text, and how a text reads without them."""

    find: Callable[[str], list[CitedRange]]
    remove: Callable[[str], str]


def _find_groups(text: str) -> list[CitedRange]:
    return [
        CitedRange(_number(first), _number(last or first))
        for group in _GROUP.findall(text)
        for first, last in _ITEM.findall(group)
    ]


def _remove_groups(text: str) -> str:
    return _GROUP_AND_SPACE.sub("", text)


def _find_first_numbers(text: str) -> list[CitedRange]:
    numbers = (_number(marker[1:]) for marker in _FIRST_NUMBER.findall(text))
    return [CitedRange(number, number) for number in numbers]


def _remove_first_numbers(text: str) -> str:
    without_space = re.sub(r" \[\d+", "", text)
    return _FIRST_NUMBER.sub("", without_space).replace(" |", "").replace("]", "")


def _number(digits: str) -> int:
    significant = digits.lstrip("0") or "0"
    return int(significant) if len(significant) <= _DIGITS else _NOWHERE


GRAMMARS: Mapping[CitationForms, CitationGrammar] = {
    "lists_and_ranges": CitationGrammar(_find_groups, _remove_groups),
    "first_number": CitationGrammar(_find_first_numbers, _remove_first_numbers),
}


def numbered_sentences(text: str, *, in_sequence: bool) -> dict[int, str]:
    """The sentences of an input by number: `[0] one [1] two`, white space folded.

    With `in_sequence` a marker counts only where its number is the next one, so that a `[7]` in the
    middle of a sentence doesn't cut it; without, any `[number]` begins a sentence, as in the
    published scripts.
    """
    starts: list[re.Match[str]] = []
    for match in re.finditer(r"\[(\d+)\]", text):
        if not in_sequence or not starts or _number(match[1]) == _number(starts[-1][1]) + 1:
            starts.append(match)
    ends = [*(match.start() for match in starts[1:]), len(text)]
    sentences = {
        _number(match[1]): " ".join(text[match.end() : end].split())
        for match, end in zip(starts, ends, strict=False)
    }
    sentences.pop(_NOWHERE, None)
    return sentences

"""Whether punctuation ends a sentence: full stops also end abbreviations, initials and numbers."""

import re
from typing import NamedTuple

from wardlens.evaluators.text.abbreviations import (
    AFTER_UNITS,
    BEFORE_NAMES,
    BEFORE_NUMBERS,
    LETTERED,
    NEVER_LAST,
    OPENERS,
    SHORTENED,
    UNITS,
)

_LAST = frozenset(".!?…\"'\u201d\u2019»)]}*_")
_QUOTES = "\"'\u201c\u2018"
_STOP = re.compile(
    r"(?<![.!?…])(?P<marks>[.!?…]++)(?P<closing>[\"'\u201d\u2019»)\]}*_]*+)(?:\[[^\[\]]*+\])*+\.?+\Z"
)
_WORD_BORDER = re.compile(r"[(\[{\"\u201c\u2018,;:]")
_NEXT_WORD = re.compile(rf"[{_QUOTES}(*_]*(?:[-\u2013] {{1,3}})?([^\W_][\w'\u2019-]*)")
_ITEM = re.compile(r"\(?\d{1,3} ?[.)](?=\s)")
_DOTTED = re.compile(r"[A-Za-z]{1,2}(?:\.[A-Za-z0-9]{1,3})+")
_AWAITING = NEVER_LAST | BEFORE_NUMBERS | BEFORE_NAMES


class Stop(NamedTuple):
    """Punctuation that may end a sentence: its marks, what closes behind it, the words before."""

    marks: str
    closing: str
    previous_word: str
    word: str

    @property
    def awaits_a_word(self) -> bool:
        """Whether it may stand at a line end in the middle of a sentence, as `Dr.` can."""
        return len(self.word) == 1 or self.word.lower() in _AWAITING


def find_stop(before: str) -> Stop | None:
    """The punctuation at the end of `before` (quotes, brackets and citations may stand behind)."""
    if before[-1:] not in _LAST:
        return None
    # Only citations have spaces in them.
    found = _STOP.search(before, 0 if before[-1] == "]" else before.rfind(" ") + 1)
    if found is None:
        return None
    previous_word, word = ["", "", *before[: found.start()].rsplit(None, 2)][-2:]
    return Stop(
        found["marks"], found["closing"], previous_word, _WORD_BORDER.split(word)[-1].lstrip("'")
    )


def closes_sentence(stop: Stop, after: str) -> bool:
    """Whether `stop` ends its sentence, where `after` is the text that follows."""
    found = _NEXT_WORD.match(after)
    next_word = found[1] if found else ""
    goes_on = next_word[:1].islower()
    if goes_on and stop.closing:
        return False
    if stop.marks != ".":
        return not goes_on or "?" in stop.marks or "!" in stop.marks
    if stop.word.lower() in BEFORE_NUMBERS:
        return not next_word[:1].isdigit()
    if _is_acronym(stop.word) and _has_lower_case(next_word):
        # MS and CF are diseases; as abbreviations with a full stop they have no capitals.
        return True
    if stop.word.lower() in NEVER_LAST:
        return False
    return _ITEM.match(after) is not None or _abbreviation_closes(stop, next_word)


def _abbreviation_closes(stop: Stop, next_word: str) -> bool:
    name = stop.word.lower()
    is_letter = len(name) == 1 and name.isalpha()
    has_capital = next_word[:1].isupper()
    opens = has_capital and next_word.lower() in OPENERS
    if is_letter and stop.previous_word.lower() in LETTERED:
        return True
    if is_letter or name in BEFORE_NAMES:
        return opens
    if name in SHORTENED or _DOTTED.fullmatch(name):
        return opens or (has_capital and _has_lower_case(next_word))
    return not (name in UNITS and next_word in AFTER_UNITS)


def _is_acronym(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word.isupper()


def _has_lower_case(word: str) -> bool:
    return any(character.islower() for character in word)

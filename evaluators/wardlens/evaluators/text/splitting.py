"""Cutting an output into statements, by mode and splitter."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Literal

from wardlens.evaluators.text.citations import GROUP_PATTERN
from wardlens.evaluators.text.sentences import (
    keep_whole_released,
    split_at_citations_released,
    split_clinical,
    split_punkt,
)

SplitterName = Literal["clinical", "released"]

_CITED_RUN = re.compile(rf"{GROUP_PATTERN}(?:[ \t]*+{GROUP_PATTERN})*+[ \t]*+[]).;:!?]*+")
_BETWEEN = " \t\n\r,.;:"


def split_statements(text: str, mode: str, splitter: SplitterName) -> list[str]:
    """The pieces of `text`, citation markers still in them.

    `mode` is `sent` (sentences), `citation` (cut behind each run of citations) or `whole`.
    """
    return _SPLITTERS[splitter][mode](text)


def split_at_citations(text: str) -> list[str]:
    """Cut behind each run of citation markers; what follows the last one is a piece too.

    Markers with no word between them and those before belong to the same piece.
    """
    cuts = [0]
    for run in _CITED_RUN.finditer(text):
        between = text[cuts[-1] : run.start()]
        if len(cuts) > 1 and not any(character.isalnum() for character in between):
            cuts.pop()
        cuts.append(run.end())
    pieces = [text[start:end] for start, end in pairwise([*cuts, len(text)])]
    stripped = (piece.strip().lstrip(_BETWEEN) for piece in pieces)
    return [piece for piece in stripped if piece]


def is_heading(piece: str) -> bool:
    """Whether a piece only names what follows: in capitals throughout, or ending in a colon."""
    bare = piece.strip().strip("#*_ ")
    return bare.endswith(":") or (bare.isupper() and not bare.endswith((".", "!", "?")))


def _whole(text: str) -> list[str]:
    return [text.strip()] if text.strip() else []


_SPLITTERS: dict[SplitterName, dict[str, Callable[[str], list[str]]]] = {
    "clinical": {"sent": split_clinical, "citation": split_at_citations, "whole": _whole},
    "released": {
        "sent": split_punkt,
        "citation": split_at_citations_released,
        "whole": keep_whole_released,
    },
}

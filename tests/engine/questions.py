"""Requests to test with: invented texts, and hypothesis strategies for any."""

import hashlib
from pathlib import Path

from hypothesis import strategies as st

from wardlens.engine.installation import Installation
from wardlens.engine.ledger import LedgerKey
from wardlens.engine.requests import (
    DecisionRequest,
    EntailmentRequest,
    Request,
    Segment,
    SegmentKind,
)
from wardlens.engine.sealed import SealedText

ANY_TEXT = st.text(st.characters(), max_size=6)
"""Any characters that Python strings can hold, lone surrogates too."""

_KINDS: list[SegmentKind] = ["template", "document", "claim"]

# Few different texts, so that unequal requests are often nearly equal.
_TEXT = st.one_of(st.sampled_from(["", "a", "b", "ab", "a,b", '"', "\\"]), ANY_TEXT)


def entailment(premise: str, hypothesis: str) -> EntailmentRequest:
    return EntailmentRequest(SealedText(premise), SealedText(hypothesis))


def segment(kind: SegmentKind, text: str) -> Segment:
    return Segment(kind, SealedText(text))


def decision(document: str, claim: str, choices: tuple[str, ...] = ("0", "1")) -> DecisionRequest:
    """A prompt with all kinds of segments."""
    pieces = [
        segment("template", "Is the claim in the note?\n"),
        segment("document", document),
        segment("template", "\nClaim: "),
        segment("claim", claim),
        segment("template", "\nAnswer:"),
    ]
    return DecisionRequest(tuple(pieces), choices)


def any_request() -> st.SearchStrategy[Request]:
    """Requests of every kind."""
    texts = st.builds(SealedText, _TEXT)
    segments = st.builds(Segment, st.sampled_from(_KINDS), texts)
    prompts = st.lists(segments, min_size=1, max_size=4).map(tuple)
    choices = st.lists(_TEXT, min_size=2, max_size=3, unique=True).map(tuple)
    return st.one_of(
        st.builds(EntailmentRequest, texts, texts),
        st.builds(DecisionRequest, prompts, choices, _TEXT),
    )


def ledger_key(document: int, request: int) -> LedgerKey:
    """A key of the usual lengths that stands for the numbers given."""
    digest = hashlib.sha256(f"{document} {request}".encode()).digest()
    return LedgerKey(hashlib.sha256(str(document).encode()).digest()[:12], digest)


def fixed_installation(home: Path = Path()) -> Installation:
    """An installation with a known key, nothing of it on the disk."""
    return Installation(home=home, key=bytes(range(32)))

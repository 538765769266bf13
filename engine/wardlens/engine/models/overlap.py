"""The overlap rule: no model, for smoke runs and tests.

A hypothesis counts as entailed if at least a share `threshold` of its different words occurs in
the premise. Words are `[a-z0-9]+` in lower case; a hypothesis without words is not entailed.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from wardlens.engine.answers import write_entailment
from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.replicas import Reply
from wardlens.engine.requests import EntailmentRequest, Request
from wardlens.engine.sealed import SealedText

DEFAULT_THRESHOLD = 0.6

_WORD = re.compile("[a-z0-9]+")


def words(text: str) -> frozenset[str]:
    """The different words of `text`."""
    return frozenset(_WORD.findall(text.lower()))


def is_entailed(premise: frozenset[str], hypothesis: frozenset[str], threshold: float) -> bool:
    """The rule itself, over the words of both."""
    if not hypothesis:
        return False
    return len(hypothesis & premise) / len(hypothesis) >= threshold


class OverlapReplica:
    """Answers `EntailmentRequest`s by the overlap rule; `threshold` lies in 0 to 1."""

    requests_in_flight = 1024

    def __init__(self, threshold: float = DEFAULT_THRESHOLD) -> None:
        self._threshold = threshold
        self._premise_words = lru_cache(maxsize=64)(_words_of)
        self.fingerprint = Fingerprint(
            model=f"overlap {threshold!r}", engine="wardlens overlap 1", kernel_path="python"
        )

    async def start(self) -> None:
        """Nothing to load."""

    async def answer(self, block: Sequence[Request]) -> list[Reply]:
        """One reply a request."""
        return [
            Reply(write_entailment(label=self._label(request), probability=None))
            for request in block
        ]

    async def close(self) -> None:
        """Nothing to free."""

    def _label(self, request: Request) -> bool:
        if not isinstance(request, EntailmentRequest):
            raise TypeError(f"the overlap rule can't answer a {type(request).__name__}")
        hypothesis = words(request.hypothesis.reveal())
        return is_entailed(self._premise_words(request.premise), hypothesis, self._threshold)


def _words_of(text: SealedText) -> frozenset[str]:
    return words(text.reveal())

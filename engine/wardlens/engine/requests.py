"""What can be asked of a model.

Requests are frozen and hashable: equal requests are one question, asked once. They hold text only
as `SealedText`, so they can be logged. `canonical` is the one serialisation from which ledger keys
are made; change it and every ledger starts anew.
"""

import json
from dataclasses import dataclass
from typing import Literal

from wardlens.engine.sealed import SealedText

SegmentKind = Literal["template", "document", "claim"]

_CANONICAL_VERSION = 1


@dataclass(frozen=True, slots=True)
class EntailmentRequest:
    """Does `premise` entail `hypothesis`? Answered by NLI models and by the overlap rule."""

    premise: SealedText
    hypothesis: SealedText

    @property
    def document(self) -> SealedText:
        """The text that many requests share, by which they are ordered and stored."""
        return self.premise

    @property
    def texts(self) -> tuple[SealedText, ...]:
        """All text that the model would see."""
        return (self.premise, self.hypothesis)

    def canonical(self) -> bytes:
        """Injective serialisation of the content, texts by digest."""
        return _serialise("entailment", [self.premise.digest.hex(), self.hypothesis.digest.hex()])


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a prompt.

    `template` pieces are ours or the user's own prompt files: control tokens in them count.
    `document` and `claim` pieces are data: control tokens in them are plain characters, so that a
    note can't end its own turn. Pieces meet at line ends and are tokenised one by one.
    """

    kind: SegmentKind
    text: SealedText


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """Which of `choices` does the model answer to `prompt`, the content of one user turn?

    Segments come stable first (instruction, examples, document, then the claim), so that requests
    about one document share a prefix. The answer begins with `answer_prefix`, text that is forced
    and not decoded; it is a template, so its control tokens count. `choices` are two or more
    different strings.
    """

    prompt: tuple[Segment, ...]
    choices: tuple[str, ...]
    answer_prefix: str = ""

    def __post_init__(self) -> None:
        if not self.prompt:
            raise ValueError("a prompt must have at least one segment")
        if len(set(self.choices)) != len(self.choices) or len(self.choices) < 2:
            raise ValueError(f"choices must be two or more different strings, not {self.choices}")

    @property
    def document(self) -> SealedText:
        """The text that many requests share: the first document, else the first piece."""
        documents = [segment.text for segment in self.prompt if segment.kind == "document"]
        return documents[0] if documents else self.prompt[0].text

    @property
    def texts(self) -> tuple[SealedText, ...]:
        """All text that the model would see."""
        return tuple(segment.text for segment in self.prompt)

    def canonical(self) -> bytes:
        """Injective serialisation of the content, texts by digest."""
        segments = [[segment.kind, segment.text.digest.hex()] for segment in self.prompt]
        return _serialise("decision", [segments, list(self.choices), self.answer_prefix])


Request = EntailmentRequest | DecisionRequest


def _serialise(kind: str, content: list[object]) -> bytes:
    # Escaped, a pair of lone surrogates in a choice would look like the character that it spells.
    whole = [_CANONICAL_VERSION, kind, content]
    text = json.dumps(whole, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")

"""From prompt segments to token ids.

Each piece is tokenised by itself and remembered, so a note is tokenised once however many claims
are asked of it, and prompts that share text share tokens. Control tokens are read only in what is
ours (the chat frame and template segments): a note that contains `</s>` holds five characters.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from wardlens.engine.errors import EngineError
from wardlens.engine.models.vllm.chat_frame import ChatFrame, read_chat_frame
from wardlens.engine.requests import Segment

TOKENISER_VERSION = "1"
"""Part of every fingerprint: raise it whenever the same prompt becomes other tokens."""

_ANCHOR = "\n"
_REMEMBERED_PIECES = 4096


class Spelling(NamedTuple):
    """A token that spells the choice with index `choice`."""

    choice: int
    token: int


class _Piece(NamedTuple):
    """Neighbouring text of one kind; control tokens are read only in trusted pieces."""

    text: str
    trusted: bool
    first: bool


class PromptTokeniser:
    """Tokenises prompts for one checkpoint; safe to use from several threads."""

    def __init__(self, tokenizer: Any) -> None:
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if backend is None:
            raise EngineError(
                "the model's tokenizer has no fast form. Add the tokenizer.json of the model."
            )
        self.frame: ChatFrame = read_chat_frame(tokenizer)
        # Two copies, because reading control tokens as text is a setting of the whole object.
        self._trusting = _copy(backend)
        self._literal = _copy(backend)
        self._literal.encode_special_tokens = True
        self._control_start = _control_start(backend, str(tokenizer.chat_template))
        self._remembered = lru_cache(maxsize=_REMEMBERED_PIECES)(self._encode_piece)
        self.spellings = lru_cache(maxsize=64)(self._spellings)

    def encode(self, prompt: Sequence[Segment], answer_prefix: str = "") -> list[int]:
        """Token ids of `prompt` inside the chat frame, then of the forced start of the answer.

        All text must be valid Unicode.
        """
        texts = [(True, self.frame.head)]
        texts += [(segment.kind == "template", segment.text.reveal()) for segment in prompt]
        texts += [(True, self.frame.tail + answer_prefix)]
        ids: list[int] = []
        for piece in _pieces(texts):
            ids += self._remembered(piece)
        return ids

    def _spellings(self, choices: tuple[str, ...]) -> tuple[Spelling, ...]:
        """Every token that spells one of `choices` at the start of an answer.

        A choice may be spelled bare or with a leading space; which one a model prefers depends on
        its tokenizer and template.

        Raises:
            EngineError: a choice takes several tokens, or two choices share one.
        """
        found: dict[int, int] = {}
        for index, choice in enumerate(choices):
            spelled = [_encode_after_anchor(self._literal, v) for v in (choice, " " + choice)]
            tokens = {ids[0] for ids in spelled if len(ids) == 1}
            if not tokens:
                raise EngineError(f"the model's tokenizer spells {choice!r} in several tokens")
            for token in tokens:
                if found.setdefault(token, index) != index:
                    raise EngineError(f"the model's tokenizer confuses two of {choices}")
        return tuple(Spelling(choice, token) for token, choice in sorted(found.items()))

    def _encode_piece(self, piece: _Piece) -> tuple[int, ...]:
        encode = _encode if piece.first else _encode_after_anchor
        if piece.trusted:
            return tuple(encode(self._trusting, piece.text))
        cuts = [match.end() for match in self._control_start.finditer(piece.text)]
        ids: list[int] = []
        for start, end in pairwise([0, *cuts, len(piece.text)]):
            part = piece.text[start:end]
            ids += (_encode_after_anchor if ids else encode)(self._literal, part)
        return tuple(ids)


def _copy(backend: Any) -> Any:
    copy = type(backend).from_str(backend.to_str())
    copy.no_truncation()
    copy.no_padding()
    return copy


def _control_start(backend: Any, template: str) -> re.Pattern[str]:
    """Matches the first character of what reads like a control token; data is cut after it.

    To read special tokens as text is not enough. Some models' turn marks are added tokens that
    nobody declared special, so whatever the chat template writes counts too; and a Unigram
    vocabulary holds its control tokens as pieces like any other.
    """
    added = [t for t in backend.get_added_tokens_decoder().values() if len(t.content.strip()) > 1]
    control = [t.content for t in added if t.special or t.content in template]
    starts = [f"{re.escape(text[0])}(?={re.escape(text[1:])})" for text in control]
    return re.compile("|".join(starts) or "(?!)")


def _encode(tokenizer: Any, text: str) -> list[int]:
    return list(tokenizer.encode(text, add_special_tokens=False).ids)


def _encode_after_anchor(tokenizer: Any, text: str) -> list[int]:
    """Tokens of `text` as it stands after a line end.

    SentencePiece tokenizers put a space before whatever they are given; after a line end, which is
    taken off again, they see the text as it stands in the prompt.
    """
    anchor = _encode(tokenizer, _ANCHOR)
    ids = _encode(tokenizer, _ANCHOR + text)
    return ids[len(anchor) :] if ids[: len(anchor)] == anchor else _encode(tokenizer, text)


def _pieces(texts: Iterable[tuple[bool, str]]) -> list[_Piece]:
    """Join neighbours of one kind, which are tokenised as one."""
    pieces: list[_Piece] = []
    for trusted, group in groupby(texts, key=itemgetter(0)):
        text = "".join(text for _, text in group)
        if text:
            pieces.append(_Piece(text, trusted, first=not pieces))
    return pieces


def load_prompt_tokeniser(folder: Path) -> PromptTokeniser:
    """Load the tokenizer of the checkpoint in `folder`; imports transformers.

    Raises:
        EngineError: it can't be loaded, or its chat template can't be used.
    """
    from transformers import AutoTokenizer  # noqa: PLC0415 - takes seconds

    try:
        tokenizer = AutoTokenizer.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False
        )
    except Exception as error:
        raise EngineError(f"the tokenizer in {folder} can't be loaded: {error}") from error
    return PromptTokeniser(tokenizer)

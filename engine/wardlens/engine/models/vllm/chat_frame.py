"""What a model's chat template puts around one user turn."""

from dataclasses import dataclass
from typing import Any

from wardlens.engine.errors import EngineError

_MARK = "WARDLENS-CONTENT"
_FIXED_DATE = "26 Jul 2024"


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """Text before and after the content of a user turn, control tokens spelled out.

    `head` begins with BOS where the template writes one, so prompts are tokenised without adding
    special tokens: BOS is never doubled.
    """

    head: str
    tail: str


def read_chat_frame(tokenizer: Any) -> ChatFrame:
    """Render the chat template of a transformers tokenizer around a mark and cut at the mark.

    Everything is in one user turn, which every template accepts (Mistral's and LLaMA-2's reject or
    rewrite a system turn). Templates that print today's date get a fixed one: judgments must not
    change overnight. A tokenizer without a template gets its BOS and a line break.
    """
    if not getattr(tokenizer, "chat_template", None):
        return ChatFrame(head=_bos(tokenizer), tail="\n")
    try:
        rendered = tokenizer.apply_chat_template(
            [{"role": "user", "content": _MARK}],
            tokenize=False,
            add_generation_prompt=True,
            date_string=_FIXED_DATE,
            strftime_now=lambda _format: _FIXED_DATE,
        )
    except Exception as error:
        raise EngineError(f"the model's chat template can't be used: {error}") from error
    head, *tails = rendered.split(_MARK)
    if len(tails) != 1:
        raise EngineError(
            f"the model's chat template shows a user turn {len(tails)} times; it must show it once"
        )
    return ChatFrame(head=head, tail=tails[0])


def _bos(tokenizer: Any) -> str:
    adds_bos = list(tokenizer("")["input_ids"][:1]) == [tokenizer.bos_token_id]
    return str(tokenizer.bos_token) if tokenizer.bos_token_id is not None and adds_bos else ""

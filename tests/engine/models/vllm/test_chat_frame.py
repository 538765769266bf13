"""What a chat template puts around one user turn."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.engine.models.vllm.small_tokenizers import (
    CHATML,
    KINDS,
    TODAY,
    Kind,
    byte_level,
    mistral,
)
from wardlens.engine.errors import EngineError
from wardlens.engine.models.vllm.chat_frame import ChatFrame, read_chat_frame


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_the_frame_is_what_the_template_writes_around_a_turn(kind: Kind) -> None:
    assert read_chat_frame(kind.make()) == ChatFrame(kind.head, kind.tail)


@pytest.mark.parametrize("name", ["mistral", "llama-2", "llama-3", "always a space", "base"])
def test_bos_is_there_once_where_the_model_wants_one(name: str) -> None:
    tokenizer = KINDS[name].make()
    frame = read_chat_frame(tokenizer)
    assert frame.head.startswith(tokenizer.bos_token)
    assert (frame.head + frame.tail).count(tokenizer.bos_token) == 1


def test_a_model_without_a_template_that_adds_no_bos_gets_none() -> None:
    tokenizer = byte_level(["<s>", "</s>"], bos_token="<s>")  # noqa: S106
    assert read_chat_frame(tokenizer) == ChatFrame("", "\n")


def test_a_model_without_any_bos_gets_none() -> None:
    assert read_chat_frame(byte_level(["</s>"])) == ChatFrame("", "\n")


@pytest.mark.parametrize("name", ["llama-3", "always a space"])
def test_a_template_that_prints_the_date_never_prints_todays(name: str) -> None:
    frame = read_chat_frame(KINDS[name].make())
    assert "26 Jul 2024" in frame.head
    now = datetime.now(tz=UTC)
    for day in (now, now - timedelta(days=1), now + timedelta(days=1)):
        for form in ("%d %b %Y", "%d %B %Y", "%B %d, %Y", "%Y-%m-%d"):
            assert day.strftime(form) not in frame.head + frame.tail


BROKEN = {
    "raises": ("{{ raise_exception('unsupported') }}", "can't be used: unsupported"),
    "no Jinja": ("{% if %}", "can't be used: "),
    "needs a system turn": (
        "{{ messages[1]['content'] + messages[0]['content'] }}",
        "can't be used: ",
    ),
    "drops the turn": ("{{ bos_token }}", "shows a user turn 0 times; it must show it once"),
    "shows it twice": (
        "{{ messages[0]['content'] }} {{ messages[0]['content'] }}",
        "shows a user turn 2 times",
    ),
    "changes it": ("{{ messages[0]['content'] | lower }}", "shows a user turn 0 times"),
}


@pytest.mark.parametrize(("template", "says"), BROKEN.values(), ids=BROKEN.keys())
def test_a_template_that_cant_be_used_is_an_engines_failure(template: str, says: str) -> None:
    tokenizer = mistral()
    tokenizer.chat_template = template
    with pytest.raises(EngineError, match=f"chat template {says}"):
        read_chat_frame(tokenizer)


def test_the_templates_are_like_the_real_ones() -> None:
    """They do the things that frames must get along with."""
    tokenizer = mistral()
    conversation = [{"role": "system", "content": "x"}, {"role": "user", "content": "y"}]
    with pytest.raises(Exception, match="Only user and assistant roles"):
        tokenizer.apply_chat_template(conversation, tokenize=False)
    tokenizer.chat_template = TODAY
    rendered = tokenizer.apply_chat_template(conversation[1:], tokenize=False)
    assert datetime.now(tz=UTC).strftime("%Y") in rendered
    tokenizer.chat_template = CHATML
    assert "helpful" in tokenizer.apply_chat_template(conversation[1:], tokenize=False)

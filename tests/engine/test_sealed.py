"""Text that doesn't show itself."""

import copy
import logging
import pickle
import traceback
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.questions import ANY_TEXT
from wardlens.engine import sealed
from wardlens.engine.sealed import SealedText, keyed_hash, show_with_key

SECRET = "Mr Xylander has gout"  # noqa: S105 - an invented patient
TEXT = SealedText(SECRET)

RENDERINGS: dict[str, Callable[[SealedText], str]] = {
    "str": str,
    "repr": repr,
    "ascii": ascii,
    "format": format,
    "f-string": lambda text: f"{text} {text!s} {text!r} {text:>80}",
    "str.format": lambda text: "{} {0!r} {:^90}".replace("{0!r}", "{!r}").format(text, text, text),
    "percent": lambda text: "%s and %r" % (text, text),  # noqa: UP031 - the point of the test
    "list": lambda text: str([text, {text: text}, (text,)]),
    "exception": lambda text: str(ValueError("bad text", text)) + repr(KeyError(text)),
}


@dataclass(frozen=True, slots=True)
class Note:
    number: int
    text: SealedText


@pytest.mark.parametrize("render", RENDERINGS.values(), ids=RENDERINGS.keys())
def test_no_rendering_shows_the_text(render: Callable[[SealedText], str]) -> None:
    rendered = render(TEXT)

    assert "<sealed " in rendered
    assert ", 20 characters>" in rendered
    assert not any(word in rendered for word in SECRET.split())


def test_a_dataclass_that_holds_it_doesnt_show_the_text() -> None:
    assert repr(Note(7, TEXT)) == f"Note(number=7, text={TEXT!r})"


@pytest.mark.parametrize("spec", ["d", ".2f", "%"])
def test_a_format_for_numbers_fails_without_the_text(spec: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)format") as caught:
        format(TEXT, spec)
    assert "Xylander" not in str(caught.value)


def test_code_that_takes_it_for_a_string_fails_without_the_text() -> None:
    mistakes: list[Callable[[], object]] = [
        lambda: "note: " + TEXT,  # type: ignore[operator]
        lambda: "".join([TEXT]),  # type: ignore[list-item]  # noqa: FLY002
        lambda: "%d" % TEXT,  # type: ignore[str-format]  # noqa: UP031
    ]
    for mistake in mistakes:
        with pytest.raises(TypeError) as caught:
            mistake()
        assert "Xylander" not in "".join(traceback.format_exception(caught.value))


def test_logged_in_any_way_it_doesnt_show_the_text(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("a stray log")
    with caplog.at_level(logging.DEBUG):
        log.debug("%s", TEXT)
        log.info("%r %s", TEXT, Note(1, TEXT))
        log.warning(TEXT)
        log.error("failed", exc_info=ValueError(TEXT))

    assert caplog.text.count("<sealed") == 5
    assert "Xylander" not in caplog.text


def test_pickled_and_copied_it_is_equal_and_still_hidden() -> None:
    for twin in (pickle.loads(pickle.dumps(TEXT)), copy.copy(TEXT), copy.deepcopy(TEXT)):  # noqa: S301
        assert twin == TEXT
        assert twin.reveal() == SECRET
        assert repr(twin) == repr(TEXT)


@given(ANY_TEXT)
def test_reveals_exactly_what_was_sealed(characters: str) -> None:
    text = SealedText(characters)
    assert text.reveal() == characters
    assert len(text) == len(characters)
    assert text.is_blank == (characters.strip() == "")


@given(ANY_TEXT)
def test_any_text_can_be_shown(characters: str) -> None:
    shown = f"{SealedText(characters)}"
    assert shown.isascii()
    assert shown.endswith(f", {len(characters)} characters>")


@given(ANY_TEXT, ANY_TEXT)
def test_equality_hash_and_digest_go_by_content(first: str, second: str) -> None:
    one, other = SealedText(first), SealedText(second)
    assert (one == other) == (first == second)
    assert (one.digest == other.digest) == (first == second)
    assert (repr(one) == repr(other)) == (first == second)
    assert hash(one) == hash(SealedText(first))


def test_it_never_equals_a_string() -> None:
    assert TEXT != SECRET
    assert len({TEXT, SECRET}) == 2


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=8))
def test_text_without_lone_surrogates_is_valid_unicode(characters: str) -> None:
    assert SealedText(characters).is_valid_unicode


@pytest.mark.parametrize("characters", ["\ud800", "fever \udfff", "\ud83d\ude00"])
def test_a_lone_surrogate_is_no_valid_unicode_but_can_be_handled(characters: str) -> None:
    text = SealedText(characters)
    assert not text.is_valid_unicode
    assert len(text.digest) == 32
    assert pickle.loads(pickle.dumps(text)) == text  # noqa: S301


def test_a_pair_of_surrogates_is_not_the_character_that_it_spells() -> None:
    assert SealedText("\ud83d\ude00").digest != SealedText("\U0001f600").digest


def test_renderings_follow_the_key_of_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sealed, "_display_key", sealed._display_key)
    show_with_key(b"a" * 32)
    first = str(TEXT)
    show_with_key(b"b" * 32)
    second = str(TEXT)
    show_with_key(b"a" * 32)

    assert first != second
    assert str(TEXT) == first


def test_what_is_shown_is_no_plain_hash_of_the_text() -> None:
    assert keyed_hash(TEXT.digest) in str(TEXT)
    assert TEXT.digest.hex()[:16] not in str(TEXT)

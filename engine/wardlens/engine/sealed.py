"""Text that doesn't show itself.

Documents, claims and example ids are protected health information. They travel as `SealedText`,
whose every rendering is a keyed hash and a length, so that a stray log line, an exception or a
debugger's repr can't leak them. Code that needs the characters says so: `text.reveal()`.
"""

import hashlib
import hmac
import secrets

_display_key = secrets.token_bytes(32)


def show_with_key(key: bytes) -> None:
    """Let renderings in this process use `key`, so that they can be compared between runs.

    Until this is called, a key of this process alone is used.
    """
    global _display_key  # noqa: PLW0603 - one per process, by design: renderings must agree
    _display_key = hmac.digest(key, b"wardlens display", "sha256")


def keyed_hash(content: bytes) -> str:
    """16 hexadecimal digits that name `content` without revealing it, even if it is short."""
    return hmac.digest(_display_key, content, "sha256").hex()[:16]


class SealedText:
    """An immutable string whose `str`, `repr` and `format` show a keyed hash and a length.

    Compares and hashes by content. Lone surrogates are allowed here; who needs UTF-8 checks
    `is_valid_unicode`.
    """

    __slots__ = ("_digest", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._digest: bytes | None = None

    def reveal(self) -> str:
        """The characters themselves."""
        return self._text

    @property
    def digest(self) -> bytes:
        """SHA-256 of the content, for keys and caches inside the process; never shown or stored.

        Unkeyed, so short texts could be guessed from it: derive a keyed hash before it leaves.
        """
        if self._digest is None:
            self._digest = hashlib.sha256(self._text.encode("utf-8", "surrogatepass")).digest()
        return self._digest

    @property
    def is_valid_unicode(self) -> bool:
        """Whether the text can be encoded as UTF-8 (it can't with a lone surrogate in it)."""
        try:
            self._text.encode("utf-8")
        except UnicodeEncodeError:
            return False
        return True

    @property
    def is_blank(self) -> bool:
        """Whether there is nothing but white space."""
        return not self._text.strip()

    def __len__(self) -> int:
        return len(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SealedText) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return f"<sealed {keyed_hash(self.digest)}, {len(self._text)} characters>"

    __str__ = __repr__

    def __format__(self, format_spec: str) -> str:
        return format(repr(self), format_spec)

    def __reduce__(self) -> tuple[type["SealedText"], tuple[str]]:
        return SealedText, (self._text,)

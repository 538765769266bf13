"""Encryption of ledger rows."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.questions import fixed_installation, ledger_key
from wardlens.engine.installation import Installation
from wardlens.engine.ledger.keys import LedgerKey
from wardlens.engine.ledger.sealing import Sealer

SEALER = Sealer(fixed_installation())
KEY = ledger_key(1, 1)
REPLY = b'{"label": 1, "probability": 0.25}'


@given(st.binary(max_size=200))
def test_opens_to_what_was_sealed(reply: bytes) -> None:
    assert SEALER.open(KEY, SEALER.seal(KEY, reply)) == reply


@given(st.data())
def test_any_changed_bit_is_noticed(data: st.DataObject) -> None:
    sealed = bytearray(SEALER.seal(KEY, REPLY))
    sealed[data.draw(st.integers(0, len(sealed) - 1))] ^= data.draw(st.integers(1, 255))
    assert SEALER.open(KEY, bytes(sealed)) is None


def test_any_cut_is_noticed() -> None:
    sealed = SEALER.seal(KEY, REPLY)
    assert [SEALER.open(KEY, sealed[:length]) for length in range(len(sealed))] == [None] * len(
        sealed
    )
    assert SEALER.open(KEY, sealed + b"\0") is None


@pytest.mark.parametrize(
    "other",
    [ledger_key(1, 2), ledger_key(2, 1), LedgerKey(KEY.document, ledger_key(2, 2).request)],
)
def test_a_reply_opens_only_under_its_own_key(other: LedgerKey) -> None:
    assert SEALER.open(other, SEALER.seal(KEY, REPLY)) is None


def test_a_reply_opens_only_in_its_own_installation() -> None:
    stranger = Sealer(Installation(home=Path(), key=b"s" * 32))
    assert stranger.open(KEY, SEALER.seal(KEY, REPLY)) is None


def test_equal_replies_are_sealed_differently() -> None:
    assert len({SEALER.seal(KEY, REPLY) for _ in range(50)}) == 50


def test_nothing_of_the_reply_can_be_read() -> None:
    assert b"label" not in SEALER.seal(KEY, REPLY)

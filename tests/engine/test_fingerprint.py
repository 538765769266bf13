"""What an answer depends on besides the question."""

import dataclasses

import pytest

from wardlens.engine.fingerprint import Fingerprint

PRINT = Fingerprint(model="m", engine="e 1", kernel_path="cpu", settings=(("dtype", "bf16"),))

CHANGED = {
    "model": dataclasses.replace(PRINT, model="n"),
    "engine": dataclasses.replace(PRINT, engine="e 2"),
    "kernel path": dataclasses.replace(PRINT, kernel_path="cuda"),
    "a setting's value": dataclasses.replace(PRINT, settings=(("dtype", "fp32"),)),
    "a setting's name": dataclasses.replace(PRINT, settings=(("kind", "bf16"),)),
    "no setting": dataclasses.replace(PRINT, settings=()),
    "one more setting": dataclasses.replace(PRINT, settings=(("dtype", "bf16"), ("a", "b"))),
    "fields that share characters": Fingerprint("me", " 1", "cpu", (("dtype", "bf16"),)),
}


@pytest.mark.parametrize("changed", CHANGED.values(), ids=CHANGED.keys())
def test_any_change_changes_the_digest(changed: Fingerprint) -> None:
    assert changed.digest != PRINT.digest


def test_equal_fingerprints_have_equal_digests() -> None:
    assert dataclasses.replace(PRINT).digest == PRINT.digest
    assert len(PRINT.digest) == 32


def test_the_digest_has_not_changed() -> None:
    # Were it to change, every answer that users' ledgers hold would be computed again.
    expected = "e28170014809098e84cef365ba31b75bb26cab0e78398fee8713332ebb2ebd94"
    assert PRINT.digest.hex() == expected


def test_a_file_name_that_is_no_unicode_has_a_digest() -> None:
    assert len(dataclasses.replace(PRINT, model="m\udcff").digest) == 32

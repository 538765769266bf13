"""Names of answers in the ledger."""

import dataclasses
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.engine.questions import any_request, decision, entailment, fixed_installation
from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.installation import Installation
from wardlens.engine.ledger import RequestKeys
from wardlens.engine.requests import Request

MODEL = Fingerprint(model="m", engine="e 1", kernel_path="cpu")
KEYS = RequestKeys(fixed_installation(), MODEL)


@settings(max_examples=200)
@given(any_request(), any_request())
def test_only_equal_requests_share_a_key(one: Request, other: Request) -> None:
    assert (KEYS.key(one) == KEYS.key(other)) == (one == other)
    assert (KEYS.key(one).request == KEYS.key(other).request) == (one == other)


@settings(max_examples=200)
@given(any_request(), any_request())
def test_requests_about_one_document_are_stored_together(one: Request, other: Request) -> None:
    same_place = KEYS.key(one).document == KEYS.key(other).document
    assert same_place == (one.document == other.document)


@pytest.mark.parametrize("request_", [entailment("note", "claim"), decision("note", "claim")])
def test_another_model_or_setting_has_keys_of_its_own(request_: Request) -> None:
    others = [
        dataclasses.replace(MODEL, model="n"),
        dataclasses.replace(MODEL, engine="e 2"),
        dataclasses.replace(MODEL, kernel_path="cuda"),
        dataclasses.replace(MODEL, settings=(("dtype", "bf16"),)),
    ]
    keys = {RequestKeys(fixed_installation(), model).key(request_) for model in [MODEL, *others]}
    assert len({key.request for key in keys}) == 5
    assert len({key.document for key in keys}) == 1


def test_without_the_installations_key_nothing_can_be_guessed_from_a_key() -> None:
    request = entailment("note", "claim")
    stranger = RequestKeys(Installation(home=Path(), key=b"s" * 32), MODEL).key(request)
    mine = KEYS.key(request)
    assert stranger.document != mine.document
    assert stranger.request != mine.request
    assert request.document.digest[:12] != mine.document


def test_a_key_is_12_and_32_bytes() -> None:
    key = KEYS.key(entailment("note", "claim"))
    assert (len(key.document), len(key.request)) == (12, 32)


def test_the_key_of_a_request_has_not_changed() -> None:
    # Were it to change, every answer that users' ledgers hold would be computed again.
    key = KEYS.key(entailment("fever", "hot"))
    assert key.document.hex() == "21ac6e1291a3bfd9ac61bbc4"
    assert key.request.hex() == ("bb87e59f44c336833307c1b2bac0510d36b90367404a2acf29b55e08aa4a0122")

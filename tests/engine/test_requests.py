"""What can be asked, and the one serialisation that ledger keys are made of."""

import dataclasses
import pickle

import pytest
from hypothesis import given, settings

from tests.engine.questions import any_request, decision, entailment, segment
from wardlens.engine.requests import DecisionRequest, EntailmentRequest, Request
from wardlens.engine.sealed import SealedText

FEVER = "08be1e8ad0a8c0e0cb9dec2f3d1f1fe0d2ec5c8b8d2bd5fbd7e8d9a5f2b5b5c2"


@settings(max_examples=400)
@given(any_request(), any_request())
def test_different_requests_have_different_canonical_forms(one: Request, other: Request) -> None:
    assert (one.canonical() == other.canonical()) == (one == other)


@given(any_request())
def test_equal_requests_are_one(request: Request) -> None:
    twin = pickle.loads(pickle.dumps(request))  # noqa: S301 - pickled a moment ago
    assert twin == request
    assert hash(twin) == hash(request)
    assert twin.canonical() == request.canonical()


NEARLY_EQUAL: list[tuple[Request, Request]] = [
    (entailment("a", "b"), entailment("b", "a")),
    (entailment("ab", ""), entailment("a", "b")),
    (decision("a", "b"), decision("b", "a")),
    (decision("a", "b", ("0", "1")), decision("a", "b", ("1", "0"))),
    (decision("a", "b", ("01", "2")), decision("a", "b", ("0", "12"))),
    (decision("a", "b", ('0","1', "2")), decision("a", "b", ("0", "1", "2"))),
    (decision("a", "b", ("é", "2")), decision("a", "b", ("\\u00e9", "2"))),
    (decision("a", "b", ("\U0001f600", "2")), decision("a", "b", ("\ud83d\ude00", "2"))),
    (
        DecisionRequest((segment("template", "ab"),), ("0", "1")),
        DecisionRequest((segment("template", "a"), segment("template", "b")), ("0", "1")),
    ),
    (
        DecisionRequest((segment("template", "a"),), ("0", "1")),
        DecisionRequest((segment("document", "a"),), ("0", "1")),
    ),
]


@pytest.mark.parametrize(("one", "other"), NEARLY_EQUAL)
def test_nearly_equal_requests_have_different_canonical_forms(one: Request, other: Request) -> None:
    assert one != other
    assert one.canonical() != other.canonical()


@pytest.mark.parametrize(
    "request_", [entailment("Xylander", "Yttrium"), decision("Xylander", "Yttrium")]
)
def test_no_text_is_in_the_canonical_form_or_in_what_is_shown(request_: Request) -> None:
    for shown in (request_.canonical().decode(), repr(request_), str(request_), f"{request_}"):
        assert "Xylander" not in shown
        assert "Yttrium" not in shown
        assert "claim in the note" not in shown


def test_the_canonical_form_of_an_entailment_request_has_not_changed() -> None:
    # Were it to change, every answer that users' ledgers hold would be computed again.
    assert entailment("fever", "hot").canonical() == (
        b'[1,"entailment",["6f3d85632f2da2c26e5d6d3e04c5fba2d66ebe77f8d1b4ac7d5b0bd6ab1d5a0e",'
        b'"d2f9f36b9c2e3b1c7f4c8f1a1a"]]'
    )


def test_the_canonical_form_of_a_decision_request_has_not_changed() -> None:
    request = DecisionRequest((segment("template", "Hot?\n"), segment("claim", "é")), ("no", "oui"))
    assert request.canonical() == b""


def test_an_entailment_request_shares_its_premise_with_others() -> None:
    request = entailment("note", "claim")
    assert request.document == SealedText("note")
    assert request.texts == (SealedText("note"), SealedText("claim"))


def test_a_decision_request_shares_its_first_document_with_others() -> None:
    request = DecisionRequest(
        (segment("template", "t"), segment("document", "d"), segment("document", "e")), ("0", "1")
    )
    assert request.document == SealedText("d")
    assert request.texts == tuple(map(SealedText, "tde"))


def test_a_decision_request_without_a_document_shares_its_first_piece() -> None:
    request = DecisionRequest((segment("template", "t"), segment("claim", "c")), ("0", "1"))
    assert request.document == SealedText("t")


@pytest.mark.parametrize("choices", [(), ("1",), ("1", "1"), ("0", "1", "0")])
def test_choices_must_be_two_or_more_different_strings(choices: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="two or more different strings"):
        decision("d", "c", choices)


def test_requests_cant_be_changed() -> None:
    for request, field in ((entailment("a", "b"), "premise"), (decision("a", "b"), "choices")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(request, field, None)


def test_kinds_of_requests_are_never_equal() -> None:
    assert isinstance(entailment("a", "b"), EntailmentRequest)
    assert entailment("a", "b") != decision("a", "b")

"""What can be asked, and the one serialisation that ledger keys are made of."""

import dataclasses
import pickle

import pytest
from hypothesis import given, settings

from tests.engine.questions import any_request, decision, entailment, segment
from wardlens.engine.requests import DecisionRequest, Request
from wardlens.engine.sealed import SealedText


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
    (
        DecisionRequest((segment("template", "a"),), ("0", "1")),
        DecisionRequest((segment("template", "a"),), ("0", "1"), "0"),
    ),
    (
        DecisionRequest((segment("template", "a"),), ("0", "1"), "[1]: 1"),
        DecisionRequest((segment("template", "a"),), ("0", "1"), "[1]: 0"),
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
        b'[1,"entailment",['
        b'"1e44a1c45388c81c1a4bba7c14aa8d54cf11d442c99efc62a68d103cfdd308b8",'
        b'"7f5d1618e7d28cc7bf32788672be04c24877d9a8911f65fef8e3e013c9cbc373"]]'
    )


def test_the_canonical_form_of_a_decision_request_has_not_changed() -> None:
    request = DecisionRequest((segment("template", "Hot?\n"), segment("claim", "é")), ("no", "où"))
    assert request.canonical() == (
        b'[1,"decision",[[["template",'
        b'"e6a6de799ec1a2820fe1a3e554ac60299cfaf7e0f7b05ac9b975fd40b4fa479c"],'
        b'["claim","4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"]],'
        b'["no","o\xc3\xb9"],""]]'
    )


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


def test_a_prompt_must_have_a_segment() -> None:
    with pytest.raises(ValueError, match="at least one segment"):
        DecisionRequest((), ("0", "1"))


def test_requests_cant_be_changed() -> None:
    for request, field in ((entailment("a", "b"), "premise"), (decision("a", "b"), "choices")):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(request, field, None)


def test_kinds_of_requests_are_never_equal() -> None:
    requests: list[Request] = [entailment("a", "b"), decision("a", "b")]
    assert len({*requests, *requests}) == 2

"""Every field of a row is checked, and an error says where it is without showing what it holds."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import SECTIONS
from wardlens.evaluators.examples.fields import read_example

PATH = Path("notes.json")
CANARY = "Quellmalz"

TEXT_FIELDS = ["input", "reference", "output"] + [
    f"{text}_{section}" for text in ("reference", "output") for section in SECTIONS
]
CLAIM_FIELDS = [
    f"subclaims_{text}{ending}"
    for text in ("reference", "output")
    for ending in ("", *(f"_{section}" for section in SECTIONS))
]
NO_TEXT = {
    "null": None,
    "true or false": True,
    "a number": 10**400,
    "a list": [CANARY],
    "an object": {CANARY: CANARY},
    "bytes": CANARY.encode(),
    "Decimal": Decimal(1),
}


def refusal(row: dict[str, Any]) -> str:
    with pytest.raises(UserError) as refused:
        read_example(PATH, 7, row)
    assert CANARY not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("kind", NO_TEXT)
@pytest.mark.parametrize("field", TEXT_FIELDS)
def test_a_text_field_holds_text(field: str, kind: str) -> None:
    message = refusal({"example_id": CANARY, field: NO_TEXT[kind]})

    assert message == f"notes.json: row 7, field '{field}': expected text, found {kind}."


@pytest.mark.parametrize("kind", [kind for kind in NO_TEXT if kind != "a list"] + ["text"])
@pytest.mark.parametrize("field", CLAIM_FIELDS)
def test_a_claims_field_holds_a_list(field: str, kind: str) -> None:
    message = refusal({"example_id": CANARY, field: NO_TEXT.get(kind, CANARY)})

    assert message.startswith(f"notes.json: row 7, field '{field}': expected a list of claims")
    assert f"found {kind}." in message


@pytest.mark.parametrize("kind", NO_TEXT)
def test_a_claim_is_text(kind: str) -> None:
    message = refusal({"example_id": CANARY, "subclaims_output": [CANARY, NO_TEXT[kind]]})

    assert message == (
        f"notes.json: row 7, field 'subclaims_output': claim 2: expected text, found {kind}."
    )


@pytest.mark.parametrize("row", [{}, {"example_id": ""}], ids=["absent", "empty"])
def test_a_row_needs_an_id(row: dict[str, Any]) -> None:
    message = refusal({**row, "output": CANARY})

    assert (
        message
        == "notes.json: row 7, field 'example_id': missing. Each row needs an id of its own."
    )


@pytest.mark.parametrize("value", [None, True, 1.5, float("inf"), [CANARY], {"id": CANARY}])
def test_an_id_is_text_or_a_whole_number(value: object) -> None:
    message = refusal({"example_id": value})

    assert message.startswith("notes.json: row 7, field 'example_id': expected text, found ")


def test_an_id_with_a_lone_surrogate_is_refused_because_result_files_could_not_hold_it() -> None:
    assert "field 'example_id': it has a lone surrogate" in refusal(
        {"example_id": CANARY + "\ud800"}
    )


@pytest.mark.parametrize("value", [0, -3, 10**30])
def test_a_whole_number_as_id_is_its_digits(value: int) -> None:
    assert read_example(PATH, 7, {"example_id": value}).example_id.reveal() == str(value)


def test_an_example_shows_no_text() -> None:
    row = {"example_id": CANARY, "output": CANARY, "subclaims_output": [CANARY]}

    assert CANARY not in repr(read_example(PATH, 7, row))


@pytest.mark.parametrize("text", ["reference", "output"])
@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_with_the_mark_of_aci_bench_is_empty(section: str, text: str) -> None:
    example = read_example(PATH, 7, {"example_id": 1, f"{text}_{section}": "#####EMPTY#####"})

    sections = example.reference_sections if text == "reference" else example.output_sections
    assert sections == {section: SealedText("")}


@pytest.mark.parametrize(
    "value", ["#####EMPTY##### ", "\n#####EMPTY#####", "EMPTY", "#####empty#####"]
)
def test_a_section_with_anything_besides_the_mark_is_not_empty(value: str) -> None:
    example = read_example(PATH, 7, {"example_id": 1, "output_subjective": value})

    assert example.output_sections == {"subjective": SealedText(value)}


@pytest.mark.parametrize("field", ["input", "reference", "output"])
def test_the_mark_means_nothing_in_a_whole_text(field: str) -> None:
    example = read_example(PATH, 7, {"example_id": 1, field: "#####EMPTY#####"})

    assert getattr(example, field) == SealedText("#####EMPTY#####")

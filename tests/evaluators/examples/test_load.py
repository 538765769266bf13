"""Inputs are files by system; claims join them by id."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example, load_inputs


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows))
    return path


def ids(examples: Sequence[Example]) -> list[str]:
    return [example.example_id.reveal() for example in examples]


def revealed(claims: Sequence[SealedText]) -> list[str]:
    return [claim.reveal() for claim in claims]


NOTES = [{"example_id": name, "output": f"note of {name}"} for name in "abc"]


def test_a_system_is_called_as_its_file_is(tmp_path: Path) -> None:
    path = write(tmp_path / "gpt4.notes.json", NOTES)

    assert list(load_inputs([str(path)]).systems) == ["gpt4.notes"]


def test_a_name_before_the_path_names_the_system(tmp_path: Path) -> None:
    path = write(tmp_path / "notes.json", NOTES)

    inputs = load_inputs([f"second={path}", f"first={path}"])

    assert list(inputs.systems) == ["second", "first"]
    assert inputs.sources["first"].path == path


def test_a_path_that_has_an_equals_sign_and_exists_is_a_path(tmp_path: Path) -> None:
    path = write(tmp_path / "run=3" / "notes.json", NOTES)

    assert list(load_inputs([str(path)]).systems) == ["notes"]
    assert list(load_inputs([f"mine={path}"]).systems) == ["mine"]


def test_two_systems_of_one_name_are_refused(tmp_path: Path) -> None:
    paths = [write(tmp_path / folder / "notes.json", NOTES) for folder in ("a", "b")]

    with pytest.raises(UserError, match="two inputs are called 'notes'"):
        load_inputs([str(path) for path in paths])


def test_examples_keep_their_order_and_rows(tmp_path: Path) -> None:
    examples = load_inputs([str(write(tmp_path / "n.json", NOTES[::-1]))]).systems["n"]

    assert ids(examples) == ["c", "b", "a"]
    assert [example.row for example in examples] == [1, 2, 3]


def test_a_source_is_known_by_the_digest_of_its_bytes(tmp_path: Path) -> None:
    path = write(tmp_path / "n.json", NOTES)

    source = load_inputs([str(path)]).sources["n"]

    assert source.content_digest == hashlib.sha256(path.read_bytes()).digest()
    assert source.row_count == 3


@pytest.mark.parametrize("twins", [("a", "a"), (1, "1")], ids=["same", "number and text"])
def test_a_repeated_id_is_refused_with_both_rows(
    twins: tuple[object, object], tmp_path: Path
) -> None:
    rows = [{"example_id": example_id} for example_id in ("other", *twins)]
    path = write(tmp_path / "n.json", rows)

    with pytest.raises(UserError, match="row 3, field 'example_id': the same id as in row 2"):
        load_inputs([str(path)])


def test_ids_that_differ_in_letter_case_or_composition_are_different(tmp_path: Path) -> None:
    rows = [{"example_id": name} for name in ("a", "A", "\u00e9", "e\u0301", " a")]

    assert len(load_inputs([str(write(tmp_path / "n.json", rows))]).systems["n"]) == 5


def test_claims_join_by_id_whatever_the_order(tmp_path: Path) -> None:
    claims = [{"example_id": n, "subclaims_reference": [f"claim of {n}"]} for n in "cab"]

    examples = load_inputs(
        [str(write(tmp_path / "n.json", NOTES))], claims=write(tmp_path / "c.json", claims)
    ).systems["n"]

    assert ids(examples) == ["a", "b", "c"]
    assert [revealed(e.reference_claims["full"]) for e in examples] == [
        [f"claim of {n}"] for n in "abc"
    ]


def test_claims_join_every_system(tmp_path: Path) -> None:
    notes = write(tmp_path / "n.json", NOTES)
    claims = write(tmp_path / "c.json", [{"example_id": "b", "subclaims_reference": ["x"]}])

    systems = load_inputs([f"s={notes}", f"t={notes}"], claims=claims).systems

    assert revealed(systems["s"][1].reference_claims["full"]) == ["x"]
    assert systems["s"] == systems["t"]


def test_the_claims_file_may_name_an_example_that_only_one_system_has(tmp_path: Path) -> None:
    first, second = (write(tmp_path / f"{i}.json", NOTES[: i + 1]) for i in (0, 2))
    claims = write(tmp_path / "c.json", [{"example_id": "c", "subclaims_reference": ["x"]}])

    assert load_inputs([str(first), str(second)], claims=claims).claims_source is not None


@pytest.mark.parametrize("limit", [None, 1])
def test_claims_for_unknown_examples_are_refused_by_row(limit: int | None, tmp_path: Path) -> None:
    notes = write(tmp_path / "n.json", NOTES)
    claims = [{"example_id": n, "subclaims_reference": ["x"]} for n in ("a", "secret", "c", "d")]

    with pytest.raises(UserError) as refused:
        load_inputs([str(notes)], claims=write(tmp_path / "c.json", claims), limit=limit)

    message = str(refused.value)
    assert f"{tmp_path / 'c.json'}: row 2, 4, field 'example_id': no input has" in message
    assert "(2 of 4 rows)" in message
    assert "secret" not in message


def test_claims_of_examples_beyond_the_limit_are_no_error(tmp_path: Path) -> None:
    notes = write(tmp_path / "n.json", NOTES)
    claims = write(tmp_path / "c.json", [{"example_id": "c", "subclaims_reference": ["x"]}])

    inputs = load_inputs([str(notes)], claims=claims, limit=2)

    assert ids(inputs.systems["n"]) == ["a", "b"]
    assert inputs.examples_without_claims_row == 2


def test_examples_without_a_row_in_the_claims_file_are_counted(tmp_path: Path) -> None:
    notes = write(tmp_path / "n.json", NOTES)
    claims = write(tmp_path / "c.json", [{"example_id": "b", "subclaims_reference": ["x"]}])

    inputs = load_inputs([f"s={notes}", f"t={notes}"], claims=claims)

    assert inputs.examples_without_claims_row == 4


def test_sections_and_claims_of_the_claims_file_win_over_those_of_the_input(tmp_path: Path) -> None:
    notes = [
        {
            "example_id": "a",
            "reference": "own",
            "reference_subjective": "own",
            "reference_objective_exam": "own exam",
            "subclaims_reference": ["own"],
            "subclaims_output": ["own"],
        }
    ]
    claims = [
        {
            "example_id": "a",
            "reference": "theirs",
            "reference_subjective": "theirs",
            "subclaims_reference_subjective": ["theirs"],
        }
    ]

    example = load_inputs(
        [str(write(tmp_path / "n.json", notes))], claims=write(tmp_path / "c.json", claims)
    ).systems["n"][0]

    assert example.reference == SealedText("own")
    assert example.reference_sections == {
        "subjective": SealedText("theirs"),
        "objective_exam": SealedText("own exam"),
    }
    assert example.reference_claims == {"subjective": (SealedText("theirs"),)}
    assert example.output_claims == {"full": (SealedText("own"),)}


def test_a_reference_that_the_input_lacks_comes_from_the_claims_file(tmp_path: Path) -> None:
    claims = [{"example_id": "a", "reference": "theirs"}]

    example = load_inputs(
        [str(write(tmp_path / "n.json", NOTES))], claims=write(tmp_path / "c.json", claims)
    ).systems["n"][0]

    assert example.reference == SealedText("theirs")

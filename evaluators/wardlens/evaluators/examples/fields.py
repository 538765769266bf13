"""From a row of plain values to an `Example`, with every field checked."""

from dataclasses import dataclass
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.example import SECTIONS, WHOLE, Claims, Example
from wardlens.evaluators.examples.rows import Row, kind_of

EMPTY_MARK = "#####EMPTY#####"
"""What ACI-Bench writes for a section that a note doesn't have."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands, for error messages."""

    path: Path
    row: int

    def error(self, field: str, problem: str) -> UserError:
        """An error about `field` of this row."""
        return UserError(f"{self.path}: row {self.row}, field {field!r}: {problem}")


def read_example(path: Path, number: int, row: Row) -> Example:
    """The example in row `number` of `path`.

    Raises:
        UserError: a field is missing or has a wrong type; the message names file, row and field.
    """
    place = Place(path, number)
    return Example(
        example_id=_example_id(place, row),
        row=number,
        input=_text(place, row, "input"),
        reference=_text(place, row, "reference"),
        output=_text(place, row, "output"),
        reference_sections=_sections(place, row, "reference"),
        output_sections=_sections(place, row, "output"),
        reference_claims=_claims(place, row, "subclaims_reference"),
        output_claims=_claims(place, row, "subclaims_output"),
    )


def _example_id(place: Place, row: Row) -> SealedText:
    value = row.get("example_id")
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if "example_id" not in row or value == "":
        raise place.error("example_id", "missing. Each row needs an id of its own.")
    if not isinstance(value, str):
        raise place.error("example_id", f"expected text, found {kind_of(value)}.")
    example_id = SealedText(value)
    if not example_id.is_valid_unicode:
        raise place.error("example_id", "it has a lone surrogate, which is no valid Unicode.")
    return example_id


def _text(place: Place, row: Row, field: str) -> SealedText | None:
    if field not in row:
        return None
    value = row[field]
    if not isinstance(value, str):
        raise place.error(field, f"expected text, found {kind_of(value)}.")
    return SealedText(value)


def _sections(place: Place, row: Row, field: str) -> dict[str, SealedText]:
    texts = {section: _text(place, row, f"{field}_{section}") for section in SECTIONS}
    return {
        section: SealedText("") if text.reveal() == EMPTY_MARK else text
        for section, text in texts.items()
        if text is not None
    }


def _claims(place: Place, row: Row, field: str) -> dict[str, Claims]:
    fields = {WHOLE: field} | {section: f"{field}_{section}" for section in SECTIONS}
    return {
        section: _claim_list(place, name, row[name])
        for section, name in fields.items()
        if name in row
    }


def _claim_list(place: Place, field: str, value: object) -> Claims:
    if not isinstance(value, list):
        raise place.error(
            field,
            f"expected a list of claims (text), found {kind_of(value)}. Write a "
            'JSON list, ["..."].',
        )
    for position, claim in enumerate(value, start=1):
        if not isinstance(claim, str):
            raise place.error(field, f"claim {position}: expected text, found {kind_of(claim)}.")
    return tuple(SealedText(claim) for claim in value)

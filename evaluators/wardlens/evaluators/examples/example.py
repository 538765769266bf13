"""One text to evaluate, with everything its metrics need."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from wardlens.engine.sealed import SealedText

SECTIONS = ("subjective", "objective_exam", "objective_results", "assessment_and_plan")
"""Sections of a SOAP note, in the order of a note (DocLens, Figure 4)."""

WHOLE = "full"
"""Name of the section that stands for a whole text."""

Claims = tuple[SealedText, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """A source text (`input`), a `reference` and one system's `output`, whole and by section.

    Texts that were not given are None, claims that were not given are absent from the mappings
    (keys: section names, `full` for the flat lists). `row` is the row in the user's file, from 1.
    """

    example_id: SealedText
    row: int
    input: SealedText | None = None
    reference: SealedText | None = None
    output: SealedText | None = None
    reference_sections: Mapping[str, SealedText] = field(default_factory=dict)
    output_sections: Mapping[str, SealedText] = field(default_factory=dict)
    reference_claims: Mapping[str, Claims] = field(default_factory=dict)
    output_claims: Mapping[str, Claims] = field(default_factory=dict)

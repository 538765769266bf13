"""Sections for examples whose texts came without section fields."""

from collections.abc import Mapping
from dataclasses import replace

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.example import Example
from wardlens.evaluators.text.sections import tag_sections


def with_tagged_sections(example: Example) -> Example:
    """`example` with its output and reference divided by their headings.

    A text that has section fields already, or no heading that is known, stays as it is.
    """
    return replace(
        example,
        output_sections=example.output_sections or _tagged(example.output),
        reference_sections=example.reference_sections or _tagged(example.reference),
    )


def _tagged(text: SealedText | None) -> Mapping[str, SealedText]:
    if text is None:
        return {}
    return {section: SealedText(part) for section, part in tag_sections(text.reveal()).items()}

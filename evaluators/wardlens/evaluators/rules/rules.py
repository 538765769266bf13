"""Two sets of rules: the papers' definitions, and the published scripts value for value."""

from dataclasses import dataclass
from typing import Literal

from wardlens.engine.errors import UserError
from wardlens.evaluators.text.citations import CitationForms


@dataclass(frozen=True, slots=True)
class Rules:
    """Switches of claim metrics.

    - `citation_forms`: which citation markers are taken out of a text before claims are judged
      against it.
    - `premise_words`: how many words (parts between spaces) of a text an entailment engine sees at
      most, None for all. Instruct models always see all.
    - `empty_text`: which texts count as empty, those of white space only or just those without any
      character.
    - `dataset_score`: which mean `score` is, `macro` (over texts) or `micro` (over claims pooled).
    - `empty_output`, `empty_reference`: what becomes of the claims judged against an empty text.
    - `empty_claim`: whether a claim without any text is asked.
    - `empty_denominator`: the score where there is nothing to score.
    """

    name: str
    citation_forms: CitationForms
    premise_words: int | None
    empty_text: Literal["blank", "no_characters"]
    dataset_score: Literal["macro", "micro"]
    empty_output: Literal["not_entailed", "unscored"]
    empty_reference: Literal["not_entailed", "unscored"]
    empty_claim: Literal["ask", "unscored"]
    empty_denominator: Literal["zero", "undefined"]


PRESETS = {
    # An empty output supports nothing, which is the system's doing; an empty reference or claim is
    # a gap in the data, of which nothing can be said.
    "paper": Rules(
        name="paper",
        citation_forms="lists_and_ranges",
        premise_words=None,
        empty_text="blank",
        dataset_score="macro",
        empty_output="not_entailed",
        empty_reference="unscored",
        empty_claim="unscored",
        empty_denominator="undefined",
    ),
    "released": Rules(
        name="released",
        citation_forms="first_number",
        premise_words=500,
        empty_text="no_characters",
        dataset_score="micro",
        empty_output="not_entailed",
        empty_reference="not_entailed",
        empty_claim="ask",
        empty_denominator="zero",
    ),
}


def choose_rules(name: str) -> Rules:
    """The preset called `name`; `UserError` if there is none."""
    if name not in PRESETS:
        raise UserError(f"unknown rules {name!r}. Allowed: {', '.join(PRESETS)}.")
    return PRESETS[name]

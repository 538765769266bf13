"""Two sets of rules: the papers' definitions, and the published scripts value for value."""

from dataclasses import dataclass
from typing import Literal

from wardlens.engine.errors import UserError


@dataclass(frozen=True, slots=True)
class Rules:
    """Switches of claim metrics.

    - `dataset_score`: which mean `score` is, `macro` (over texts) or `micro` (over claims pooled).
    - `empty_output`, `empty_reference`: what becomes of the claims judged against an empty text.
    - `empty_claim`: whether a claim without any text is asked.
    - `empty_denominator`: the score where there is nothing to score.
    """

    name: str
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
        dataset_score="macro",
        empty_output="not_entailed",
        empty_reference="unscored",
        empty_claim="unscored",
        empty_denominator="undefined",
    ),
    "released": Rules(
        name="released",
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

"""Two sets of rules: the papers' definitions, and the published scripts value for value."""

from dataclasses import dataclass
from typing import Literal

from wardlens.engine.errors import UserError
from wardlens.evaluators.text.citations import CitationForms
from wardlens.evaluators.text.splitting import SplitterName

CitationOrder = Literal["text", "set"]


@dataclass(frozen=True, slots=True)
class Rules:
    """Switches of claim and citation metrics.

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
    - `splitter`: who finds sentences, our splitter for clinical text or the scripts' punkt model.
    - `single_piece`: whether an output that splits at citations into just one piece has no
      citations, or is a statement.
    - `bare_pieces`: whether headings and pieces without a word are statements or left out.
    - `uncited`: whether a statement without citations fails or borrows those of the next that has.
    - `dangling`: whether one citation of a sentence that doesn't exist fails the whole statement,
      or is just a wrong citation.
    - `most_citations`: how many citations of a statement are looked at, None for all.
    - `citation_order`: order of citations in a premise, as in the text or as in a Python set.
    - `joint_separator`, `rest_separator`: what joins cited sentences, all or without one.
    - `item_numbers`: whether radiology hypotheses keep the numbers of list items.
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
    splitter: SplitterName
    single_piece: Literal["statement", "uncited"]
    bare_pieces: Literal["left_out", "statements"]
    uncited: Literal["fails", "borrow"]
    dangling: Literal["wrong_citation", "statement_fails"]
    most_citations: int | None
    citation_order: CitationOrder
    joint_separator: str
    rest_separator: str
    item_numbers: Literal["kept", "dropped"]


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
        splitter="clinical",
        single_piece="statement",
        bare_pieces="left_out",
        uncited="fails",
        dangling="wrong_citation",
        most_citations=None,
        citation_order="text",
        joint_separator=" ",
        rest_separator=" ",
        item_numbers="kept",
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
        splitter="released",
        single_piece="uncited",
        bare_pieces="statements",
        uncited="borrow",
        dangling="statement_fails",
        most_citations=10,
        citation_order="set",
        joint_separator=" ",
        rest_separator="\n",
        item_numbers="dropped",
    ),
}


def choose_rules(name: str) -> Rules:
    """The preset called `name`; `UserError` if there is none."""
    if name not in PRESETS:
        raise UserError(f"unknown rules {name!r}. Allowed: {', '.join(PRESETS)}.")
    return PRESETS[name]

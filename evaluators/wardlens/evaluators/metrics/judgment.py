"""One judged claim, statement or citation of one example."""

from dataclasses import dataclass

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked for a judgment, as the judge saw it, and the answer."""

    premise: SealedText
    hypothesis: SealedText
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Judgment:
    """The verdict on item `index` (from 0) of a section.

    Items are claims for claim metrics, statements for citation recall, and the citations of all
    statements one after another for citation precision. `text` is the claim or statement;
    `n_citations` is how many citations a statement has. `questions` are those asked for the item,
    in program order; what serves a statement and its citations stands with the statement.
    """

    section: str
    index: int
    text: SealedText
    verdict: Verdict
    questions: tuple[Question, ...] = ()
    n_citations: int = 0

"""One judged claim of one example."""

from dataclasses import dataclass

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.judges.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Judgment:
    """The verdict on claim `index` (from 0, within its list) of a section."""

    section: str
    index: int
    claim: SealedText
    verdict: Verdict

"""From counts per text and section to a data set's score.

Texts are kept apart until the end: under `paper` the score is the mean over texts of each text's
share, under `released` the share over all claims pooled. Both are always computed.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wardlens.evaluators.rules.bootstrap import interval_95
from wardlens.evaluators.rules.rules import Rules
from wardlens.evaluators.rules.tally import Tally


@dataclass(frozen=True, slots=True)
class Summary:
    """Score of one metric over a set of texts, for all sections together or for one.

    `micro` pools claims, `macro` is the mean over texts; `score` is the one that the rules choose.
    `n` judgments were asked for in `n_texts` texts that have any, `n_unscored` of them have no
    verdict; `bounds` is the score if all of those were 0 or 1. None where there is nothing to
    score and the rules don't give a value.
    """

    score: float | None
    micro: float | None
    macro: float | None
    n: int
    n_texts: int
    n_unscored: int
    bounds: tuple[float, float] | None
    ci95: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class MetricResult:
    """A metric's summary over whole texts, and by section."""

    total: Summary
    sections: Mapping[str, Summary]


def aggregate(texts: Sequence[Mapping[str, Tally]], rules: Rules) -> MetricResult:
    """Aggregate the tallies of each text by section."""
    sections = dict.fromkeys(section for text in texts for section in text)
    whole = [sum(text.values(), Tally()) for text in texts]
    return MetricResult(
        total=summarise(whole, rules),
        sections={
            section: summarise([text[section] for text in texts if section in text], rules)
            for section in sections
        },
    )


def summarise(tallies: Sequence[Tally], rules: Rules) -> Summary:
    """The summary of one tally a text."""
    pooled = sum(tallies, Tally())
    empty = 0.0 if rules.empty_denominator == "zero" else None
    micro = pooled.share if pooled.n_scored else empty
    macro = _mean([tally.share for tally in tallies], empty)
    if rules.dataset_score == "micro":
        score, low, high = micro, pooled.lower, pooled.upper
    else:
        score = macro
        low = _mean([tally.lower for tally in tallies], None)
        high = _mean([tally.upper for tally in tallies], None)
    return Summary(
        score=score,
        micro=micro,
        macro=macro,
        n=pooled.n,
        n_texts=sum(tally.n > 0 for tally in tallies),
        n_unscored=pooled.n_unscored,
        bounds=(low, high) if low is not None and high is not None else None,
        ci95=interval_95(tallies, rules.dataset_score),
    )


def _mean(values: Sequence[float | None], empty: float | None) -> float | None:
    present = [value for value in values if value is not None]
    return math.fsum(present) / len(present) if present else empty

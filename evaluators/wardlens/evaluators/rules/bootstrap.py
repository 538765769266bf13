"""A seeded bootstrap interval over texts."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from wardlens.evaluators.rules.tally import Tally

RESAMPLES = 1000
SEED = 20240501
_BATCH = 50


def interval_95(
    tallies: Sequence[Tally], dataset_score: Literal["macro", "micro"]
) -> tuple[float, float] | None:
    """Percentile interval (2.5 %, 97.5 %) of the data set's score over resampled texts.

    Texts without a scored judgment are left out; with fewer than two texts there is no interval.
    """
    scored = [tally for tally in tallies if tally.n_scored]
    if len(scored) < 2:
        return None
    true = np.array([tally.n_true for tally in scored], dtype=np.float64)
    total = np.array([tally.n_scored for tally in scored], dtype=np.float64)
    random = np.random.default_rng(SEED)
    scores = np.empty(RESAMPLES)
    for start in range(0, RESAMPLES, _BATCH):
        picks = random.integers(0, len(scored), size=(_BATCH, len(scored)))
        if dataset_score == "micro":
            part = true[picks].sum(axis=1) / total[picks].sum(axis=1)
        else:
            part = (true / total)[picks].mean(axis=1)
        scores[start : start + _BATCH] = part
    low, high = np.percentile(scores, [2.5, 97.5])
    return float(low), float(high)

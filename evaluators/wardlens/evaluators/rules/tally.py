"""Counting verdicts, and the scores that counts give."""

from collections.abc import Iterable
from dataclasses import dataclass

from wardlens.evaluators.judges.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Tally:
    """Of `n` judgments, how many are true and how many could not be made."""

    n: int = 0
    n_true: int = 0
    n_unscored: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.n + other.n,
            self.n_true + other.n_true,
            self.n_unscored + other.n_unscored,
        )

    @property
    def n_scored(self) -> int:
        """Judgments that have a label."""
        return self.n - self.n_unscored

    @property
    def share(self) -> float | None:
        """Share of true ones among those scored; None if there is none."""
        return self.n_true / self.n_scored if self.n_scored else None

    @property
    def lower(self) -> float | None:
        """The share if all unscored were false; None without judgments."""
        return self.n_true / self.n if self.n else None

    @property
    def upper(self) -> float | None:
        """The share if all unscored were true; None without judgments."""
        return (self.n_true + self.n_unscored) / self.n if self.n else None


def tally(verdicts: Iterable[Verdict]) -> Tally:
    """Count `verdicts`."""
    n = n_true = n_unscored = 0
    for verdict in verdicts:
        n += 1
        n_true += verdict.label is True
        n_unscored += verdict.label is None
    return Tally(n, n_true, n_unscored)

"""What became of the requests of a run."""

from dataclasses import dataclass, field

from wardlens.engine.replicas import TokenCounts


@dataclass(slots=True)
class DeskCounts:
    """Running totals: `asked` is the sum of the three ways an answer came, plus what is open.

    `remembered` came from the ledger, `repeated` were equal to another request of this run, and
    `computed` went to the model; of all answers, `unscored` have none.
    """

    asked: int = 0
    remembered: int = 0
    repeated: int = 0
    computed: int = 0
    unscored: int = 0
    tokens: TokenCounts = field(default_factory=TokenCounts)

    @property
    def answered(self) -> int:
        """How many requests have their answer."""
        return self.remembered + self.repeated + self.computed

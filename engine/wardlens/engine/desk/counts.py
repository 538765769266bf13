"""What became of the requests of a run."""

from dataclasses import dataclass, field

from wardlens.engine.replicas import TokenCounts


@dataclass(slots=True)
class DeskCounts:
    """Running totals: `asked` is the sum of the three ways an answer came, plus what is open.

    `computed` went to the model. `repeated` joined an equal request that was open. `remembered`
    came from the ledger, where an equal request of an earlier run or earlier in this one had left
    its answer. Of all answers, `unscored` have none.
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

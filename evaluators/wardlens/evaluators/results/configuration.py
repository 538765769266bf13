"""What makes two runs the same run."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Configuration:
    """Everything the user chose that shapes the results.

    The contents of the inputs are not part of it: a changed input continues in the same folder.
    """

    inputs: dict[str, str]
    claims: str | None
    metrics: tuple[str, ...]
    evaluator: str
    model: str
    evaluator_settings: dict[str, str]
    style: str
    rules: str
    task: str
    split: str
    tag_sections: bool
    limit: int | None
    samples: bool
    allow_misaligned: bool

    def as_json(self) -> dict[str, Any]:
        """Plain values, as they stand in `run.json`."""
        return {**asdict(self), "metrics": list(self.metrics)}

    def differences(self, stored: dict[str, Any]) -> list[str]:
        """Names of the values that differ from those stored by another run."""
        mine = self.as_json()
        return sorted(n for n in mine.keys() | stored.keys() if mine.get(n) != stored.get(n))

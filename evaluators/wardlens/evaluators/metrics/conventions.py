"""What metric programs need besides an example and a judge."""

from dataclasses import dataclass

from wardlens.evaluators.rules import Rules
from wardlens.evaluators.tasks import SplitMode, Task


@dataclass(frozen=True, slots=True)
class Conventions:
    """The rules, the task, and how outputs are split into statements."""

    rules: Rules
    task: Task
    split: SplitMode

    @property
    def drops_item_numbers(self) -> bool:
        """Whether numbers of list items are taken out of hypotheses, as for radiology in TRUE."""
        return self.rules.item_numbers == "dropped" and self.task.name == "radiology"

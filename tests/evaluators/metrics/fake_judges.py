"""Judges that need no model, and a way to run a metric's program with them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from wardlens.engine.models.overlap import is_entailed, words
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.judges import Verdict
from wardlens.evaluators.judges.judge import Judge
from wardlens.evaluators.judges.verdict import without_verdict
from wardlens.evaluators.metrics import METRICS, Judgment
from wardlens.evaluators.metrics.conventions import Conventions
from wardlens.evaluators.rules import PRESETS
from wardlens.evaluators.tasks import TASKS, choose_split

Label = bool | None
Answer = Callable[[str, str], Label]
"""Whether a premise entails a hypothesis; None where there is no verdict."""

Asked = tuple[str, str]
"""A premise and a hypothesis."""


class FunctionJudge:
    """Answers by a function, and remembers what it was asked, in the order asked."""

    def __init__(self, answer: Answer, *, answers_in_order: bool = False) -> None:
        self.answers_in_order = answers_in_order
        self.asked: list[Asked] = []
        self._answer = answer

    def seen(self, premise: SealedText) -> SealedText:
        return premise

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        questions = [(premise.reveal(), hypothesis.reveal()) for hypothesis in hypotheses]
        self.asked += questions
        # Lets others in, so that an order that holds is one that the program keeps.
        await asyncio.sleep(0)
        return [verdict(self._answer(*question)) for question in questions]


def verdict(label: Label) -> Verdict:
    return without_verdict("no answer") if label is None else Verdict(label=label)


def overlaps(premise: str, hypothesis: str) -> bool:
    """The overlap rule, at its usual threshold."""
    return is_entailed(words(premise), words(hypothesis), 0.6)


def cited(
    output: str, source: str = "", *, sections: Mapping[str, str] | None = None, name: str = "id"
) -> Example:
    """An example with a cited output, whole or by section."""
    return Example(
        SealedText(name),
        1,
        input=SealedText(source),
        output=SealedText(output),
        output_sections={s: SealedText(text) for s, text in (sections or {}).items()},
    )


def conventions(rules: str = "paper", task: str = "note", split: str | None = None) -> Conventions:
    """Those of a run with these options."""
    return Conventions(PRESETS[rules], TASKS[task], choose_split(split, TASKS[task]))


def judge_with(
    judge: Judge,
    example: Example,
    metric: str = "citation_precision",
    under: Conventions | None = None,
) -> Mapping[str, list[Judgment]]:
    """The judgments of one metric's program."""
    program = METRICS[metric].program

    async def run() -> Mapping[str, list[Judgment]]:
        return await program(example, judge, under or conventions())

    return asyncio.run(run())


def labels(judgments: Sequence[Judgment]) -> list[Label]:
    return [judgment.verdict.label for judgment in judgments]

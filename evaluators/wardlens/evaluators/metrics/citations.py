"""Citation recall and citation precision (DocLens, sections 3.3 and 3.5).

A statement is recalled if its citations together entail it. A citation is precise if its statement
is recalled and the citation alone entails it, or the others without it don't. (Section 3.5 forgets
the negation; 3.3 is right.)
"""

import asyncio
import re
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.example import Example
from wardlens.evaluators.judges.judge import AttributingJudge, Judge
from wardlens.evaluators.judges.verdict import Verdict, without_verdict
from wardlens.evaluators.metrics.conventions import Conventions
from wardlens.evaluators.metrics.judgment import Judgment, Question
from wardlens.evaluators.metrics.statements import CitedText, Statement, cited_texts

Judgments = Mapping[str, list[Judgment]]
Result = TypeVar("Result")

_FALSE = Verdict(label=False, stable=True)
_ITEM_NUMBER = re.compile(r"\d+. ")


async def citation_recall(example: Example, judge: Judge, conventions: Conventions) -> Judgments:
    """Judge whether each statement of the output is entailed by its citations."""
    program = _CitationProgram(judge, conventions, with_precision=False)
    recall, _ = await program.judge_example(example)
    return {"citation_recall": recall}


async def citation_precision(example: Example, judge: Judge, conventions: Conventions) -> Judgments:
    """Judge whether each citation is needed. That takes recall with it, which is given too."""
    program = _CitationProgram(judge, conventions, with_precision=True)
    recall, precision = await program.judge_example(example)
    return {"citation_recall": recall, "citation_precision": precision}


@dataclass(frozen=True, slots=True)
class _Citation:
    """The precision of one citation and the questions asked for it."""

    precision: Verdict
    questions: tuple[Question, ...] = ()


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A statement's recall, its own questions, and its citations."""

    recall: Verdict
    questions: tuple[Question, ...]
    citations: tuple[_Citation, ...]


@dataclass(frozen=True, slots=True)
class _CitationProgram:
    """One judge at work under one set of conventions."""

    judge: Judge
    conventions: Conventions
    with_precision: bool

    async def judge_example(self, example: Example) -> tuple[list[Judgment], list[Judgment]]:
        """Judgments of all statements, and of all citations."""
        recall: list[Judgment] = []
        precision: list[Judgment] = []
        for text in cited_texts(example, self.conventions):
            outcomes = await self._together([self._judge(s, text) for s in text.statements])
            pairs = list(zip(text.statements, outcomes, strict=True))
            recall += [
                Judgment(text.section, i, s.text, o.recall, o.questions, len(o.citations))
                for i, (s, o) in enumerate(pairs)
            ]
            citations = [(s.text, citation) for s, o in pairs for citation in o.citations]
            precision += [
                Judgment(text.section, index, statement, citation.precision, citation.questions)
                for index, (statement, citation) in enumerate(citations)
            ]
        return recall, precision

    async def _judge(self, statement: Statement, text: CitedText) -> _Outcome:
        dangling = (_Citation(_FALSE),) * statement.n_dangling
        if not statement.cited:
            return _Outcome(_FALSE, (), dangling)
        passages = [SealedText(text.sentences[number]) for number in statement.cited]
        if isinstance(self.judge, AttributingJudge):
            outcome = await self._ask_once(statement, passages, self.judge)
        else:
            outcome = await self._ask_in_steps(statement, passages)
        return replace(outcome, citations=outcome.citations + dangling)

    async def _ask_once(
        self, statement: Statement, passages: list[SealedText], judge: AttributingJudge
    ) -> _Outcome:
        """One answer holds the label and, of the citations, those that support the statement."""
        attribution = await judge.attribute(statement.text, statement.cited, passages)
        citations = tuple(map(_Citation, attribution.citations))
        return _Outcome(attribution.supported, (), citations)

    async def _ask_in_steps(self, statement: Statement, passages: list[SealedText]) -> _Outcome:
        """All citations together; if entailed each alone; where that fails the rest without it."""
        hypothesis = self._hypothesis(statement)
        rules = self.conventions.rules
        joint = await self._ask(_join(passages, rules.joint_separator), hypothesis)
        recall = joint.verdict
        if recall.label is not True or len(passages) == 1 or not self.with_precision:
            return _Outcome(recall, (joint,), (_Citation(recall),) * len(passages))

        async def judge_citation(position: int) -> _Citation:
            alone = await self._ask(passages[position], hypothesis)
            if alone.verdict.label is True:
                return _Citation(alone.verdict, (alone,))
            # Of equal citations the first is the one that is left out, as in the scripts.
            left_out = statement.cited.index(statement.cited[position])
            others = passages[:left_out] + passages[left_out + 1 :]
            rest = await self._ask(_join(others, rules.rest_separator), hypothesis)
            return _Citation(_is_needed(alone.verdict, rest.verdict), (alone, rest))

        citations = await self._together([judge_citation(at) for at in range(len(passages))])
        return _Outcome(recall, (joint,), tuple(citations))

    async def _ask(self, premise: SealedText, hypothesis: SealedText) -> Question:
        (verdict,) = await self.judge.entails(premise, [hypothesis])
        return Question(self.judge.seen(premise), hypothesis, verdict)

    async def _together(self, work: list[Awaitable[Result]]) -> list[Result]:
        """Results in order; one after another for a judge whose answers depend on the order."""
        if self.judge.answers_in_order:
            return [await item for item in work]
        return list(await asyncio.gather(*work))

    def _hypothesis(self, statement: Statement) -> SealedText:
        if self.conventions.drops_item_numbers:
            return SealedText(_ITEM_NUMBER.sub("", statement.text.reveal()))
        return statement.text


def _is_needed(alone: Verdict, rest: Verdict) -> Verdict:
    """`alone` or not `rest`, where `alone` is not true; unscored where neither decides."""
    if rest.label is False:
        return Verdict(label=True, stable=rest.stable)
    if rest.label is None or alone.label is None:
        return without_verdict(rest.unscored or alone.unscored or "no verdict")
    stable = None if None in {alone.stable, rest.stable} else alone.stable and rest.stable
    return Verdict(label=False, stable=stable)


def _join(passages: Sequence[SealedText], separator: str) -> SealedText:
    return SealedText(separator.join(passage.reveal() for passage in passages))

"""Claim recall and claim precision (DocLens, sections 3.1 and 3.2).

Recall: which of the reference's claims does the output entail? Precision: which of the output's
claims does the reference entail? Claims meet the text of their own section where both the claims
and the texts have sections; otherwise all claims meet the whole text.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Literal, NamedTuple

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.example import SECTIONS, WHOLE, Claims, Example
from wardlens.evaluators.judges.judge import ComparingJudge, Judge
from wardlens.evaluators.judges.verdict import Verdict, either, without_verdict
from wardlens.evaluators.metrics.conventions import Conventions
from wardlens.evaluators.metrics.judgment import Judgment, Question
from wardlens.evaluators.rules import Rules
from wardlens.evaluators.text.citations import GRAMMARS

EmptyText = Literal["not_entailed", "unscored"]


class ClaimQuestion(NamedTuple):
    """The claims of a section and the text that should entail them (None where none is given)."""

    section: str
    text: SealedText | None
    claims: Claims


async def claim_recall(
    example: Example, judge: Judge, conventions: Conventions
) -> Mapping[str, list[Judgment]]:
    """Judge each claim of the reference against the output."""
    program = _ClaimProgram(judge, conventions, conventions.rules.empty_output)
    judged = [await program.judge(question) for question in recall_questions(example)]
    return {"claim_recall": await program.or_the_same(example, list(chain(*judged)))}


async def claim_precision(
    example: Example, judge: Judge, conventions: Conventions
) -> Mapping[str, list[Judgment]]:
    """Judge each claim of the output against the reference."""
    program = _ClaimProgram(judge, conventions, conventions.rules.empty_reference)
    judged = [await program.judge(question) for question in precision_questions(example)]
    return {"claim_precision": await program.or_the_same(example, list(chain(*judged)))}


def recall_questions(example: Example) -> list[ClaimQuestion]:
    """Reference claims against output texts."""
    return _match(example.reference_claims, example.output_sections, example.output)


def precision_questions(example: Example) -> list[ClaimQuestion]:
    """Output claims against reference texts."""
    return _match(example.output_claims, example.reference_sections, example.reference)


def _match(
    claims: Mapping[str, Claims],
    section_texts: Mapping[str, SealedText],
    whole_text: SealedText | None,
) -> list[ClaimQuestion]:
    by_section = {section: claims[section] for section in SECTIONS if section in claims}
    if section_texts and by_section:
        # A section that the text doesn't have is an empty text: its claims are not entailed.
        empty = SealedText("")
        return [
            ClaimQuestion(section, section_texts.get(section, empty), listed)
            for section, listed in by_section.items()
        ]
    union = tuple(claim for listed in by_section.values() for claim in listed)
    flat = claims.get(WHOLE) or union
    text = whole_text if whole_text is not None else _joined(section_texts)
    return [ClaimQuestion(WHOLE, text, flat)] if flat else []


def _joined(section_texts: Mapping[str, SealedText]) -> SealedText | None:
    texts = [section_texts[section].reveal() for section in SECTIONS if section in section_texts]
    return SealedText("\n\n".join(texts)) if texts else None


class _ClaimProgram:
    """One judge at work under one set of conventions, with what an empty text does to claims."""

    def __init__(self, judge: Judge, conventions: Conventions, empty_text: EmptyText) -> None:
        self._judge = judge
        self._conventions = conventions
        self._empty_text = empty_text

    async def judge(self, question: ClaimQuestion) -> list[Judgment]:
        """Judge the claims of one section."""
        rules = self._conventions.rules
        text = _without_citations(question.text, rules)
        if text.is_blank if rules.empty_text == "blank" else not len(text):
            verdict = (
                Verdict(label=False, stable=True)
                if self._empty_text == "not_entailed"
                else without_verdict("the text is empty")
            )
            return [
                Judgment(question.section, index, claim, verdict)
                for index, claim in enumerate(question.claims)
            ]
        askable = [c for c in question.claims if rules.empty_claim == "ask" or not c.is_blank]
        answers = iter(await self._judge.entails(text, askable))
        seen = self._judge.seen(text)
        judgments = []
        for index, claim in enumerate(question.claims):
            if rules.empty_claim == "ask" or not claim.is_blank:
                verdict = next(answers)
                asked = Question(seen, claim, verdict)
                judgment = Judgment(question.section, index, claim, verdict, (asked,))
            else:
                verdict = without_verdict("the claim is empty")
                judgment = Judgment(question.section, index, claim, verdict)
            judgments.append(judgment)
        return judgments

    async def or_the_same(self, example: Example, judgments: list[Judgment]) -> list[Judgment]:
        """For questions: a claim also counts where output and reference ask the same."""
        judge = self._judge
        if (
            not self._conventions.task.either_or
            or not isinstance(judge, ComparingJudge)
            or example.output is None
            or example.reference is None
            or not judgments
        ):
            return judgments
        output = _without_citations(example.output, self._conventions.rules)
        same = await judge.asks_the_same(output, example.reference)
        return [
            Judgment(j.section, j.index, j.text, either(j.verdict, same), j.questions)
            for j in judgments
        ]


def _without_citations(text: SealedText | None, rules: Rules) -> SealedText:
    if text is None:
        return SealedText("")
    return SealedText(GRAMMARS[rules.citation_forms].remove(text.reveal()))

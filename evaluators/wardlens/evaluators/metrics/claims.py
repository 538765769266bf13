"""Claim recall and claim precision (DocLens, sections 3.1 and 3.2).

Recall: which of the reference's claims does the output entail? Precision: which of the output's
claims does the reference entail? Claims meet the text of their own section where both the claims
and the texts have sections; otherwise all claims meet the whole text.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples.example import SECTIONS, WHOLE, Claims, Example
from wardlens.evaluators.judges.judge import Judge
from wardlens.evaluators.judges.verdict import Verdict, without_verdict
from wardlens.evaluators.metrics.judgment import Judgment
from wardlens.evaluators.rules import Rules
from wardlens.evaluators.text.citations import GRAMMARS

EmptyText = Literal["not_entailed", "unscored"]


class ClaimQuestion(NamedTuple):
    """The claims of a section and the text that should entail them (None where none is given)."""

    section: str
    text: SealedText | None
    claims: Claims


async def claim_recall(example: Example, judge: Judge, rules: Rules) -> list[Judgment]:
    """Judge each claim of the reference against the output."""
    return [
        judgment
        for question in recall_questions(example)
        for judgment in await _judge_claims(question, judge, rules.empty_output, rules)
    ]


async def claim_precision(example: Example, judge: Judge, rules: Rules) -> list[Judgment]:
    """Judge each claim of the output against the reference."""
    return [
        judgment
        for question in precision_questions(example)
        for judgment in await _judge_claims(question, judge, rules.empty_reference, rules)
    ]


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


async def _judge_claims(
    question: ClaimQuestion, judge: Judge, empty_text: EmptyText, rules: Rules
) -> list[Judgment]:
    verdicts = await _verdicts(question, judge, empty_text, rules)
    return [
        Judgment(question.section, index, claim, verdict)
        for index, (claim, verdict) in enumerate(zip(question.claims, verdicts, strict=True))
    ]


async def _verdicts(
    question: ClaimQuestion, judge: Judge, empty_text: EmptyText, rules: Rules
) -> Sequence[Verdict]:
    text = _without_citations(question.text, rules)
    if text.is_blank if rules.empty_text == "blank" else not len(text):
        verdict = (
            Verdict(label=False, stable=True)
            if empty_text == "not_entailed"
            else without_verdict("the text is empty")
        )
        return [verdict] * len(question.claims)
    askable = [c for c in question.claims if rules.empty_claim == "ask" or not c.is_blank]
    answers = iter(await judge.entails(text, askable))
    empty = without_verdict("the claim is empty")
    return [
        next(answers) if rules.empty_claim == "ask" or not claim.is_blank else empty
        for claim in question.claims
    ]


def _without_citations(text: SealedText | None, rules: Rules) -> SealedText:
    if text is None:
        return SealedText("")
    return SealedText(GRAMMARS[rules.citation_forms].remove(text.reveal()))

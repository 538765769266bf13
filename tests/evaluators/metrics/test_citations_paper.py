"""Citation metrics under `paper`, against definitions written down a second time.

DocLens, section 3.3: a statement s with citations C has recall 1 if and only if C entails s. A
citation c has precision 1 if and only if (i) C entails s, and (ii) c entails s, or C without c does
not. The scores of an output are the shares of its statements and of its citations.
"""

import hashlib
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.evaluators.metrics.cited_texts import (
    FINDINGS,
    Cited,
    CitedOutput,
    Marker,
    cited_outputs,
)
from tests.evaluators.metrics.fake_judges import (
    Answer,
    Asked,
    FunctionJudge,
    Label,
    cited,
    judge_with,
    labels,
)
from wardlens.evaluators.examples import SECTIONS
from wardlens.evaluators.results.outcome import ExampleOutcome
from wardlens.evaluators.rules import PRESETS
from wardlens.evaluators.rules.aggregate import MetricResult, aggregate

NAMES = ("citation_recall", "citation_precision")


# --- the definitions -----------------------------------------------------------------------


class Expected(NamedTuple):
    recall: list[Label]
    precision: list[Label]
    asked: list[Asked]


def by_definition(text: CitedOutput, answer: Answer) -> Expected:
    """Labels of all statements and citations, and the questions that are needed for them."""
    expected = Expected([], [], [])
    for statement in text.statements:
        judge_by_definition(statement, text.sentences, answer, expected)
    return expected


def judge_by_definition(
    s: Cited, sentences: Sequence[str], answer: Answer, expected: Expected
) -> None:
    def entails(citations: Sequence[int]) -> Label:
        question = (" ".join(sentences[c] for c in citations), s.statement)
        expected.asked.append(question)
        return answer(*question)

    cites, n_dangling = citations_by_definition(s.markers, len(sentences))
    # What is not in the input entails nothing, and no citation is no support.
    recalled = entails(cites) if cites else False
    expected.recall.append(recalled)
    for c in cites:
        if recalled is not True or len(cites) == 1:
            # (i) decides; a single citation supports the statement if all citations do.
            expected.precision.append(recalled)
            continue
        alone = entails([c])
        if alone is True:
            expected.precision.append(True)
            continue
        rest = entails([other for other in cites if other != c])
        expected.precision.append(one_or_not_the_other(alone, rest))
    expected.precision.extend([False] * n_dangling)


def citations_by_definition(markers: Sequence[Marker], n_sentences: int) -> tuple[list[int], int]:
    """The set of sentences cited, in the order of the text, and how many markers cite beside it."""
    cites: list[int] = []
    dangling = set()
    for first, last in (marker.numbers for marker in markers):
        numbers = list(range(first, last + 1))
        cites += [n for n in numbers if n < n_sentences and n not in cites]
        if not numbers or numbers[-1] >= n_sentences:
            dangling.add((first, last))
    return cites, len(dangling)


def one_or_not_the_other(alone: Label, rest: Label) -> Label:
    """Three-valued: unknown unless one of the two decides."""
    if alone is True or rest is False:
        return True
    return None if None in {alone, rest} else False


def mean_share(outputs: Sequence[Sequence[Label]]) -> Fraction | None:
    """The mean over outputs of the share of true ones among those scored."""
    shares = []
    for given_labels in outputs:
        scored = [label for label in given_labels if label is not None]
        if scored:
            shares.append(Fraction(sum(scored), len(scored)))
    return sum(shares, Fraction()) / len(shares) if shares else None


# --- judges --------------------------------------------------------------------------------


def any_judge(seed: int) -> Answer:
    """Answers at random, but the same to the same question."""

    def answer(premise: str, hypothesis: str) -> Label:
        digest = hashlib.sha256(f"{seed}|{premise}|{hypothesis}".encode()).digest()
        return (True, True, False, None)[digest[0] % 4]

    return answer


def results(texts: Sequence[CitedOutput], answer: Answer) -> dict[str, MetricResult]:
    """The results of a data set."""
    outcomes = []
    for text in texts:
        example = cited(text.output, text.source)
        judged = judge_with(FunctionJudge(answer), example)
        outcomes.append(ExampleOutcome(example, {n: tuple(j) for n, j in judged.items()}))
    return {
        name: aggregate([outcome.tallies(name) for outcome in outcomes], PRESETS["paper"])
        for name in NAMES
    }


# --- the tests -----------------------------------------------------------------------------


@given(text=cited_outputs(), seed=st.integers(0, 2**16))
def test_every_label_and_every_question_is_as_defined(text: CitedOutput, seed: int) -> None:
    expected = by_definition(text, any_judge(seed))
    judge = FunctionJudge(any_judge(seed), answers_in_order=True)

    judged = judge_with(judge, cited(text.output, text.source))

    assert [j.text.reveal() for j in judged["citation_recall"]] == [
        statement.statement for statement in text.statements
    ]
    assert labels(judged["citation_recall"]) == expected.recall
    assert labels(judged["citation_precision"]) == expected.precision
    assert judge.asked == expected.asked


@given(text=cited_outputs(), seed=st.integers(0, 2**16))
def test_a_judge_that_is_asked_all_at_once_gives_the_same(text: CitedOutput, seed: int) -> None:
    one, other = (
        FunctionJudge(any_judge(seed), answers_in_order=in_order) for in_order in (True, False)
    )
    example = cited(text.output, text.source)

    assert judge_with(one, example) == judge_with(other, example)
    assert sorted(one.asked) == sorted(other.asked)


@given(text=cited_outputs(), seed=st.integers(0, 2**16))
def test_recall_by_itself_asks_the_joint_questions_and_no_others(
    text: CitedOutput, seed: int
) -> None:
    judge = FunctionJudge(any_judge(seed), answers_in_order=True)

    judged = judge_with(judge, cited(text.output, text.source), "citation_recall")

    assert list(judged) == ["citation_recall"]
    assert labels(judged["citation_recall"]) == by_definition(text, any_judge(seed)).recall
    cites = [citations_by_definition(s.markers, len(text.sentences))[0] for s in text.statements]
    assert judge.asked == [
        (" ".join(text.sentences[n] for n in numbers), statement.statement)
        for numbers, statement in zip(cites, text.statements, strict=True)
        if numbers
    ]


@given(texts=st.lists(cited_outputs(), max_size=4), seed=st.integers(0, 2**16))
def test_scores_of_a_data_set_are_means_of_shares(texts: list[CitedOutput], seed: int) -> None:
    expected = [by_definition(text, any_judge(seed)) for text in texts]

    scored = results(texts, any_judge(seed))

    for name, part in zip(NAMES, ("recall", "precision"), strict=True):
        mean = mean_share([getattr(e, part) for e in expected])
        expected_score = None if mean is None else pytest.approx(float(mean), abs=1e-12)
        assert scored[name].total.score == expected_score
        assert scored[name].total.n == sum(len(getattr(e, part)) for e in expected)


@given(data=st.data(), texts=st.lists(cited_outputs(), max_size=5), seed=st.integers(0, 2**16))
def test_the_order_of_examples_does_not_matter(
    data: st.DataObject, texts: list[CitedOutput], seed: int
) -> None:
    shuffled = data.draw(st.permutations(texts))

    one, other = results(texts, any_judge(seed)), results(shuffled, any_judge(seed))

    for name in NAMES:
        assert one[name].total.score == other[name].total.score
        assert one[name].total.micro == other[name].total.micro
        assert one[name].total.bounds == other[name].total.bounds


@given(
    data=st.data(),
    texts=st.lists(cited_outputs(), min_size=1, max_size=4),
    seed=st.integers(0, 2**16),
)
def test_the_order_of_sections_does_not_matter(
    data: st.DataObject, texts: list[CitedOutput], seed: int
) -> None:
    source = max(texts, key=lambda text: len(text.sentences)).source
    sections = dict(zip(SECTIONS, (text.output for text in texts), strict=False))
    shuffled = dict(data.draw(st.permutations(list(sections.items()))))

    one, other = (
        judge_with(FunctionJudge(any_judge(seed)), cited("", source, sections=given_sections))
        for given_sections in (sections, shuffled)
    )

    assert one == other


@given(text=cited_outputs(least=2, beyond=0), share=st.sampled_from([0.5, 1]), data=st.data())
def test_a_citation_that_neither_entails_nor_is_needed_lowers_precision(
    text: CitedOutput, share: float, data: st.DataObject
) -> None:
    recalled = [n for n, r in enumerate(by_definition(text, mentions(share)).recall) if r]
    assume(recalled)
    position = data.draw(st.sampled_from(recalled))
    padded = with_marker(text.statements[position], len(text.sentences))
    longer = CitedOutput(
        (*text.sentences, "how is the family ?"),
        (*text.statements[:position], padded, *text.statements[position + 1 :]),
        text.joint,
    )

    before, after = (results([t], mentions(share)) for t in (text, longer))

    precision = before["citation_precision"].total.score
    lower = after["citation_precision"].total.score
    assert precision is not None
    assert lower is not None
    assert lower < precision or lower == precision == 0
    assert after["citation_precision"].total.n == before["citation_precision"].total.n + 1
    assert after["citation_recall"] == before["citation_recall"]


@given(text=cited_outputs(least=1), place=st.integers(0, 4), data=st.data())
def test_a_statement_that_its_citation_entails_never_lowers_recall(
    text: CitedOutput, place: int, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(text.sentences) - 1))
    words = tuple(text.sentences[number].split())
    assume(words)
    supported = with_marker(Cited(words, (), (), "{body} {citations}."), number)
    statements = (*text.statements[:place], supported, *text.statements[place:])
    longer = CitedOutput(text.sentences, statements, text.joint)

    before, after = (results([t], mentions(1))["citation_recall"].total for t in (text, longer))

    assert before.score is not None
    assert after.score is not None
    assert after.score >= before.score


def mentions(share: float) -> Answer:
    """Entailed if this share of the findings is mentioned: more premise never turns yes to no."""

    def answer(premise: str, hypothesis: str) -> Label:
        findings = [finding for finding in FINDINGS if finding in hypothesis]
        return sum(finding in premise for finding in findings) >= share * len(findings)

    return answer


def with_marker(statement: Cited, number: int) -> Cited:
    """`statement` with one more citation, the first."""
    ending = statement.ending if statement.markers else "{body} {citations}."
    markers = (Marker(number, None, ""), *statement.markers)
    return Cited(statement.words, markers, ("][", *statement.joints), ending)

"""Which claim meets which text, and what is asked of the judge."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import SECTIONS, Example
from wardlens.evaluators.judges import Verdict
from wardlens.evaluators.metrics import METRICS, Judgment
from wardlens.evaluators.metrics.conventions import Conventions
from wardlens.evaluators.rules import PRESETS
from wardlens.evaluators.tasks import TASKS

METRIC_NAMES = ("claim_recall", "claim_precision")
RULE_NAMES = ("paper", "released")
OTHER_SIDE = {"claim_recall": "output", "claim_precision": "reference"}


class FakeJudge:
    """Says yes to claims that have a `y`, and remembers what it was asked."""

    answers_in_order = False

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str]]] = []

    def seen(self, premise: SealedText) -> SealedText:
        return premise

    async def entails(self, premise: SealedText, hypotheses: Sequence[SealedText]) -> list[Verdict]:
        claims = [hypothesis.reveal() for hypothesis in hypotheses]
        self.asked.append((premise.reveal(), claims))
        return [Verdict(label="y" in claim, probability=0.5) for claim in claims]


class Judged(NamedTuple):
    judgments: list[Judgment]
    asked: list[tuple[str, list[str]]]

    @property
    def labels(self) -> list[bool | None]:
        return [judgment.verdict.label for judgment in self.judgments]

    @property
    def places(self) -> list[tuple[str, int, str]]:
        return [(j.section, j.index, j.text.reveal()) for j in self.judgments]


def judge(metric: str, example: Example, rules: str = "paper") -> Judged:
    fake = FakeJudge()

    conventions = Conventions(PRESETS[rules], TASKS["note"], "sent")

    async def program() -> Mapping[str, list[Judgment]]:
        return await METRICS[metric].program(example, fake, conventions)

    judged = asyncio.run(program())
    assert list(judged) == [metric]
    return Judged(judged[metric], fake.asked)


def sealed(texts: Mapping[str, str]) -> dict[str, SealedText]:
    return {section: SealedText(text) for section, text in texts.items()}


def make(
    metric: str,
    *,
    text: str | None = None,
    section_texts: Mapping[str, str] | None = None,
    claims: Mapping[str, Sequence[str]] | None = None,
) -> Example:
    """An example with the claims that `metric` takes and the texts that it holds them against."""
    whole = None if text is None else SealedText(text)
    by_section = sealed(section_texts or {})
    listed = {s: tuple(map(SealedText, c)) for s, c in (claims or {}).items()}
    if metric == "claim_recall":
        return Example(
            SealedText("id"), 1, output=whole, output_sections=by_section, reference_claims=listed
        )
    return Example(
        SealedText("id"), 1, reference=whole, reference_sections=by_section, output_claims=listed
    )


@pytest.fixture(params=METRIC_NAMES)
def metric(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=RULE_NAMES)
def rules(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_section_claims_meet_the_text_of_their_section(metric: str) -> None:
    example = make(
        metric,
        text="whole",
        section_texts={"subjective": "S", "assessment_and_plan": "P"},
        claims={"assessment_and_plan": ["p1", "p2"], "subjective": ["s1"]},
    )

    judged = judge(metric, example)

    assert judged.asked == [("S", ["s1"]), ("P", ["p1", "p2"])]
    assert judged.places == [
        ("subjective", 0, "s1"),
        ("assessment_and_plan", 0, "p1"),
        ("assessment_and_plan", 1, "p2"),
    ]


def test_where_both_have_sections_flat_claims_are_not_judged_again(metric: str) -> None:
    example = make(
        metric,
        text="whole",
        section_texts={"subjective": "S"},
        claims={"full": ["s1"], "subjective": ["s1"]},
    )

    assert judge(metric, example).asked == [("S", ["s1"])]


def test_without_sections_in_the_text_flat_claims_meet_the_whole(metric: str) -> None:
    example = make(metric, text="whole", claims={"full": ["f1", "f2"], "subjective": ["s1"]})

    judged = judge(metric, example)

    assert judged.asked == [("whole", ["f1", "f2"])]
    assert judged.places == [("full", 0, "f1"), ("full", 1, "f2")]


def test_without_flat_claims_the_union_of_the_sections_meets_the_whole(metric: str) -> None:
    example = make(
        metric,
        text="whole",
        claims={"assessment_and_plan": ["p1"], "objective_exam": [], "subjective": ["s1", "s2"]},
    )

    judged = judge(metric, example)

    assert judged.asked == [("whole", ["s1", "s2", "p1"])]
    assert judged.places == [("full", 0, "s1"), ("full", 1, "s2"), ("full", 2, "p1")]


def test_flat_claims_meet_the_joined_sections_where_no_whole_text_is_given(metric: str) -> None:
    example = make(
        metric,
        section_texts={"assessment_and_plan": "P", "subjective": "S"},
        claims={"full": ["f1"]},
    )

    assert judge(metric, example).asked == [("S\n\nP", ["f1"])]


def test_flat_claims_meet_the_whole_text_even_if_it_has_sections_too(metric: str) -> None:
    example = make(metric, text="whole", section_texts={"subjective": "S"}, claims={"full": ["f1"]})

    assert judge(metric, example).asked == [("whole", ["f1"])]


@pytest.mark.parametrize("section_text", [None, ""])
def test_claims_of_a_section_that_the_output_lacks_are_not_entailed(
    section_text: str | None, rules: str
) -> None:
    texts = {"subjective": "S"} | ({} if section_text is None else {"objective_exam": section_text})
    example = make(
        "claim_recall", section_texts=texts, claims={"subjective": ["y"], "objective_exam": ["y"]}
    )

    judged = judge("claim_recall", example, rules)

    assert judged.labels == [True, False]
    assert judged.asked == [("S", ["y"])]


def test_a_text_without_claims_has_no_judgments(metric: str, rules: str) -> None:
    no_claims: list[dict[str, list[str]]] = [{}, {"full": []}, {"subjective": []}]
    for claims in no_claims:
        for sections in ("S", None):
            section_texts = {} if sections is None else {"subjective": sections}
            example = make(metric, text="whole", section_texts=section_texts, claims=claims)

            judged = judge(metric, example, rules)

            assert judged.judgments == []
            assert all(asked == [] for _text, asked in judged.asked)


def test_claims_against_an_empty_output_are_not_entailed_and_not_asked(rules: str) -> None:
    judged = judge("claim_recall", make("claim_recall", text="", claims={"full": ["y", ""]}), rules)

    assert judged.labels == [False, False]
    assert judged.asked == []


@pytest.mark.parametrize(("rules", "asked"), [("paper", 0), ("released", 1)])
def test_white_space_is_an_empty_output_under_paper_only(rules: str, asked: int) -> None:
    example = make("claim_recall", text=" \t\n\u2003", claims={"full": ["n"]})

    judged = judge("claim_recall", example, rules)

    assert judged.labels == [False]
    assert len(judged.asked) == asked


@pytest.mark.parametrize(
    ("rules", "seen"),
    [
        ("paper", "Cough for days. No fever at [night]."),
        ("released", "Cough for days. No fever-3, 9] at [night.".replace("]", "")),
    ],
)
def test_claims_are_judged_against_the_text_without_its_citations(rules: str, seen: str) -> None:
    cited = "Cough for days [1][2]. No fever [2-3, 9] at [night]."

    judged = judge("claim_recall", make("claim_recall", text=cited, claims={"full": ["y"]}), rules)

    assert judged.asked == [(seen, ["y"])]


def test_claims_against_an_empty_reference_are_unscored_under_paper() -> None:
    example = make("claim_precision", text=" ", claims={"full": ["y", "n"]})

    judged = judge("claim_precision", example, "paper")

    assert [j.verdict.unscored for j in judged.judgments] == ["the text is empty"] * 2
    assert judged.labels == [None, None]
    assert judged.asked == []


def test_claims_against_an_empty_reference_are_not_entailed_under_released() -> None:
    example = make("claim_precision", text="", claims={"full": ["y", "n"]})

    judged = judge("claim_precision", example, "released")

    assert judged.labels == [False, False]
    assert judged.asked == []


def test_an_empty_claim_is_unscored_under_paper_and_the_others_keep_their_places(
    metric: str,
) -> None:
    example = make(metric, text="whole", claims={"full": ["", "y", " \n", "n"]})

    judged = judge(metric, example, "paper")

    assert judged.labels == [None, True, None, False]
    assert [j.verdict.unscored for j in judged.judgments[::2]] == ["the claim is empty"] * 2
    assert [j.index for j in judged.judgments] == [0, 1, 2, 3]
    assert judged.asked == [("whole", ["y", "n"])]


def test_an_empty_claim_is_asked_like_any_other_under_released(metric: str) -> None:
    example = make(metric, text="whole", claims={"full": ["", "y"]})

    judged = judge(metric, example, "released")

    assert judged.labels == [False, True]
    assert judged.asked == [("whole", ["", "y"])]


# --- against the issue's text, written down a second time ---------------------------------


def claims_and_texts_by_the_issue(
    whole: str | None, section_texts: Mapping[str, str], claims: Mapping[str, Sequence[str]]
) -> list[tuple[str, int, str, str | None]]:
    """Section, index, claim and text: "section claims against the section's text; where the
    output has no sections, flat `subclaims_reference`, else the union of the section claims,
    against the whole output; precision likewise against the reference"."""
    pairs: list[tuple[str, int, str, str | None]] = []
    claims_have_sections = any(section in claims for section in SECTIONS)
    if section_texts and claims_have_sections:
        for section in SECTIONS:
            for index, claim in enumerate(claims.get(section, [])):
                pairs.append((section, index, claim, section_texts.get(section, "")))
        return pairs
    if whole is None and section_texts:
        whole = "\n\n".join(section_texts[s] for s in SECTIONS if s in section_texts)
    if claims.get("full"):
        against_whole = list(claims["full"])
    else:
        against_whole = [claim for section in SECTIONS for claim in claims.get(section, [])]
    return [("full", index, claim, whole) for index, claim in enumerate(against_whole)]


some_texts = st.sampled_from(["", "S", "P", "E"])
some_claims = st.lists(st.sampled_from(["", "y1", "n1", "y2", "n2"]), max_size=3)


@pytest.mark.parametrize("rules", RULE_NAMES)
@pytest.mark.parametrize("metric", METRIC_NAMES)
@given(
    whole=st.one_of(st.none(), some_texts),
    section_texts=st.dictionaries(st.sampled_from(SECTIONS), some_texts),
    claims=st.dictionaries(st.sampled_from(("full", *SECTIONS)), some_claims),
)
def test_any_example_is_judged_as_the_issue_says(
    metric: str,
    rules: str,
    whole: str | None,
    section_texts: dict[str, str],
    claims: dict[str, list[str]],
) -> None:
    expected = claims_and_texts_by_the_issue(whole, section_texts, claims)
    on_empty_text = None if (metric, rules) == ("claim_precision", "paper") else False
    labels: list[bool | None] = []
    questions: list[tuple[str, str]] = []
    for _section, _index, claim, text in expected:
        if not (text or "").strip():
            labels.append(on_empty_text)
        elif not claim and rules == "paper":
            labels.append(None)
        else:
            labels.append("y" in claim)
            questions.append((str(text), claim))

    judged = judge(
        metric, make(metric, text=whole, section_texts=section_texts, claims=claims), rules
    )

    assert judged.places == [pair[:3] for pair in expected]
    assert judged.labels == labels
    assert [(text, c) for text, listed in judged.asked for c in listed] == questions
    assert all((j.verdict.label is None) == bool(j.verdict.unscored) for j in judged.judgments)

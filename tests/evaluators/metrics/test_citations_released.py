"""Citation metrics under `released`, against the scripts' way told a second time, step by step."""

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import punkt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.evaluators.metrics.fake_judges import (
    Asked,
    FunctionJudge,
    cited,
    conventions,
    judge_with,
    labels,
    overlaps,
)
from tests.evaluators.small_run import Run, write
from wardlens.evaluators.metrics.trace import questions_asked
from wardlens.evaluators.results.outcome import ExampleOutcome
from wardlens.evaluators.rules import PRESETS
from wardlens.evaluators.rules.aggregate import aggregate

NAMES = ("citation_recall", "citation_precision")
RUNS = [("note", "sent"), ("note", "citation"), ("radiology", "citation"), ("question", "sent")]
EVERY_RUN = pytest.mark.parametrize(("task", "split"), RUNS)


# --- the scripts' way ----------------------------------------------------------------------


class Row(NamedTuple):
    """What the scripts write of a statement."""

    entailed: bool
    citations: list[int]
    provenance: list[int]


class Model:
    """The overlap rule in place of the scripts' model; logs what it is asked."""

    def __init__(self) -> None:
        self.log: list[tuple[str, str, bool]] = []

    def says(self, premise: str, hypothesis: str) -> bool:
        self.log.append((premise, hypothesis, overlaps(premise, hypothesis)))
        return self.log[-1][2]


def rows_of_the_scripts(output: str, source: str, task: str, split: str, model: Model) -> list[Row]:
    if not output:
        return []
    pieces = pieces_of_the_scripts(output, task, split)
    if split == "citation" and task != "question" and len(pieces) == 1:
        return [Row(entailed=False, citations=[], provenance=[])]
    pieces = [" ".join(piece.split()) for piece in pieces]
    sentences = sentences_of_the_scripts(source)
    rows = []
    for position, piece in enumerate(pieces):
        hypothesis = without_markers(piece)
        if task == "radiology":
            hypothesis = re.sub(r"\d+. ", "", hypothesis)
        references = numbers(piece)
        # Made unique through a set, whose order is the one in the premise.
        references = list(set(references))
        if not references:
            for later in pieces[position + 1 :]:
                # Not made unique here.
                references = numbers(later)
                if references:
                    break
        if not references or max(references) >= len(sentences) or min(references) not in sentences:
            rows.append(Row(entailed=False, citations=references, provenance=[]))
        else:
            rows.append(row_of_the_scripts(hypothesis, references[:10], sentences, model))
    return rows


def row_of_the_scripts(
    hypothesis: str, references: list[int], sentences: dict[int, str], model: Model
) -> Row:
    if not model.says(" ".join(sentences[r] for r in references), hypothesis):
        return Row(entailed=False, citations=references, provenance=[])
    if len(references) == 1:
        return Row(entailed=True, citations=references, provenance=references)
    provenance = []
    for reference in references:
        if model.says(sentences[reference], hypothesis):
            provenance.append(reference)
            continue
        others = references.copy()
        others.remove(reference)
        if not model.says("\n".join(sentences[r] for r in others), hypothesis):
            provenance.append(reference)
    return Row(entailed=True, citations=references, provenance=provenance)


def numbers(piece: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\[(\d+)", piece)]


def pieces_of_the_scripts(output: str, task: str, split: str) -> list[str]:
    if task == "question":
        return [output]
    if split == "sent":
        return list(punkt.sent_tokenize(output))
    pieces = []
    piece = ""
    for position, character in enumerate(output):
        piece += character
        # The class that was to be a group: a run of digits, plus signs and brackets ends a piece.
        if breaks(character) and not breaks(output[position + 1 : position + 2]):
            pieces.append(piece)
            piece = ""
    return pieces


def breaks(character: str) -> bool:
    return bool(re.fullmatch(r"[\d+\[\]]", character))


def without_markers(piece: str) -> str:
    piece = re.sub(r" \[\d+", "", piece)
    piece = re.sub(r"\[\d+", "", piece)
    return piece.replace(" |", "").replace("]", "")


def sentences_of_the_scripts(source: str) -> dict[int, str]:
    """Whatever stands behind each number in brackets; of equal numbers the last counts."""
    _before, *parts = re.split(r"\[(\d+)\]", source)
    return {
        int(number): " ".join(text.split())
        for number, text in zip(parts[::2], parts[1::2], strict=True)
    }


def shares(rows: list[Row]) -> tuple[Fraction | int, Fraction | int]:
    """Recall and precision, 0 where there is nothing to count."""
    n_citations = sum(len(row.citations) for row in rows)
    n_right = sum(c in row.provenance for row in rows if row.entailed for c in row.citations)
    n_entailed = sum(row.entailed for row in rows)
    return (
        Fraction(n_entailed, len(rows)) if rows else 0,
        Fraction(n_right, n_citations) if n_citations else 0,
    )


# --- what is tried -------------------------------------------------------------------------

_WORDS = [
    *("cough", "fever", "no", "the", "patient", "has", "knee", "pain"),
    *("2", "2.5", "mg", "10", "x]", "[note]", "+", "|", "1.", "2.", "Dr.", "a|b", "PLAN:", ""),
]
_texts = st.lists(st.sampled_from(_WORDS), max_size=4).map(" ".join)


@st.composite
def _markers(draw: st.DrawFn, highest: int) -> str:
    a, b = draw(st.integers(0, highest)), draw(st.integers(0, highest))
    many = draw(st.lists(st.integers(0, highest), max_size=14))
    forms = [
        *(f"[{a}]", f" [{a}]", f"[{a}]", f"[{a}][{b}]", f"[{a}] [{b}]", f"[{a}][{a}]"),
        *(f"[{a}, {b}]", f"[{a}-{b}]", f"[[{a}]]", f"[{a}", f"{a}]", f"[0{a}]", "[]", "[-1]"),
        "".join(f"[{number}]" for number in many),
    ]
    return draw(st.sampled_from(forms))


@st.composite
def _outputs(draw: st.DrawFn, highest: int) -> str:
    pieces = st.tuples(
        _texts,
        st.one_of(st.just(""), _markers(highest)),
        st.sampled_from([". ", ".", " ", "\n", "! ", ""]),
    ).map("".join)
    return "".join(draw(st.lists(pieces, max_size=5)))


@st.composite
def sources_and_outputs(draw: st.DrawFn) -> tuple[str, str]:
    """Inputs numbered from 0 or 1, some with numbers in brackets inside; outputs that cite them."""
    sentences = draw(st.lists(_texts, max_size=13))
    first = draw(st.sampled_from([0, 0, 0, 1]))
    gap = draw(st.sampled_from(["", " ", "[doctor] "]))
    source = "\n".join(f"[{n}]{gap}{s}" for n, s in enumerate(sentences, start=first))
    if draw(st.booleans()) and sentences:
        source += f" see [{draw(st.integers(0, len(sentences)))}] there"
    # Mostly sentences that exist.
    beyond = draw(st.sampled_from([0, 0, 0, 2]))
    return source, draw(_outputs(max(len(sentences) - 1, 0) + beyond))


# --- the tests -----------------------------------------------------------------------------


@EVERY_RUN
@settings(max_examples=200)
@given(texts=sources_and_outputs())
@example(texts=("", ""))
@example(texts=("[0] knee pain", " "))
@example(texts=("no numbers", "Cough [0]. Fever [1]."))
def test_scores_counts_and_questions_are_those_of_the_scripts(
    task: str, split: str, texts: tuple[str, str]
) -> None:
    source, output = texts
    model = Model()
    rows = rows_of_the_scripts(output, source, task, split, model)
    judge = FunctionJudge(overlaps, answers_in_order=True)
    case = cited(output, source)

    judged = judge_with(judge, case, under=conventions("released", task, split))

    assert labels(judged["citation_recall"]) == [row.entailed for row in rows]
    assert [j.n_citations for j in judged["citation_recall"]] == [len(r.citations) for r in rows]
    assert labels(judged["citation_precision"]) == [
        row.entailed and c in row.provenance for row in rows for c in row.citations
    ]
    asked = [
        (q.premise.reveal(), q.hypothesis.reveal(), q.verdict.label)
        for q in questions_asked(judged)
    ]
    assert asked == model.log
    assert judge.asked == [question[:2] for question in model.log]
    outcome = ExampleOutcome(case, {name: tuple(j) for name, j in judged.items()})
    for name, share in zip(NAMES, shares(rows), strict=True):
        result = aggregate([outcome.tallies(name)], PRESETS["released"])
        assert result.total.score == pytest.approx(float(share), abs=1e-12)


def test_scores_of_several_texts_pool_their_statements_and_citations() -> None:
    source = "[0] knee pain\n[1] fever"
    outputs = ["Knee pain [0]. Fever [1]. Rash [0].", "Rash [1].", ""]
    model = Model()
    rows = [row for o in outputs for row in rows_of_the_scripts(o, source, "note", "sent", model)]
    outcomes = []
    for output in outputs:
        judged = judge_with(
            FunctionJudge(overlaps), cited(output, source), under=conventions("released")
        )
        outcomes.append(
            ExampleOutcome(cited(output, source), {n: tuple(j) for n, j in judged.items()})
        )

    scores = [
        aggregate([o.tallies(name) for o in outcomes], PRESETS["released"]).total.score
        for name in NAMES
    ]

    assert scores == [float(share) for share in shares(rows)] == [0.5, 0.5]


def asked_of(output: str, source: str, split: str = "sent", task: str = "note") -> list[Asked]:
    judge = FunctionJudge(lambda _premise, _hypothesis: True, answers_in_order=True)
    judge_with(judge, cited(output, source), under=conventions("released", task, split))
    return judge.asked


def test_citations_stand_in_the_premise_in_the_order_of_a_python_set() -> None:
    source = "".join(f"[{n}] s{n} " for n in range(11))

    assert asked_of("Pain [0][8][9][10].", source)[0] == ("s0 s8 s10 s9", "Pain.")


def test_borrowed_citations_keep_their_order_and_their_repeats() -> None:
    source = "".join(f"[{n}] s{n} " for n in range(11))

    assert asked_of("Pain. Fever [8][10][8].", source)[0] == ("s8 s10 s8", "Pain.")


def test_only_ten_citations_are_looked_at() -> None:
    source = "".join(f"[{n}] s{n} " for n in range(12))
    markers = "".join(f"[{n}]" for n in range(12))

    asked = asked_of(f"Pain {markers}.", source)

    assert asked[0][0] == " ".join(f"s{n}" for n in range(10))
    assert len(asked) == 1 + 10


def test_a_citation_out_of_range_fails_its_statement_and_all_its_citations_count() -> None:
    judge = FunctionJudge(lambda _premise, _hypothesis: True)
    output = "Pain [0][9]. Fever [0]."

    judged = judge_with(judge, cited(output, "[0] s0"), under=conventions("released"))

    assert labels(judged["citation_recall"]) == [False, True]
    assert labels(judged["citation_precision"]) == [False, False, True]
    assert [q[1] for q in judge.asked] == ["Fever."]


def test_where_numbers_begin_at_1_the_last_sentence_is_out_of_range() -> None:
    judge = FunctionJudge(lambda _premise, _hypothesis: True)

    judged = judge_with(
        judge, cited("Pain [1]. Fever [2].", "[1] s1 [2] s2"), under=conventions("released")
    )

    assert labels(judged["citation_recall"]) == [True, False]


@pytest.mark.parametrize(
    ("output", "hypothesis"),
    [
        ("Stable: 1. no mass, 2. no node [0].", "Stable: no mass, no node."),
        # What the scripts take for an item number is any digits, one character and a space.
        ("A 12 mm node [0].", "A mm node."),
        ("A 3.5 cm node [0].", "A 3.5 cm node."),
    ],
)
def test_numbers_of_list_items_are_dropped_for_radiology_only(output: str, hypothesis: str) -> None:
    kept = output.replace(" [0]", "")

    assert [h for _, h in asked_of(output, "[0] s0", task="radiology")] == [hypothesis]
    assert [h for _, h in asked_of(output, "[0] s0", task="note")] == [kept]


@pytest.mark.parametrize(("rules", "words"), [("released", 500), ("paper", 600)])
def test_entailment_engines_see_the_first_500_words_of_a_premise(
    rules: str, words: int, run: Run, tmp_path: Path
) -> None:
    sentences = [" ".join(f"{letter}{n}" for n in range(300)) for letter in "ab"]
    note = {
        "example_id": "a",
        "input": f"[0] {sentences[0]}\n[1] {sentences[1]}",
        "output": "a1 b1 b299 b298 [0][1].",
    }

    run(
        inputs=(str(write(tmp_path / "long.json", [note])),),
        metrics="citation_recall",
        rules=rules,
        trace=tmp_path / "trace.jsonl",
    )

    (line,) = (tmp_path / "trace.jsonl").read_text().splitlines()
    seen = " ".join(" ".join(sentences).split()[:words])
    assert json.loads(line) == {
        "index": 0,
        "input": f"premise: {seen} hypothesis: a1 b1 b299 b298.",
        "label": int(rules == "paper"),
    }

"""The two tables: their columns and types, their rows in input order, and their bytes."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wardlens.engine.models.overlap import OverlapReplica
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.judges import Evaluator, Verdict
from wardlens.evaluators.judges.entailment_judge import EntailmentJudge
from wardlens.evaluators.metrics import Judgment
from wardlens.evaluators.results.outcome import ExampleOutcome, Outcome
from wardlens.evaluators.results.tables import ResultTables

JUDGMENT_COLUMNS = [
    ("system", pa.string()),
    ("evaluator", pa.string()),
    ("example_id", pa.string()),
    ("section", pa.string()),
    ("metric", pa.string()),
    ("index", pa.int32()),
    ("label", pa.int8()),
    ("probability", pa.float64()),
    ("mass", pa.float64()),
    ("margin", pa.float64()),
    ("stable", pa.bool_()),
    ("style", pa.string()),
    ("unscored", pa.string()),
    ("weak_judge", pa.bool_()),
]
EXAMPLE_COLUMNS = [
    ("system", pa.string()),
    ("evaluator", pa.string()),
    ("example_id", pa.string()),
    ("metric", pa.string()),
    ("section", pa.string()),
    ("score", pa.float64()),
    ("n", pa.int32()),
    ("n_true", pa.int32()),
    ("n_unscored", pa.int32()),
    ("weak_judge", pa.bool_()),
]
YES = Verdict(label=True, probability=0.75, mass=0.5, margin=1.25, stable=True)
NO = Verdict(label=False, probability=0.25, mass=0.5, margin=1.25, stable=False)
UNSCORED = Verdict(label=None, unscored="the prompt is too long")


def outcome(*verdicts: Verdict, claim: str = "c", output: str = "o") -> Outcome:
    example = Example(SealedText("id-1"), 1, input=SealedText("i"), output=SealedText(output))
    judgments = tuple(Judgment("full", i, SealedText(claim), v) for i, v in enumerate(verdicts))
    return {"s": (ExampleOutcome(example, {"claim_recall": judgments}),)}


def tables(given: Outcome, *, samples: bool = False, weak: bool = False) -> ResultTables:
    evaluator = Evaluator("judge", "label", weak, OverlapReplica(), EntailmentJudge)
    return ResultTables(given, evaluator, samples=samples)


def read(content: bytes) -> pa.Table:
    return pq.read_table(io.BytesIO(content))


def columns(table: pa.Table) -> list[tuple[str, pa.DataType]]:
    return [(field.name, field.type) for field in table.schema]


def test_judgments_have_the_columns_of_the_schema_and_no_text() -> None:
    assert columns(read(tables(outcome(YES)).judgments())) == JUDGMENT_COLUMNS


def test_examples_have_the_columns_of_the_schema_and_no_text() -> None:
    assert columns(read(tables(outcome(YES)).examples())) == EXAMPLE_COLUMNS


def test_samples_add_the_text_of_what_was_judged_to_judgments() -> None:
    table = read(tables(outcome(YES, claim="She coughs."), samples=True).judgments())

    assert columns(table) == [*JUDGMENT_COLUMNS, ("text", pa.string())]
    assert table["text"].to_pylist() == ["She coughs."]


def test_samples_add_the_texts_to_examples() -> None:
    table = read(tables(outcome(YES, output="o"), samples=True).examples())

    names = ("input", "reference", "output")
    assert columns(table) == EXAMPLE_COLUMNS + [(name, pa.string()) for name in names]
    assert table.select(names).to_pylist()[0] == {"input": "i", "reference": None, "output": "o"}


def test_a_judgment_is_a_row_with_all_that_the_judge_said() -> None:
    rows = read(tables(outcome(YES, NO, UNSCORED)).judgments()).to_pylist()

    common = {
        "system": "s",
        "evaluator": "judge",
        "example_id": "id-1",
        "section": "full",
        "metric": "claim_recall",
        "style": "label",
        "weak_judge": False,
    }
    said = [(r["label"], r["probability"], r["margin"], r["stable"], r["unscored"]) for r in rows]
    assert all(row.items() >= common.items() for row in rows)
    assert [row["index"] for row in rows] == [0, 1, 2]
    assert said == [
        (1, 0.75, 1.25, True, None),
        (0, 0.25, 1.25, False, None),
        (None, None, None, None, "the prompt is too long"),
    ]


def test_an_example_has_a_row_for_its_total_and_one_a_section() -> None:
    judgments = (
        Judgment("subjective", 0, SealedText("c"), YES),
        Judgment("assessment_and_plan", 0, SealedText("c"), NO),
        Judgment("assessment_and_plan", 1, SealedText("c"), UNSCORED),
    )
    example = ExampleOutcome(Example(SealedText("id-1"), 1), {"claim_recall": judgments})

    rows = read(tables({"s": (example,)}).examples()).to_pylist()

    counts = [(r["section"], r["score"], r["n"], r["n_true"], r["n_unscored"]) for r in rows]
    assert counts == [
        ("total", 0.5, 3, 1, 1),
        ("subjective", 1.0, 1, 1, 0),
        ("assessment_and_plan", 0.0, 2, 0, 1),
    ]


def test_an_example_without_judgments_has_a_total_without_a_score() -> None:
    (row,) = read(tables(outcome()).examples()).to_pylist()

    assert (row["section"], row["score"], row["n"]) == ("total", None, 0)


def test_a_weak_judge_is_marked_in_every_row() -> None:
    weak = tables(outcome(YES, NO), weak=True)

    assert read(weak.judgments())["weak_judge"].to_pylist() == [True, True]
    assert set(read(weak.examples())["weak_judge"].to_pylist()) == {True}


def test_rows_stand_in_the_order_of_systems_examples_and_metrics() -> None:
    def example(name: str) -> ExampleOutcome:
        judgment = (Judgment("full", 0, SealedText("c"), YES),)
        both = {"claim_precision": judgment, "claim_recall": judgment}
        return ExampleOutcome(Example(SealedText(name), 1), both)

    given = {"t": (example("b"), example("a")), "s": (example("b"),)}

    for content in (tables(given).judgments(), tables(given).examples()):
        rows = read(content).to_pylist()
        order = list(dict.fromkeys((r["system"], r["example_id"], r["metric"]) for r in rows))
        assert order == [
            (system, name, metric)
            for system, name in (("t", "b"), ("t", "a"), ("s", "b"))
            for metric in ("claim_precision", "claim_recall")
        ]


def test_the_same_judgments_give_the_same_bytes() -> None:
    first, second = (tables(outcome(YES, NO, UNSCORED), samples=True) for _ in range(2))

    assert first.judgments() == second.judgments()
    assert first.examples() == second.examples()


@pytest.mark.parametrize("text", ["", "\x00", "ألم \u202e", "👩🏽‍⚕️", "x" * 2**20])
def test_any_text_is_written_as_it_is(text: str) -> None:
    written = tables(outcome(YES, claim=text, output=text), samples=True)

    assert read(written.judgments())["text"].to_pylist() == [text]
    assert read(written.examples())["output"].to_pylist() == [text, text]


def test_a_lone_surrogate_is_written_as_a_question_mark() -> None:
    written = tables(outcome(YES, claim="a\ud800b"), samples=True)

    assert read(written.judgments())["text"].to_pylist() == ["a?b"]

"""Citation metrics of the published demonstrations, as the published scripts give them."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from wardlens.evaluators import RunOptions, evaluate
from wardlens.evaluators.metrics import Judgment

if TYPE_CHECKING:
    from tests.evaluators.conftest import CommandLine

METRICS = "citation_recall,citation_precision"


class Demo(NamedTuple):
    """One of the scripts' runs, and the values that the issue names."""

    case: str
    task: str
    split: str | None
    recall: float
    precision: float
    questions: int

    def path(self, shared: Path) -> Path:
        name = self.case.partition(".")[0]
        return shared / f"cases/doclens/{name}.json"

    def known(self, shared: Path, what: str) -> Path:
        return shared / f"cases/doclens/{self.case}.{what}"


DEMOS = [
    Demo("demos_acibench.sent", "note", "sent", 0.421569, 0.247475, 380),
    Demo("demos_acibench.citation", "note", "citation", 0.416667, 0.272251, 354),
    Demo("demos_meqsum.sent", "question", None, 1.0, 0.666667, 14),
]
EVERY_DEMO = pytest.mark.parametrize("demo", DEMOS, ids=[demo.case for demo in DEMOS])


@EVERY_DEMO
def test_scores_and_questions_are_those_of_the_scripts(
    demo: Demo, shared: Path, command_line: "CommandLine", tmp_path: Path
) -> None:
    finished = command_line(
        *("run", demo.path(shared), "--metrics", METRICS),
        *("--evaluator", "overlap", "--rules", "released"),
        *("--task", demo.task, *(("--split", demo.split) if demo.split else ())),
        *("--trace", tmp_path / "trace.jsonl", "--out", tmp_path / "out"),
    )

    assert finished.exit_code == 0
    scores = json.loads((tmp_path / "out/metrics.json").read_text())
    known = json.loads(demo.known(shared, "aggregate.json").read_text())
    for metric, value in (("citation_recall", demo.recall), ("citation_precision", demo.precision)):
        assert f"{value:.6f}" in finished.stdout
        assert scores[metric]["score"] == known[metric]["total"] == pytest.approx(value, abs=5e-7)
        assert scores[metric]["sections"]["full"]["score"] == known[metric]["full"]
        assert scores[metric]["n_unscored"] == 0

    asked = [json.loads(line) for line in (tmp_path / "trace.jsonl").read_text().splitlines()]
    log = demo.known(shared, "nli.jsonl").read_text().splitlines()
    assert len(asked) == len(log) == demo.questions
    assert [row.pop("index") for row in asked] == list(range(demo.questions))
    assert asked == [json.loads(line) for line in log]


@EVERY_DEMO
def test_the_logs_of_the_scripts_replayed_give_their_scores(
    demo: Demo, shared: Path, command_line: "CommandLine", tmp_path: Path
) -> None:
    finished = command_line(
        *("run", demo.path(shared), "--metrics", METRICS),
        *("--evaluator", f"replay:{demo.known(shared, 'nli.jsonl')}", "--rules", "released"),
        *("--task", demo.task, *(("--split", demo.split) if demo.split else ())),
        *("--out", tmp_path / "out"),
    )

    assert finished.exit_code == 0
    scores = json.loads((tmp_path / "out/metrics.json").read_text())
    known = json.loads(demo.known(shared, "aggregate.json").read_text())
    for metric in METRICS.split(","):
        assert scores[metric]["score"] == known[metric]["total"]
        assert scores[metric]["n_unscored"] == 0


@EVERY_DEMO
def test_every_statement_and_citation_is_judged_as_by_the_scripts(
    demo: Demo, shared: Path, tmp_path: Path
) -> None:
    by_id = json.loads(demo.known(shared, "citations.score.TRUE.json").read_text())["full"]

    result = evaluate(
        RunOptions(
            inputs=(str(demo.path(shared)),),
            metrics=METRICS,
            evaluator="overlap",
            rules="released",
            out=tmp_path / "out",
            task=demo.task,
            split=demo.split,
        )
    )

    (examples,) = result.judged.outcome.values()
    assert {example.example.example_id.reveal() for example in examples} == by_id.keys()
    for example in examples:
        known = by_id[example.example.example_id.reveal()]
        assert statements(example.judgments["citation_recall"]) == [
            (
                row["sent_id"],
                bool(row["entailment_prediction"]),
                len(row["citations"]),
                row["cited_sents"] or None,
            )
            for row in known
        ]
        assert [j.verdict.label for j in example.judgments["citation_precision"]] == [
            citation in row.get("provenance", []) for row in known for citation in row["citations"]
        ]


def statements(judgments: tuple[Judgment, ...]) -> list[tuple[Any, ...]]:
    """Place, label, number of citations and joint premise of each statement."""
    return [
        (
            judgment.index,
            judgment.verdict.label,
            judgment.n_citations,
            judgment.questions[0].premise.reveal() if judgment.questions else None,
        )
        for judgment in judgments
    ]

"""The examples that come with the code run, and their gold labels fit the judgments."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from wardlens.evaluators import RunOptions, evaluate

if TYPE_CHECKING:
    from tests.evaluators.conftest import CommandLine

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY = ("system", "example_id", "metric", "section", "index")


@pytest.fixture
def judgments(tmp_path: Path) -> list[dict[str, Any]]:
    """All judgments of both systems by the overlap rule."""
    evaluate(
        RunOptions(
            inputs=tuple(f"{s}={EXAMPLES / f'notes.{s}.json'}" for s in ("system_a", "system_b")),
            claims=EXAMPLES / "claims.json",
            metrics="claim_recall,claim_precision",
            evaluator="overlap",
            out=tmp_path / "out",
        )
    )
    rows: list[dict[str, Any]] = pq.read_table(tmp_path / "out/judgments.parquet").to_pylist()
    return rows


def test_the_demo_commands_inputs_run(command_line: "CommandLine", tmp_path: Path) -> None:
    finished = command_line(
        *("run", EXAMPLES / "notes.system_a.json", EXAMPLES / "notes.system_b.json"),
        *("--claims", EXAMPLES / "claims.json", "--metrics", "claim_recall,claim_precision"),
        *("--evaluator", "overlap", "--out", tmp_path / "out"),
    )

    assert finished.exit_code == 0
    metrics = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert list(metrics) == ["notes.system_a", "notes.system_b"]


def test_every_judgment_has_one_gold_label_and_no_label_is_left(
    judgments: list[dict[str, Any]],
) -> None:
    gold = json.loads((EXAMPLES / "gold.json").read_text())

    judged = [tuple(row[name] for name in KEY) for row in judgments]
    labelled = [tuple(row[name] for name in KEY) for row in gold]

    assert len(set(judged)) == len(judged) == len(labelled) == 627
    assert set(judged) == set(labelled)


def test_the_better_system_scores_better_even_by_word_overlap(
    judgments: list[dict[str, Any]],
) -> None:
    def share(system: str, metric: str) -> float:
        rows = (r for r in judgments if (r["system"], r["metric"]) == (system, metric))
        labels = [row["label"] for row in rows if row["label"] is not None]
        return float(sum(labels) / len(labels))

    for metric in ("claim_recall", "claim_precision"):
        assert share("system_a", metric) > share("system_b", metric)


def test_gold_labels_give_the_scores_that_the_readme_names() -> None:
    gold = json.loads((EXAMPLES / "gold.json").read_text())
    readme = (EXAMPLES / "README.md").read_text()

    for system in ("system_a", "system_b"):
        for metric in ("claim_recall", "claim_precision"):
            labels = [r["label"] for r in gold if (r["system"], r["metric"]) == (system, metric)]
            assert f"{sum(labels)} / {len(labels)} = {sum(labels) / len(labels):.3f}" in readme

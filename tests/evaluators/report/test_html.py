"""The report: every figure is that of `metrics.json` or `examples.parquet`, and names are text."""

import json
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from wardlens.engine.models.overlap import OverlapReplica
from wardlens.evaluators import RunOptions, evaluate
from wardlens.evaluators.judges import Evaluator
from wardlens.evaluators.judges.entailment_judge import EntailmentJudge

NASTY = "<script>alert('1')</script> & \"x\" </td>"
SECTIONS = ("subjective", "objective_exam")
NOTES: list[dict[str, Any]] = [
    {
        "example_id": name,
        "reference": text,
        "output": text,
        "output_subjective": text,
        "reference_subjective": text,
        "subclaims_reference_subjective": [*claims, ""],
        "subclaims_reference_objective_exam": ["wheeze"],
        "subclaims_output": claims,
    }
    for name, text, claims in (
        (NASTY, "cough and fever", ["cough", "rash"]),
        ("id-2", "knee pain", ["knee pain", "knee", "hip"]),
        ("id-3", "all is well", ["well"]),
    )
]


class Page(HTMLParser):
    """The tags of a page, and its tables as rows of cells."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.tables: list[list[list[str]]] = []
        self.text = ""
        self._in_cell = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002 - the base's
        self.tags.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")
        self._in_cell = tag in ("td", "th")

    def handle_endtag(self, tag: str) -> None:
        self._in_cell = self._in_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._in_cell:
            self.tables[-1][-1][-1] += data


def run(
    folder: Path, notes: Sequence[dict[str, Any]] = NOTES, *systems: str, **changes: Any
) -> Path:
    """Both metrics over `notes` as the output of each of `systems`; returns the result folder."""
    path = folder / "notes.json"
    path.write_text(json.dumps(notes))
    options: dict[str, Any] = {
        "inputs": tuple(f"{system}={path}" for system in systems or ("s",)),
        "metrics": "claim_recall,claim_precision",
        "evaluator": "overlap",
        "out": folder / "out",
    }
    evaluate(RunOptions(**options | changes))
    return folder / "out"


def page(out: Path) -> Page:
    return Page((out / "report.html").read_text(encoding="utf-8"))


def figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


def interval(values: Sequence[float] | None) -> str:
    return "-" if values is None else f"{values[0]:.4f} to {values[1]:.4f}"


def summary_cells(name: str, summary: dict[str, Any]) -> list[str]:
    return [
        name,
        figure(summary["score"]),
        interval(summary["ci95"]),
        interval(summary["bounds"]),
        figure(summary["micro"]),
        figure(summary["macro"]),
        str(summary["n"]),
        str(summary["n_unscored"]),
        str(summary["n_texts"]),
    ]


def metric_rows(metrics: dict[str, Any]) -> list[list[str]]:
    rows = []
    for name, metric in metrics.items():
        rows.append(summary_cells(name, metric))
        rows += [summary_cells(*section) for section in metric["sections"].items()]
    return rows


@pytest.mark.parametrize("rules", ["paper", "released"])
def test_the_figures_of_one_system_are_those_of_metrics_json(rules: str, tmp_path: Path) -> None:
    out = run(tmp_path, rules=rules)

    scores, _examples = page(out).tables

    assert scores[1:] == metric_rows(json.loads((out / "metrics.json").read_text()))


def test_the_figures_of_several_systems_are_those_of_metrics_json(tmp_path: Path) -> None:
    out = run(tmp_path, NOTES, "b", "a")

    *scores, _examples = page(out).tables

    by_system = json.loads((out / "metrics.json").read_text())
    assert [table[1:] for table in scores] == [metric_rows(m) for m in by_system.values()]


def test_the_figures_of_each_example_are_those_of_examples_parquet(tmp_path: Path) -> None:
    out = run(tmp_path, NOTES, "b", "a")
    totals = [
        row
        for row in pq.read_table(out / "examples.parquet").to_pylist()
        if row["section"] == "total"
    ]
    expected: dict[tuple[str, str], list[str]] = {}
    for row in totals:
        scored = row["n"] - row["n_unscored"]
        unscored = f", {row['n_unscored']} unscored" if row["n_unscored"] else ""
        cell = f"{figure(row['score'])} ({row['n_true']}/{scored}{unscored})"
        expected.setdefault((row["system"], row["example_id"]), []).append(cell)

    examples = page(out).tables[-1]

    assert examples[0] == ["System", "Example", "claim_recall", "claim_precision"]
    assert examples[1:] == [[*names, *cells] for names, cells in expected.items()]


def test_what_has_no_value_is_a_dash(tmp_path: Path) -> None:
    notes = [{"example_id": "a", "output": "o", "subclaims_reference": [""]}]

    scores, examples = page(run(tmp_path, notes, metrics="claim_recall")).tables

    assert scores[1] == ["claim_recall", "-", "-", "0.0000 to 1.0000", "-", "-", "1", "1", "1"]
    assert examples[1] == ["s", "a", "- (0/0, 1 unscored)"]


def test_ids_and_system_names_are_text_and_never_tags(tmp_path: Path) -> None:
    out = run(tmp_path, NOTES, NASTY)

    parsed = page(out)

    assert "script" not in parsed.tags
    assert parsed.tables[-1][1][:2] == [NASTY, NASTY]
    assert f"System {NASTY}" in parsed.text
    assert (out / "report.html").read_text().count(NASTY) == 0


@pytest.mark.parametrize("samples", [False, True])
def test_the_report_holds_ids_but_no_document_text(samples: bool, tmp_path: Path) -> None:  # noqa: FBT001
    text = page(run(tmp_path, samples=samples)).text

    assert "id-2" in text
    assert "knee" not in text
    assert ("The Parquet files beside it hold document texts." in text) == samples


def test_the_report_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    written = (run(tmp_path) / "report.html").read_text()

    assert not {"script", "link", "img", "iframe"} & set(Page(written).tags)
    assert "http" not in written
    assert "url(" not in written


def test_a_weak_judge_is_named_as_such_wherever_its_scores_show(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weak = Evaluator("tiny", "label", True, OverlapReplica(), EntailmentJudge)  # noqa: FBT003
    monkeypatch.setattr("wardlens.evaluators.plan.choose_evaluator", lambda *_, **__: weak)

    written = (run(tmp_path, NOTES, "b", "a") / "report.html").read_text()

    assert "<strong>Weak judge.</strong> tiny is a very small model" in written
    captions = [part.split("</caption>")[0] for part in written.split("<caption>")[1:]]
    assert len(captions) == 3
    assert all("(weak judge)" in caption for caption in captions)


def test_another_judge_is_not_called_weak(tmp_path: Path) -> None:
    assert "weak" not in page(run(tmp_path)).text.lower()


def test_the_report_says_how_the_score_was_made(tmp_path: Path) -> None:
    text = page(run(tmp_path, rules="released")).text

    assert "overlap, style overlap" in text
    assert "released: the score is the share over all claims pooled (micro)" in text

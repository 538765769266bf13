"""The two tables: `judgments.parquet`, a row a judgment, and `examples.parquet`, a row a score.

Bytes depend on the content alone: rows in input order, fixed row groups, one table written at once.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.judges import Evaluator
from wardlens.evaluators.metrics import Judgment
from wardlens.evaluators.results.outcome import ExampleOutcome, Outcome
from wardlens.evaluators.rules.tally import Tally

_ROW_GROUP = 65_536

Column = tuple[str, pa.DataType]
_TEXT = pa.string()
_JUDGMENT_COLUMNS: list[Column] = [
    ("system", _TEXT),
    ("evaluator", _TEXT),
    ("example_id", _TEXT),
    ("section", _TEXT),
    ("metric", _TEXT),
    ("index", pa.int32()),
    ("label", pa.int8()),
    ("probability", pa.float64()),
    ("mass", pa.float64()),
    ("margin", pa.float64()),
    ("stable", pa.bool_()),
    ("style", _TEXT),
    ("unscored", _TEXT),
    ("weak_judge", pa.bool_()),
]
_EXAMPLE_COLUMNS: list[Column] = [
    ("system", _TEXT),
    ("evaluator", _TEXT),
    ("example_id", _TEXT),
    ("metric", _TEXT),
    ("section", _TEXT),
    ("score", pa.float64()),
    ("n", pa.int32()),
    ("n_true", pa.int32()),
    ("n_unscored", pa.int32()),
    ("weak_judge", pa.bool_()),
]
TOTAL = "total"
"""Section name of the rows that count a whole text."""


@dataclass(frozen=True, slots=True)
class ResultTables:
    """The tables of one run; with `samples` they hold texts (protected health information)."""

    outcome: Outcome
    evaluator: Evaluator
    samples: bool

    def judgments(self) -> bytes:
        """All judgments, as a Parquet file."""
        columns = _JUDGMENT_COLUMNS + ([("text", _TEXT)] if self.samples else [])
        rows = (
            self._about(system, example.example, metric) | self._judgment(judgment)
            for system, example in self._examples()
            for metric, judgments in example.judgments.items()
            for judgment in judgments
        )
        return _parquet(columns, rows)

    def examples(self) -> bytes:
        """The score of each example, metric and section, as a Parquet file."""
        names = ("input", "reference", "output") if self.samples else ()
        columns = _EXAMPLE_COLUMNS + [(name, _TEXT) for name in names]
        rows = (
            self._about(system, example.example, metric)
            | _score(section, tally)
            | {name: _written(getattr(example.example, name)) for name in names}
            for system, example in self._examples()
            for metric in example.judgments
            for section, tally in _with_total(example.tallies(metric))
        )
        return _parquet(columns, rows)

    def _examples(self) -> Iterator[tuple[str, ExampleOutcome]]:
        for system, examples in self.outcome.items():
            for example in examples:
                yield system, example

    def _about(self, system: str, example: Example, metric: str) -> dict[str, Any]:
        return {
            "system": system,
            "evaluator": self.evaluator.name,
            "example_id": example.example_id.reveal(),
            "metric": metric,
            "weak_judge": self.evaluator.weak,
        }

    def _judgment(self, judgment: Judgment) -> dict[str, Any]:
        verdict = judgment.verdict
        row = {
            "section": judgment.section,
            "index": judgment.index,
            "label": None if verdict.label is None else int(verdict.label),
            "probability": verdict.probability,
            "mass": verdict.mass,
            "margin": verdict.margin,
            "stable": verdict.stable,
            "style": self.evaluator.style,
            "unscored": verdict.unscored,
        }
        return row | ({"text": _written(judgment.text)} if self.samples else {})


def _with_total(tallies: dict[str, Tally]) -> Iterator[tuple[str, Tally]]:
    yield TOTAL, sum(tallies.values(), Tally())
    yield from tallies.items()


def _score(section: str, tally: Tally) -> dict[str, Any]:
    return {
        "section": section,
        "score": tally.share,
        "n": tally.n,
        "n_true": tally.n_true,
        "n_unscored": tally.n_unscored,
    }


def _written(text: SealedText | None) -> str | None:
    """Text as a table can hold it: lone surrogates, which UTF-8 can't, become question marks."""
    return None if text is None else text.reveal().encode("utf-8", "replace").decode()


def _parquet(columns: list[Column], rows: Iterator[dict[str, Any]]) -> bytes:
    listed = list(rows)
    table = pa.Table.from_pylist(listed, schema=pa.schema(columns))
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=_ROW_GROUP, compression="zstd")
    return sink.getvalue()

"""What makes two runs the same run."""

import dataclasses
import json
from typing import Any

import pytest

from wardlens.evaluators.results import Configuration

CONFIGURATION = Configuration(
    inputs={"s": "/data/s.json"},
    claims=None,
    metrics=("claim_recall",),
    evaluator="overlap",
    model="overlap 0.6",
    evaluator_settings={"shots": "2"},
    style="overlap",
    rules="paper",
    task="note",
    split="sent",
    tag_sections=False,
    limit=None,
    samples=False,
    allow_misaligned=False,
)
CHANGES: dict[str, Any] = {
    "inputs": {"s": "/data/t.json"},
    "claims": "/data/claims.json",
    "metrics": ("claim_recall", "claim_precision"),
    "evaluator": "overlap:0.7",
    "model": "overlap 0.7",
    "evaluator_settings": {},
    "style": "label",
    "rules": "released",
    "task": "radiology",
    "split": "citation",
    "tag_sections": True,
    "limit": 3,
    "samples": True,
    "allow_misaligned": True,
}


def stored(configuration: Configuration) -> dict[str, Any]:
    """As it is after a way through `run.json`."""
    loaded: dict[str, Any] = json.loads(json.dumps(configuration.as_json()))
    return loaded


def test_a_stored_configuration_is_the_same_again() -> None:
    assert CONFIGURATION.differences(stored(CONFIGURATION)) == []


def test_every_field_has_a_case_here() -> None:
    assert list(CHANGES) == [field.name for field in dataclasses.fields(Configuration)]


@pytest.mark.parametrize("name", CHANGES)
def test_any_other_choice_is_another_run(name: str) -> None:
    changed = dataclasses.replace(CONFIGURATION, **{name: CHANGES[name]})

    assert changed.differences(stored(CONFIGURATION)) == [name]


def test_a_value_that_one_side_lacks_is_a_difference() -> None:
    older = {n: v for n, v in stored(CONFIGURATION).items() if n != "samples"} | {"colour": "red"}

    assert CONFIGURATION.differences(older) == ["colour", "samples"]

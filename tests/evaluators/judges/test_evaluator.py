"""The word after `--evaluator` chooses a judge and a model."""

from pathlib import Path

import pytest

from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.models.overlap import OverlapReplica
from wardlens.evaluators.judges import Evaluator, JudgeSettings, choose_evaluator
from wardlens.evaluators.prompts import load_task_prompts


def choose(spec: str, installation: Installation, style: str = "label") -> Evaluator:
    settings = JudgeSettings(style, shots=2, prompts=load_task_prompts("note"))
    return choose_evaluator(spec, settings, installation)


@pytest.mark.parametrize(
    ("spec", "threshold"),
    [("overlap", 0.6), ("overlap:0.7", 0.7), ("overlap:0", 0.0), ("overlap:1", 1.0)],
)
def test_overlap_takes_a_threshold(spec: str, threshold: float, installation: Installation) -> None:
    evaluator = choose(spec, installation)

    assert (evaluator.name, evaluator.style, evaluator.weak) == (spec, "overlap", False)
    assert isinstance(evaluator.replica, OverlapReplica)
    assert evaluator.replica.fingerprint == OverlapReplica(threshold).fingerprint


@pytest.mark.parametrize(
    "threshold", ["", "x", "nan", "inf", "-0.1", "1.01", "60%", "0,6", "0.6:1"]
)
def test_a_bad_threshold_is_refused_with_the_allowed_range(
    threshold: str, installation: Installation
) -> None:
    with pytest.raises(UserError, match=r"must be a number from 0 to 1, as in overlap:0\.7"):
        choose(f"overlap:{threshold}", installation)


@pytest.mark.parametrize("spec", ["overlapp", "Overlap", "gpt-4", "mistralai/Mistral-7B"])
def test_an_unknown_evaluator_is_refused_with_the_allowed_ones(
    spec: str, installation: Installation
) -> None:
    with pytest.raises(UserError, match=r"Allowed: overlap, .*replay:FILE, smollm2"):
        choose(spec, installation)


@pytest.mark.parametrize("style", ["", "json", "Label"])
def test_an_unknown_style_is_refused_with_the_allowed_ones(
    style: str, installation: Installation
) -> None:
    with pytest.raises(UserError, match=r"unknown style .*Allowed: label"):
        choose("overlap", installation, style)


def test_a_file_is_no_checkpoint(tmp_path: Path, installation: Installation) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"")

    with pytest.raises(UserError, match="neither a known name nor a directory"):
        choose(str(tmp_path / "model.safetensors"), installation)

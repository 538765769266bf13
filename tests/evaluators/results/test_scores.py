"""The content of `metrics.json`."""

from typing import Any

import pytest

from wardlens.engine.models.overlap import OverlapReplica
from wardlens.engine.sealed import SealedText
from wardlens.evaluators.examples import Example
from wardlens.evaluators.judges import Evaluator, Verdict
from wardlens.evaluators.judges.entailment_judge import EntailmentJudge
from wardlens.evaluators.metrics import Judgment
from wardlens.evaluators.results.outcome import ExampleOutcome
from wardlens.evaluators.results.scores import score_systems, scores_as_json
from wardlens.evaluators.rules import PRESETS

METRICS = ("claim_recall", "claim_precision")
VERDICTS = {
    "1": Verdict(label=True),
    "0": Verdict(label=False),
    "?": Verdict(label=None, unscored="the prompt is too long"),
}
SUMMARY_KEYS = ["score", "micro", "macro", "n", "n_texts", "n_unscored", "bounds", "ci95"]


def example(verdicts: str, section: str = "full") -> ExampleOutcome:
    """An example with one judgment a character, the same in both metrics."""
    judgments = tuple(
        Judgment(section, i, SealedText("c"), VERDICTS[v]) for i, v in enumerate(verdicts)
    )
    return ExampleOutcome(Example(SealedText("id"), 1), dict.fromkeys(METRICS, judgments))


def as_json(
    systems: dict[str, list[ExampleOutcome]], *, rules: str = "paper", weak: bool = False
) -> dict[str, Any]:
    outcome = {system: tuple(examples) for system, examples in systems.items()}
    evaluator = Evaluator("judge", "label", weak, OverlapReplica(), EntailmentJudge)
    return scores_as_json(
        score_systems(outcome, METRICS, PRESETS[rules]), evaluator, PRESETS[rules]
    )


def test_one_system_is_given_by_metric() -> None:
    assert list(as_json({"s": [example("1")]})) == ["claim_recall", "claim_precision"]


def test_several_systems_are_given_by_system_and_metric() -> None:
    written = as_json({"t": [example("1")], "s": [example("0")]})

    assert list(written) == ["t", "s"]
    assert list(written["s"]) == ["claim_recall", "claim_precision"]
    assert (written["t"]["claim_recall"]["score"], written["s"]["claim_recall"]["score"]) == (1, 0)


def test_a_metric_has_all_its_figures_and_says_who_judged_by_which_rules() -> None:
    metric = as_json({"s": [example("1"), example("0")]}, rules="released")["claim_recall"]

    assert list(metric) == [*SUMMARY_KEYS, "sections", "evaluator", "weak_judge", "style", "rules"]
    assert (metric["evaluator"], metric["weak_judge"]) == ("judge", False)
    assert (metric["style"], metric["rules"]) == ("label", "released")


def test_a_weak_judge_is_marked_in_every_metric() -> None:
    written = as_json({"s": [example("1")], "t": [example("1")]}, weak=True)

    assert all(m["weak_judge"] is True for metrics in written.values() for m in metrics.values())


def test_sections_have_the_same_figures_as_the_total() -> None:
    given = [example("10", "subjective"), example("1?", "assessment_and_plan")]

    sections = as_json({"s": given})["claim_recall"]["sections"]

    assert list(sections) == ["subjective", "assessment_and_plan"]
    assert all(list(section) == SUMMARY_KEYS for section in sections.values())
    assert sections["assessment_and_plan"]["n_unscored"] == 1


@pytest.mark.parametrize(("rules", "score"), [("paper", 0.75), ("released", 2 / 3)])
def test_the_score_is_the_mean_over_texts_or_over_claims(rules: str, score: float) -> None:
    metric = as_json({"s": [example("1"), example("10")]}, rules=rules)["claim_recall"]

    assert metric["score"] == pytest.approx(score)
    assert (metric["macro"], metric["micro"]) == (0.75, pytest.approx(2 / 3))


def test_what_has_no_value_is_none() -> None:
    metric = as_json({"s": [example("")]})["claim_recall"]

    values = [metric[name] for name in ("score", "micro", "macro", "bounds", "ci95")]
    assert values == [None] * 5
    assert (metric["n"], metric["n_texts"], metric["sections"]) == (0, 0, {})

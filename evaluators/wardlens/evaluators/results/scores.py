"""`metrics.json`: the scores of every system and metric."""

from collections.abc import Mapping
from typing import Any

from wardlens.evaluators.judges import Evaluator
from wardlens.evaluators.results.outcome import Outcome
from wardlens.evaluators.rules import Rules
from wardlens.evaluators.rules.aggregate import MetricResult, Summary, aggregate

Scores = Mapping[str, Mapping[str, MetricResult]]
"""Metric results by system and metric."""


def score_systems(outcome: Outcome, metrics: tuple[str, ...], rules: Rules) -> Scores:
    """Aggregate the judgments of each system."""
    return {
        system: {
            metric: aggregate([example.tallies(metric) for example in examples], rules)
            for metric in metrics
        }
        for system, examples in outcome.items()
    }


def scores_as_json(scores: Scores, evaluator: Evaluator, rules: Rules) -> dict[str, Any]:
    """Scores by metric; by system and metric where there are several systems."""
    about = {"evaluator": evaluator.name, "weak_judge": evaluator.weak}
    about |= {"style": evaluator.style, "rules": rules.name}
    by_system = {
        system: {metric: _metric(result) | about for metric, result in results.items()}
        for system, results in scores.items()
    }
    if len(by_system) == 1:
        return next(iter(by_system.values()))
    return dict(by_system)


def _metric(result: MetricResult) -> dict[str, Any]:
    sections = {section: _summary(summary) for section, summary in result.sections.items()}
    return _summary(result.total) | {"sections": sections}


def _summary(summary: Summary) -> dict[str, Any]:
    return {
        "score": summary.score,
        "micro": summary.micro,
        "macro": summary.macro,
        "n": summary.n,
        "n_texts": summary.n_texts,
        "n_unscored": summary.n_unscored,
        "bounds": summary.bounds,
        "ci95": summary.ci95,
    }

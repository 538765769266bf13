"""Metrics: short asynchronous programs that ask a judge questions about one example."""

from wardlens.evaluators.metrics.metric import METRICS, Judgment, Metric, choose_metrics

__all__ = ["METRICS", "Judgment", "Metric", "choose_metrics"]

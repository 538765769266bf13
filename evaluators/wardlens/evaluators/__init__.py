"""Metrics of machine-written medical text, judged by local models.

Public front door: `evaluate(RunOptions(...))`, or the command `wardlens run`.
"""

from wardlens.engine import offline as _offline  # noqa: F401 - importing it goes offline first
from wardlens.evaluators.evaluate import RunResult, RunWatcher, evaluate
from wardlens.evaluators.options import RunOptions

__all__ = ["RunOptions", "RunResult", "RunWatcher", "evaluate"]

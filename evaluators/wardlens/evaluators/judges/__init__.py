"""A judge is how one kind of model answers: questions to requests, answers to verdicts."""

from wardlens.evaluators.judges.evaluator import Evaluator, JudgeSettings, choose_evaluator
from wardlens.evaluators.judges.judge import Judge
from wardlens.evaluators.judges.verdict import Verdict

__all__ = ["Evaluator", "Judge", "JudgeSettings", "Verdict", "choose_evaluator"]

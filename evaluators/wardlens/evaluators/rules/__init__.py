"""The named switches that decide the edge cases of every metric."""

from wardlens.evaluators.rules.rules import PRESETS, Rules, choose_rules

__all__ = ["PRESETS", "Rules", "choose_rules"]

"""Where questions are handed in: looked up, de-duplicated, ordered and sent to a replica."""

from wardlens.engine.desk.counts import DeskCounts
from wardlens.engine.desk.desk import Desk

__all__ = ["Desk", "DeskCounts"]

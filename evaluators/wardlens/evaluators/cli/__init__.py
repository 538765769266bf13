"""The command `wardlens`."""

from wardlens.evaluators.cli.main import main

__all__ = ["main"]

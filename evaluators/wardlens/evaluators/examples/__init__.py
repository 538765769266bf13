"""From the user's files to `Example`s: reading, checking, joining claims."""

from wardlens.evaluators.examples.example import SECTIONS, Example
from wardlens.evaluators.examples.load import Inputs, InputSource, load_inputs

__all__ = ["SECTIONS", "Example", "InputSource", "Inputs", "load_inputs"]

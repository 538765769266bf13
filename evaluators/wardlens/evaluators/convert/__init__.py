"""Public releases of data sets, read from local copies into records of ours, one file a layout."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from wardlens.evaluators.convert.acibench import read_acibench
from wardlens.evaluators.convert.meqsum import read_meqsum
from wardlens.evaluators.convert.mimic_radiology import read_mimic_radiology
from wardlens.evaluators.convert.records import Conversion, encode_records

LAYOUTS: Mapping[str, Callable[[Sequence[Path]], Conversion]] = {
    "acibench": read_acibench,
    "meqsum": read_meqsum,
    "mimic-radiology": read_mimic_radiology,
}
"""Readers of local files by the name of their layout."""

__all__ = ["LAYOUTS", "Conversion", "encode_records"]

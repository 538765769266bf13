"""Compiled operations of the entailment engine, each beside a plain PyTorch reference.

The bottom layer: it knows tensors, and nothing of models, requests or medicine.
Importing it imports neither torch nor the compiled module; importing an operation
(`from wardlens.kernels.rms_norm import rms_norm`) imports torch.
"""

from wardlens.kernels.paths import PATHS, active_path, available_paths, use_path

__all__ = ["PATHS", "active_path", "available_paths", "use_path"]

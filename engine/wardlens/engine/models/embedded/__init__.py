"""The small instruct model that a package brings, so that everything runs on a bare machine."""

from wardlens.engine.models.embedded.smollm2 import embedded_checkpoint

__all__ = ["embedded_checkpoint"]

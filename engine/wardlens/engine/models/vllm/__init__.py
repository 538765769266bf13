"""Instruct models through vLLM. Importing this folder imports neither vLLM nor transformers."""

from wardlens.engine.models.vllm.replica import VllmReplica
from wardlens.engine.models.vllm.settings import VllmSettings

__all__ = ["VllmReplica", "VllmSettings"]

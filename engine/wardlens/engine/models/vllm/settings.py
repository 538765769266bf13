"""How vLLM is set up: the few values that matter, and the reasons."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wardlens.engine.models.checkpoint import Checkpoint

_CONTEXT_LIMIT = 32_768
_GIB = 2**30


@dataclass(frozen=True, slots=True)
class VllmSettings:
    """Settings of one engine. `max_model_len` is in tokens, prompt and answer together."""

    max_model_len: int
    block_size: int
    max_num_seqs: int
    dtype: str
    on_cpu: bool
    tensor_parallel_size: int = 1

    @property
    def answer_settings(self) -> tuple[tuple[str, str], ...]:
        """What can change an answer, for the fingerprint."""
        return (
            ("dtype", self.dtype),
            ("max_model_len", str(self.max_model_len)),
            ("tensor_parallel_size", str(self.tensor_parallel_size)),
        )

    def engine_arguments(self, folder: Path) -> dict[str, Any]:
        """Arguments of `AsyncEngineArgs` for the checkpoint in `folder`."""
        arguments: dict[str, Any] = {
            "model": str(folder),
            "tokenizer": str(folder),
            "trust_remote_code": False,
            "load_format": "safetensors",
            "dtype": self.dtype,
            "max_model_len": self.max_model_len,
            "block_size": self.block_size,
            "max_num_seqs": self.max_num_seqs,
            "enable_prefix_caching": True,
            "tensor_parallel_size": self.tensor_parallel_size,
            # A model's own sampling defaults would silently change judgments.
            "generation_config": "vllm",
            "seed": 0,
            "enable_log_requests": False,
            "disable_log_stats": True,
            "use_tqdm_on_load": False,
        }
        if self.on_cpu:
            # Compilation would take longer than it saves on a CPU.
            arguments |= {"enforce_eager": True, "max_num_batched_tokens": 8192}
        return arguments

    def set_environment(self) -> None:
        """Set what vLLM reads from the environment, where the user hasn't."""
        # Our watch on prompts and (later) guides are V1 logits processors.
        os.environ.setdefault("VLLM_USE_V2_MODEL_RUNNER", "0")
        os.environ.setdefault("VLLM_WORKER_MULTIPROCESSING_METHOD", "spawn")
        if self.on_cpu:
            os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
            os.environ.setdefault("VLLM_CPU_OMP_THREADS_BIND", "nobind")
            os.environ.setdefault("VLLM_CPU_KVCACHE_SPACE", str(_cache_gib()))


def settings_for(checkpoint: Checkpoint, *, on_cpu: bool) -> VllmSettings:
    """Settings for `checkpoint` on this kind of device.

    The context is the model's own, up to 32,768 tokens: a longer one would take cache memory that
    no note of a usual length fills.
    """
    return VllmSettings(
        max_model_len=min(checkpoint.context_length, _CONTEXT_LIMIT),
        # Only whole blocks are shared between prompts, so small ones share more; 32 is the
        # smallest that the CPU build takes.
        block_size=32 if on_cpu else 16,
        max_num_seqs=256,
        dtype="bfloat16" if checkpoint.quantisation == "none" else "auto",
        on_cpu=on_cpu,
    )


def _cache_gib() -> int:
    available = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(1, min(4, available // (4 * _GIB)))

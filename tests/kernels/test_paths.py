"""How the path through the compiled operations is chosen."""

import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

from wardlens.kernels import active_path, available_paths, paths, use_path
from wardlens.kernels.paths import UnavailablePathError, compiled_kernels


@pytest.fixture
def without_compiled_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WARDLENS_KERNELS", raising=False)
    monkeypatch.setattr(paths, "_native", lambda: None)
    paths._warn_of_missing_module.cache_clear()


@pytest.fixture
def without_avx512_bf16(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "available_paths", lambda: ("reference", "portable"))


def test_the_compiled_module_is_built() -> None:
    assert "portable" in available_paths()


def test_auto_takes_the_fastest_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WARDLENS_KERNELS", raising=False)
    assert active_path() == available_paths()[-1]

    monkeypatch.setenv("WARDLENS_KERNELS", "auto")
    assert active_path() == available_paths()[-1]


def test_the_environment_variable_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDLENS_KERNELS", "portable")
    assert active_path() == "portable"

    monkeypatch.setenv("WARDLENS_KERNELS", "reference")
    assert active_path() == "reference"
    assert compiled_kernels() is None


def test_use_path_goes_before_the_environment_and_ends_with_its_block(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WARDLENS_KERNELS", "portable")
    with use_path("reference") as outer:
        assert active_path() == outer == "reference"
        with use_path("auto") as inner:
            assert active_path() == inner == available_paths()[-1]
        assert active_path() == "reference"
    assert active_path() == "portable"


def test_use_path_ends_with_its_block_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDLENS_KERNELS", "portable")
    with pytest.raises(ZeroDivisionError), use_path("reference"):
        1 / 0  # noqa: B018 - the error is the point
    assert active_path() == "portable"


def test_use_path_holds_in_other_threads() -> None:
    with use_path("reference"), ThreadPoolExecutor(1) as pool:
        assert pool.submit(active_path).result() == "reference"


def test_an_unknown_path_is_refused_with_the_allowed_names(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    allowed = r"'avx1024'; allowed: auto, reference, portable, avx512_bf16"
    with pytest.raises(ValueError, match=f"use_path: .*{allowed}"), use_path("avx1024"):
        pass
    monkeypatch.setenv("WARDLENS_KERNELS", "avx1024")
    with pytest.raises(ValueError, match=f"WARDLENS_KERNELS: .*{allowed}"):
        active_path()


@pytest.mark.usefixtures("without_avx512_bf16")
def test_a_path_beyond_the_processor_is_refused_with_the_available_ones() -> None:
    expected = r"this processor lacks its instructions; available: reference, portable$"
    with pytest.raises(UnavailablePathError, match=expected), use_path("avx512_bf16"):
        pass


@pytest.mark.usefixtures("without_compiled_module")
def test_without_the_compiled_module_the_reference_runs_and_warns_once() -> None:
    with pytest.warns(RuntimeWarning, match="PyTorch reference runs; to fix it, build it with"):
        assert active_path() == "reference"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled_kernels() is None


@pytest.mark.usefixtures("without_compiled_module")
def test_without_the_compiled_module_asking_for_the_reference_is_silent() -> None:
    with warnings.catch_warnings(), use_path("reference"):
        warnings.simplefilter("error")
        assert active_path() == "reference"


@pytest.mark.usefixtures("without_compiled_module")
def test_without_the_compiled_module_its_paths_are_refused_with_the_command_to_build_it() -> None:
    expected = "compiled module is missing: build it with `make setup`"
    with pytest.raises(UnavailablePathError, match=expected), use_path("portable"):
        pass


def test_importing_the_package_imports_neither_torch_nor_the_compiled_module() -> None:
    program = (
        "import sys, wardlens.kernels\n"
        "print([name for name in ('torch', 'wardlens.kernels._native') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"

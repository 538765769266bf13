"""What most tests of the engine need."""

from pathlib import Path

import pytest

from wardlens.engine import sealed
from wardlens.engine.installation import Installation, open_installation


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installation:
    """A fresh installation in a folder of the test."""
    # Opening one changes how texts are shown in the whole process: put back afterwards.
    monkeypatch.setattr(sealed, "_display_key", sealed._display_key)
    return open_installation(tmp_path / "installation")

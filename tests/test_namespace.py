"""Our folders named `kernels` and `engine` must not pass for packages of that name.

transformers looks for a package `kernels` and uses what it finds. With the repository's
root on `sys.path`, as it is under `python -m` or a notebook, a folder `kernels` with an
`__init__.py` would be found, and would crash it.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PORTIONS = ("kernels", "engine", "evaluators", "bench")


@pytest.mark.parametrize("portion", PORTIONS)
def test_only_the_portion_itself_is_a_package(portion: str) -> None:
    assert not (ROOT / portion / "__init__.py").exists()
    assert not (ROOT / portion / "wardlens" / "__init__.py").exists()
    assert (ROOT / portion / "wardlens" / portion / "__init__.py").exists()
    assert (ROOT / portion / "wardlens" / portion / "py.typed").exists()


@pytest.mark.parametrize("portion", PORTIONS)
def test_every_portion_is_found_where_its_source_is(portion: str) -> None:
    spec = importlib.util.find_spec(f"wardlens.{portion}")
    assert spec is not None
    assert spec.origin == str(ROOT / portion / "wardlens" / portion / "__init__.py")


def test_transformers_works_with_the_repository_on_the_path() -> None:
    program = (
        "import importlib.util\n"
        f"for name in {PORTIONS}:\n"
        "    spec = importlib.util.find_spec(name)\n"
        "    assert spec is not None and spec.origin is None, (name, spec)\n"
        "from transformers import T5Config, T5EncoderModel\n"
        "size = dict(d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2, vocab_size=8)\n"
        "T5EncoderModel(T5Config(**size))\n"
        "import wardlens.kernels\n"
        "print('imported')\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"}
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.strip() == "imported", run.stderr

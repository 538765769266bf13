"""What holds for every file of the repository."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINES_ALLOWED = 500
CODE = {".py", ".pyi", ".cpp", ".h"}
# A path that starts at one of these folders works on one machine only, and where packages
# come from is the business of each machine.
MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:work|opt|root|home|farm)/")
REGISTRY_HOST = re.compile(r"pypi[.]org|pythonhoste[d]|registry[.]npmjs|download[.]pytorch")


def repository_files() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return [path for path in paths if path.is_file()]


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def test_no_source_file_is_longer_than_allowed() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(text_of(path).splitlines())
        for path in repository_files()
        if path.suffix in CODE
    }
    assert {name: lines for name, lines in lengths.items() if lines > LINES_ALLOWED} == {}


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY_HOST], ids=["path", "registry"])
def test_no_file_names_a_machine(pattern: re.Pattern[str]) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in repository_files()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if pattern.search(line)
    ]
    assert found == []


def test_lower_layers_load_neither_vllm_nor_ray_on_import() -> None:
    program = (
        "import sys, wardlens.kernels, wardlens.engine, wardlens.evaluators\n"
        "print([name for name in ('vllm', 'ray') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"

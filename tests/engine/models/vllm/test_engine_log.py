"""Where an engine's own output goes."""

import os
import stat
import sys
from pathlib import Path

import pytest

from tests.engine.running import run_program
from wardlens.engine.models.vllm.engine_log import new_engine_log, output_to

PROGRAM = (
    "import os, subprocess, sys\n"
    "from pathlib import Path\n"
    "from wardlens.engine.models.vllm.engine_log import output_to\n"
    "print('before')\n"
    "spared = os.dup(1)\n"
    "with output_to(Path(sys.argv[1])):\n"
    "    print('from Python')\n"
    "    print('an error', file=sys.stderr)\n"
    "    os.write(1, b'from C\\n')\n"
    "    os.write(spared, b'progress\\n')\n"
    "    child = subprocess.Popen([sys.executable, '-c', 'input(); print(1234)'], stdin=-1)\n"
    "print('after')\n"
    "child.communicate(b'go\\n')\n"
)


def test_output_goes_to_the_log_inside_the_block_and_children_stay_there(tmp_path: Path) -> None:
    log = tmp_path / "engine.log"
    run = run_program(PROGRAM, str(log))
    assert run.stdout.split() == ["before", "progress", "after"]
    assert run.stderr == ""
    assert sorted(log.read_text().splitlines()) == sorted(
        ["from Python", "an error", "from C", "1234"]
    )


def test_an_error_inside_the_block_gives_the_output_back(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from wardlens.engine.models.vllm.engine_log import output_to\n"
        "try:\n"
        "    with output_to(Path(sys.argv[1])):\n"
        "        raise LookupError\n"
        "except LookupError:\n"
        "    print('caught')\n"
    )
    assert run_program(program, str(tmp_path / "log")).stdout == "caught\n"


@pytest.mark.usefixtures("capfd")
def test_the_block_leaves_no_descriptor_open(tmp_path: Path) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - numbers

    before = count()
    for _ in range(3):
        with output_to(tmp_path / "log"):
            sys.stdout.write("x")
    assert count() == before


def test_a_log_is_named_after_its_process_and_for_the_owner_only(tmp_path: Path) -> None:
    log = new_engine_log(tmp_path / "logs")
    program = (
        "import sys\n"
        "from pathlib import Path\n"
        "from wardlens.engine.models.vllm.engine_log import output_to\n"
        "with output_to(Path(sys.argv[1])):\n"
        "    pass\n"
    )
    run_program(program, str(log))
    assert log == tmp_path / "logs" / f"engine-{os.getpid()}.log"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700


def test_ten_logs_are_kept_the_newest_ones(tmp_path: Path) -> None:
    for number in range(15):
        old = tmp_path / f"engine-{number}.log"
        old.write_text(str(number))
        os.utime(old, (number, number))
    (tmp_path / "notes.txt").write_text("not a log")
    new_engine_log(tmp_path).write_text("new")
    kept = {path.name for path in tmp_path.glob("engine-*.log")}
    assert kept == {f"engine-{number}.log" for number in (*range(6, 15), os.getpid())}
    assert (tmp_path / "notes.txt").exists()

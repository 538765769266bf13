"""One writer a ledger."""

import os
import signal
import stat
from pathlib import Path

import pytest

from tests.engine.running import next_line, running_program
from wardlens.engine.errors import UserError
from wardlens.engine.ledger.writer_lock import WriterLock

HOLDER = (
    "import sys, time\n"
    "from pathlib import Path\n"
    "from wardlens.engine.ledger.writer_lock import WriterLock\n"
    "lock = WriterLock(Path(sys.argv[1]))\n"
    "print('holding', flush=True)\n"
    "time.sleep(60)\n"
)


def test_a_second_writer_is_refused_and_told_who_the_first_is(tmp_path: Path) -> None:
    with running_program(HOLDER, str(tmp_path)) as holder:
        assert next_line(holder) == "holding"
        for _ in range(2):
            with pytest.raises(UserError, match=rf"\(process {holder.pid}\).*--ledger DIR"):
                WriterLock(tmp_path)


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM])
def test_a_holder_that_was_killed_blocks_nobody(tmp_path: Path, ending: signal.Signals) -> None:
    with running_program(HOLDER, str(tmp_path)) as holder:
        assert next_line(holder) == "holding"
        holder.send_signal(ending)
        holder.wait(timeout=10)
        WriterLock(tmp_path).release()


def test_released_it_can_be_taken_again(tmp_path: Path) -> None:
    for _ in range(3):
        WriterLock(tmp_path).release()


def test_it_holds_within_a_process_too(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path)
    with pytest.raises(UserError, match=rf"\(process {os.getpid()}\)"):
        WriterLock(tmp_path)
    lock.release()


def test_the_holders_name_replaces_a_longer_one(tmp_path: Path) -> None:
    (tmp_path / "writer.lock").write_text("999999999999")
    lock = WriterLock(tmp_path)
    assert (tmp_path / "writer.lock").read_text() == str(os.getpid())
    lock.release()


def test_a_child_process_doesnt_keep_it(tmp_path: Path) -> None:
    lock = WriterLock(tmp_path)
    with running_program("import time; print('up', flush=True); time.sleep(60)") as child:
        assert next_line(child) == "up"
        lock.release()
        WriterLock(tmp_path).release()


def test_the_lock_file_is_for_the_owner_only(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        WriterLock(tmp_path).release()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "writer.lock").stat().st_mode) == 0o600

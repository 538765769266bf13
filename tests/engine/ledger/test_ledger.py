"""The ledger as the desk sees it."""

import asyncio
import os
import stat
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.engine.questions import entailment, fixed_installation, ledger_key
from tests.engine.running import next_line, run_async, running_program, ticks
from wardlens.engine.errors import UserError
from wardlens.engine.fingerprint import Fingerprint
from wardlens.engine.installation import Installation
from wardlens.engine.ledger import Ledger, LedgerKey, RequestKeys, location
from wardlens.engine.ledger.store import Store

OURS = fixed_installation()
SECRET = b"Mr Xylander has gout"
ROOT = Path(__file__).parents[3]


def keys(count: int) -> list[LedgerKey]:
    return [ledger_key(number % 7, number) for number in range(count)]


def find(folder: Path, wanted: list[LedgerKey]) -> dict[LedgerKey, bytes]:
    """What a fresh ledger in `folder` remembers of `wanted`."""
    with Ledger(folder, OURS) as ledger:
        return run_async(ledger.find(wanted))


def remember(folder: Path, replies: dict[LedgerKey, bytes]) -> None:
    async def append(ledger: Ledger) -> None:
        for key, reply in replies.items():
            ledger.append(key, reply)
        await ledger.flush()

    with Ledger(folder, OURS) as ledger:
        run_async(append(ledger))


def test_replies_survive_reopening(tmp_path: Path) -> None:
    replies = {key: b"reply %d" % number for number, key in enumerate(keys(1000))}
    remember(tmp_path / "ledger", replies)
    assert find(tmp_path / "ledger", keys(1100)) == replies


def test_no_file_of_the_folder_holds_a_reply_or_a_text(tmp_path: Path) -> None:
    request = entailment(SECRET.decode(), "claim")
    key = RequestKeys(OURS, Fingerprint("m", "e", "cpu")).key(request)

    async def append(ledger: Ledger) -> None:
        for number in range(200):
            ledger.append(ledger_key(1, number), SECRET)
        ledger.append(key, SECRET)
        await ledger.flush()

    with Ledger(tmp_path / "ledger", OURS) as ledger:
        run_async(append(ledger))
        contents = [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]
    contents += [file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()]

    assert sum(map(len, contents)) > 200 * len(SECRET)
    for clear in (SECRET, b"Xylander", b"gout", request.document.digest, OURS.key):
        assert not any(clear in content for content in contents)


def test_only_the_owner_can_read_its_files(tmp_path: Path) -> None:
    async def modes(ledger: Ledger) -> dict[str, int]:
        ledger.append(ledger_key(1, 1), b"reply")
        await ledger.flush()
        files = [tmp_path / "ledger", *(tmp_path / "ledger").iterdir()]
        return {file.name: stat.S_IMODE(file.stat().st_mode) for file in files}

    before = os.umask(0)
    try:
        with Ledger(tmp_path / "ledger", OURS) as ledger:
            found = run_async(modes(ledger))
    finally:
        os.umask(before)
    assert found.pop("ledger") == 0o700
    assert found == dict.fromkeys(
        ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "writer.lock"], 0o600
    )


class SlowStore:
    """Holds up the writes of a store until released, and counts them."""

    def __init__(self, store: Store) -> None:
        self._append = store.append
        self.may_write = threading.Event()
        self.groups: list[int] = []
        store.append = self.append  # type: ignore[method-assign]

    def append(self, replies: Iterable[tuple[LedgerKey, bytes]]) -> None:
        group = list(replies)
        self.may_write.wait(timeout=10)
        self.groups.append(len(group))
        self._append(group)


def test_a_reply_is_found_before_it_is_on_the_disk(tmp_path: Path) -> None:
    async def work(ledger: Ledger) -> None:
        slow = SlowStore(ledger._store)
        ledger.append(ledger_key(1, 1), b"on its way")
        await ticks(3)
        ledger.append(ledger_key(1, 2), b"waiting")
        searching = asyncio.create_task(ledger.find([ledger_key(1, 1), ledger_key(1, 2)]))
        await ticks(3)
        assert slow.groups == []
        slow.may_write.set()
        assert await searching == {
            ledger_key(1, 1): b"on its way",
            ledger_key(1, 2): b"waiting",
        }
        await ledger.flush()

    with Ledger(tmp_path, OURS) as ledger:
        run_async(work(ledger))


def test_replies_are_written_in_groups(tmp_path: Path) -> None:
    async def work(ledger: Ledger) -> list[int]:
        slow = SlowStore(ledger._store)
        for key in keys(500)[:3]:
            ledger.append(key, b"first")
        await ticks(3)
        for key in keys(500)[3:]:
            ledger.append(key, b"later")
            await ticks(1)
        slow.may_write.set()
        await ledger.flush()
        return slow.groups

    with Ledger(tmp_path, OURS) as ledger:
        assert run_async(work(ledger)) == [3, 497]


def test_the_last_reply_to_a_key_counts(tmp_path: Path) -> None:
    async def work(ledger: Ledger) -> None:
        for reply in (b"one", b"two"):
            ledger.append(ledger_key(1, 1), reply)
        await ledger.flush()
        ledger.append(ledger_key(1, 1), b"three")
        assert await ledger.find([ledger_key(1, 1)]) == {ledger_key(1, 1): b"three"}
        await ledger.flush()

    with Ledger(tmp_path, OURS) as ledger:
        run_async(work(ledger))
    assert find(tmp_path, [ledger_key(1, 1)]) == {ledger_key(1, 1): b"three"}


def test_flushing_when_there_is_nothing_to_write_returns(tmp_path: Path) -> None:
    with Ledger(tmp_path, OURS) as ledger:
        run_async(ledger.flush(), seconds=2)


def test_flushing_after_everything_was_cancelled_still_writes_everything(tmp_path: Path) -> None:
    """So that an interrupt keeps what was answered."""
    first, second = ledger_key(1, 1), ledger_key(1, 2)

    async def work(ledger: Ledger) -> None:
        searching = asyncio.create_task(ledger.find(keys(500)))
        ledger.append(first, b"handed to the thread")
        await ticks(3)
        ledger.append(second, b"waiting")
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait([searching, *others])
        await ledger.flush()

    with Ledger(tmp_path, OURS) as ledger:
        run_async(work(ledger))
    assert len(find(tmp_path, [first, second])) == 2


def test_damaged_rows_are_counted(tmp_path: Path) -> None:
    remember(tmp_path, dict.fromkeys(keys(3), b"reply"))
    with Ledger(tmp_path, OURS) as ledger:
        ledger._thread.submit(
            ledger._store._connection.execute, "UPDATE replies SET sealed = x'00'"
        ).result()
        assert run_async(ledger.find(keys(5))) == {}
        assert ledger.damaged_rows == 3


def test_on_a_full_disk_flushing_and_every_later_reply_fail_and_earlier_ones_are_kept(
    tmp_path: Path,
) -> None:
    async def work(ledger: Ledger) -> None:
        ledger.append(ledger_key(1, 1), b"early")
        await ledger.flush()
        await asyncio.get_running_loop().run_in_executor(
            ledger._thread, ledger._store._connection.execute, "PRAGMA max_page_count = 10"
        )
        for key in keys(500):
            ledger.append(key, b"x" * 500)
        with pytest.raises(UserError, match="disk is full"):
            await ledger.flush()
        with pytest.raises(UserError, match="disk is full"):
            ledger.append(ledger_key(1, 2), b"late")
        with pytest.raises(UserError, match="disk is full"):
            await ledger.flush()
        assert await ledger.find([ledger_key(1, 1)]) == {ledger_key(1, 1): b"early"}

    with Ledger(tmp_path, OURS) as ledger:
        run_async(work(ledger))
    assert find(tmp_path, [ledger_key(1, 1), *keys(500)]) == {ledger_key(1, 1): b"early"}


def test_a_second_run_is_refused_while_the_first_goes_on(tmp_path: Path) -> None:
    with Ledger(tmp_path, OURS), pytest.raises(UserError, match=f"process {os.getpid()}"):
        Ledger(tmp_path, OURS)
    assert find(tmp_path, keys(1)) == {}


BAD_LEDGERS = {
    "no database": (b"not a database at all" * 50, OURS),
    "another installation": (None, Installation(home=Path(), key=b"s" * 32)),
}


@pytest.mark.parametrize(("content", "opener"), BAD_LEDGERS.values(), ids=BAD_LEDGERS.keys())
def test_after_a_refusal_nothing_is_held(
    tmp_path: Path, content: bytes | None, opener: Installation
) -> None:
    remember(tmp_path, {ledger_key(1, 1): b"reply"})
    if content is not None:
        (tmp_path / "ledger.sqlite").write_bytes(content)
    threads = threading.active_count()
    for _ in range(2):
        with pytest.raises(UserError) as caught:
            Ledger(tmp_path, opener)
        assert caught.value.exit_code == 2
    assert threading.active_count() == threads


def test_a_folder_on_a_network_file_system_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "mountinfo"
    table.write_text("21 1 0:20 / / rw - nfs4 server:/x rw\n")
    monkeypatch.setattr(location, "_MOUNT_TABLE", table)
    with pytest.raises(UserError, match="network file system"):
        Ledger(tmp_path / "ledger", OURS)
    assert list((tmp_path / "ledger").iterdir()) == []


def test_a_folder_that_cant_be_made_is_the_users_to_change(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for folder in (tmp_path / "file", tmp_path / "file" / "ledger"):
        with pytest.raises(UserError, match=r"cannot keep a ledger in .*--ledger DIR"):
            Ledger(folder, OURS)


WRITER = (
    "import asyncio, sys\n"
    "from pathlib import Path\n"
    "from tests.engine.questions import fixed_installation, ledger_key\n"
    "from wardlens.engine.ledger import Ledger\n"
    "async def work(ledger, start):\n"
    "    for number in range(start, start + 100_000):\n"
    "        ledger.append(ledger_key(number % 7, number), b'reply %d' % number)\n"
    "        if number % 5 == 0:\n"
    "            await ledger.flush()\n"
    "            print(number, flush=True)\n"
    "with Ledger(Path(sys.argv[1]), fixed_installation()) as ledger:\n"
    "    asyncio.run(work(ledger, int(sys.argv[2])))\n"
)


def test_a_run_that_is_killed_keeps_all_it_had_flushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    last = -1
    for round_ in range(3):
        with running_program(WRITER, str(tmp_path), str(last + 1)) as writer:
            for _ in range(4 + 9 * round_):
                last = int(next_line(writer))
            writer.kill()
            assert writer.stdout is not None
            rest = [line for line in writer.stdout.read().split("\n")[:-1] if line]
            last = int(rest[-1]) if rest else last
        expected = {ledger_key(n % 7, n): b"reply %d" % n for n in range(last + 1)}
        with Ledger(tmp_path, OURS) as ledger:
            assert run_async(ledger.find(list(expected))) == expected
            assert ledger.damaged_rows == 0

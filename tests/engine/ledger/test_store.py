"""The table of sealed replies."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.questions import fixed_installation, ledger_key
from tests.engine.running import run_program
from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.ledger.keys import LedgerKey
from wardlens.engine.ledger.store import Store

OURS = fixed_installation()
SECRET = b"Mr Xylander has gout"
PAGE = 4096

ROWS = {
    ledger_key(document, request): SECRET + f" {document} {request}".encode()
    for document in range(5)
    for request in range(120)
}


@contextmanager
def opened(path: Path, installation: Installation = OURS) -> Iterator[Store]:
    store = Store(path, installation)
    try:
        yield store
    finally:
        store.close()


def execute(path: Path, statement: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement, values).fetchall()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger file with two rows of one document and one of another."""
    path = tmp_path / "ledger.sqlite"
    with opened(path) as store:
        store.append([(ledger_key(1, 1), b"one"), (ledger_key(1, 2), b"two")])
        store.append([(ledger_key(2, 1), b"three")])
    return path


def test_replies_are_there_after_reopening(path: Path) -> None:
    replies = {ledger_key(1, 1): b"one", ledger_key(1, 2): b"two", ledger_key(2, 1): b"three"}
    with opened(path) as store:
        assert store.find(list(replies)) == replies


def test_only_what_was_asked_for_and_is_there_is_found(path: Path) -> None:
    with opened(path) as store:
        assert store.find([]) == {}
        assert store.find([ledger_key(1, 3), ledger_key(3, 1)]) == {}
        swapped = LedgerKey(ledger_key(2, 1).document, ledger_key(1, 1).request)
        assert store.find([swapped, ledger_key(1, 2)]) == {ledger_key(1, 2): b"two"}


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.dictionaries(st.integers(0, 15), st.binary(max_size=3), max_size=6), max_size=4),
    st.sets(st.integers(0, 15)),
)
def test_behaves_as_a_dictionary(groups: list[dict[int, bytes]], asked: set[int]) -> None:
    expected: dict[int, bytes] = {}
    with TemporaryDirectory() as folder, opened(Path(folder) / "ledger.sqlite") as store:
        for group in groups:
            store.append([(ledger_key(n % 3, n), reply) for n, reply in group.items()])
            expected |= group
        found = store.find([ledger_key(n % 3, n) for n in asked])
    assert found == {ledger_key(n % 3, n): expected[n] for n in asked & expected.keys()}


def test_more_keys_of_a_document_are_found_than_sqlite_takes_in_one_query(tmp_path: Path) -> None:
    rows = {ledger_key(1, number): str(number).encode() for number in range(1234)}
    with opened(tmp_path / "l") as store:
        store.append(rows.items())
        assert store.find(list(rows)) == rows


def test_no_file_holds_text_keys_or_unkeyed_hashes_in_the_clear(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with opened(path) as store:
        store.append(ROWS.items())
        while_open = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    after = path.read_bytes()

    assert set(while_open) == {"ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"}
    assert len(after) > len(ROWS) * len(SECRET)
    for content in (*while_open.values(), after):
        assert b"Xylander" not in content
        assert b"gout" not in content
        assert OURS.key not in content
        assert OURS.derive_key("ledger rows") not in content


@pytest.mark.parametrize("at", [0, 11, 12, 14, -17, -1])
def test_a_row_with_a_flipped_byte_counts_as_missing(path: Path, at: int) -> None:
    key = ledger_key(1, 1)
    ((sealed,),) = execute(path, "SELECT sealed FROM replies WHERE request = ?", key.request)
    damaged = bytearray(sealed)
    damaged[at] ^= 1
    execute(path, "UPDATE replies SET sealed = ? WHERE request = ?", bytes(damaged), key.request)

    with opened(path) as store:
        assert store.find([key, ledger_key(1, 2)]) == {ledger_key(1, 2): b"two"}
        assert store.damaged_rows == 1


@pytest.mark.parametrize("value", [b"", b"short", "text", 7, 1.5], ids=repr)
def test_a_row_that_is_no_sealed_reply_counts_as_missing(path: Path, value: object) -> None:
    key = ledger_key(1, 1)
    execute(path, "UPDATE replies SET sealed = ? WHERE request = ?", value, key.request)

    with opened(path) as store:
        assert store.find([key]) == {}
        assert store.damaged_rows == 1


def test_swapped_rows_count_as_missing(path: Path) -> None:
    one, two = ledger_key(1, 1), ledger_key(1, 2)
    with closing(sqlite3.connect(path)) as connection:
        rows = dict(connection.execute("SELECT request, sealed FROM replies").fetchall())
        for key, other in ((one, two), (two, one)):
            connection.execute(
                "UPDATE replies SET sealed = ? WHERE request = ?",
                (rows[other.request], key.request),
            )
        connection.commit()

    with opened(path) as store:
        assert store.find([one, two, ledger_key(2, 1)]) == {ledger_key(2, 1): b"three"}
        assert store.damaged_rows == 2


def test_a_damaged_row_is_replaced_by_a_new_reply(path: Path) -> None:
    execute(path, "UPDATE replies SET sealed = x'00'")
    with opened(path) as store:
        store.append([(ledger_key(1, 1), b"anew")])
        assert store.find([ledger_key(1, 1)]) == {ledger_key(1, 1): b"anew"}
        assert store.damaged_rows == 0


def test_the_ledger_of_another_installation_is_refused_and_left_alone(path: Path) -> None:
    before = path.read_bytes()
    stranger = Installation(home=Path(), key=b"s" * 32)
    with pytest.raises(UserError, match=r"another installation's key.*--ledger DIR"):
        Store(path, stranger)
    with opened(path) as store:
        assert store.find([ledger_key(1, 1)]) == {ledger_key(1, 1): b"one"}
    assert path.read_bytes() == before


@pytest.mark.parametrize("value", [b"99", "99", 99], ids=repr)
def test_a_ledger_of_another_schema_is_refused(path: Path, value: object) -> None:
    execute(path, "UPDATE about SET value = ? WHERE name = 'schema'", value)
    with pytest.raises(UserError, match="has schema 99; this version reads schema 1"):
        Store(path, OURS)


def test_a_store_that_is_refused_is_closed(path: Path) -> None:
    with pytest.raises(UserError):
        Store(path, Installation(home=Path(), key=b"s" * 32))
    # A connection that stayed open would keep the write-ahead log there.
    execute(path, "PRAGMA journal_mode = DELETE")
    assert list(path.parent.iterdir()) == [path]


NO_DATABASES = {
    "text": b"These are notes, not a database.\n" * 100,
    "short": b"SQLite format 3\0",
    "damaged header": b"SQLite format 3\0" + b"\xff" * 5000,
}


@pytest.mark.parametrize("content", NO_DATABASES.values(), ids=NO_DATABASES.keys())
def test_a_file_that_is_no_database_is_refused_and_left_alone(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"can't be used: .* move it away .*--ledger DIR"):
        Store(path, OURS)
    assert path.read_bytes() == content


def test_a_folder_in_the_place_of_the_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").mkdir()
    with pytest.raises(UserError, match="can't be used"):
        Store(tmp_path / "ledger.sqlite", OURS)


def find_all_or_fail(path: Path) -> dict[LedgerKey, bytes] | None:
    """What is found of `ROWS`; None if the user was told that the ledger can't be used."""
    try:
        with opened(path) as store:
            found: dict[LedgerKey, bytes] = {}
            for key in ROWS:
                found |= store.find([key])
            return found
    except UserError:
        return None


@pytest.fixture(scope="module")
def whole_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("whole") / "ledger.sqlite"
    with opened(path) as store:
        store.append(ROWS.items())
    return path.read_bytes()


@pytest.mark.parametrize("pages", [1, 2, 5, 10, 20, -1])
def test_a_file_that_lost_pages_is_refused(tmp_path: Path, whole_file: bytes, pages: int) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(whole_file[: pages * PAGE])
    assert find_all_or_fail(path) is None


@pytest.mark.parametrize("lost", [1, 100, PAGE - 1])
def test_of_a_file_that_lost_part_of_a_page_the_rest_is_right(
    tmp_path: Path, whole_file: bytes, lost: int
) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(whole_file[:-lost])
    found = find_all_or_fail(path)
    assert found is None or found.items() <= ROWS.items()


def test_an_empty_file_is_a_new_ledger(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").write_bytes(b"")
    assert find_all_or_fail(tmp_path / "ledger.sqlite") == {}


def test_a_damaged_description_of_the_tables_is_refused(tmp_path: Path, whole_file: bytes) -> None:
    # SQLite quotes it in its message, which is then no valid Unicode.
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(whole_file.replace(b"CREATE TABLE replies", b"CREATE T\x92BLE replies"))
    with pytest.raises(UserError, match="can't be used"):
        Store(path, OURS)


def test_damage_anywhere_never_gives_a_wrong_reply_or_a_crash(
    tmp_path: Path, whole_file: bytes
) -> None:
    choose = random.Random(20261130)  # noqa: S311 - repeatable damage
    path = tmp_path / "ledger.sqlite"
    outcomes = []
    for _ in range(60):
        damaged = bytearray(whole_file)
        # Half of it in the first two pages, where the structure is.
        end = 2 * PAGE if choose.random() < 0.5 else len(damaged)
        for _ in range(choose.choice([1, 1, 8])):
            damaged[choose.randrange(end)] = choose.randrange(256)
        path.write_bytes(damaged)
        found = find_all_or_fail(path)
        outcomes.append(found)
        assert found is None or found.items() <= ROWS.items()
        for extra in ("-wal", "-shm"):
            path.with_name(path.name + extra).unlink(missing_ok=True)
    assert None in outcomes
    assert any(found == ROWS for found in outcomes)


def test_a_full_disk_is_reported_and_what_was_written_before_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    early, late = {ledger_key(1, 1): b"early"}, {ledger_key(2, n): b"x" * 500 for n in range(500)}
    store = Store(path, OURS)
    store.append(early.items())
    store._connection.execute("PRAGMA max_page_count = 10")
    with pytest.raises(UserError, match=r"disk is full. If the disk is full, make room"):
        store.append(late.items())
    store.close()
    with opened(path) as reopened:
        assert reopened.find([*early, *late]) == early


def test_after_room_was_made_the_same_store_can_be_used_again(tmp_path: Path) -> None:
    with opened(tmp_path / "ledger.sqlite") as store:
        store._connection.execute("PRAGMA max_page_count = 10")
        with pytest.raises(UserError):
            store.append([(ledger_key(2, n), b"x" * 500) for n in range(500)])
        store._connection.execute("PRAGMA max_page_count = 10000")
        store.append([(ledger_key(1, 1), b"late")])
        assert store.find([ledger_key(1, 1)]) == {ledger_key(1, 1): b"late"}


def test_a_write_that_the_system_refuses_is_reported_and_earlier_rows_are_kept(
    tmp_path: Path,
) -> None:
    program = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "from tests.engine.questions import fixed_installation, ledger_key\n"
        "from wardlens.engine.errors import UserError\n"
        "from wardlens.engine.ledger.store import Store\n"
        "store = Store(Path(sys.argv[1]), fixed_installation())\n"
        "written = 0\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))\n"
        "try:\n"
        "    while True:\n"
        "        store.append([(ledger_key(written, written), b'r' * 1000)])\n"
        "        written += 1\n"
        "except UserError as error:\n"
        "    print(written, error)\n"
    )
    path = tmp_path / "ledger.sqlite"
    root = Path(__file__).parents[3]
    run = run_program(program, str(path), environment={"PYTHONPATH": str(root)})
    count, _, message = run.stdout.partition(" ")
    assert "can't be used" in message, run.stderr
    assert "make room" in message

    with opened(path) as store:
        keys = [ledger_key(n, n) for n in range(int(count))]
        assert len(keys) > 10
        assert store.find(keys) == dict.fromkeys(keys, b"r" * 1000)


def test_every_commit_waits_for_the_disk(path: Path) -> None:
    with opened(path) as store:
        ((journal,),) = store._connection.execute("PRAGMA journal_mode").fetchall()
        ((synchronous,),) = store._connection.execute("PRAGMA synchronous").fetchall()
    assert (journal, synchronous) == ("wal", 2)

"""The SQLite table of sealed replies. Single-threaded: `Ledger` owns the thread."""

import hmac
import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.ledger.keys import LedgerKey
from wardlens.engine.ledger.sealing import Sealer

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS replies (
    document BLOB NOT NULL, request BLOB NOT NULL, sealed BLOB NOT NULL,
    PRIMARY KEY (document, request)
) WITHOUT ROWID;
"""


class Store:
    """Sealed replies by ledger key, durable once `append` returns."""

    def __init__(self, path: Path, installation: Installation) -> None:
        self._path = path
        self._sealer = Sealer(installation)
        self.damaged_rows = 0
        try:
            # Made before SQLite opens it, so that it is never readable by others.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            self._connection = sqlite3.connect(path, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise self._unusable(error) from error
        try:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.executescript(_SCHEMA)
            self._check_owner(installation)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            self._connection.close()
            raise self._unusable(error) from error
        except UserError:
            self._connection.close()
            raise

    def find(self, keys: Sequence[LedgerKey]) -> dict[LedgerKey, bytes]:
        """The replies that are there. A damaged row is counted and treated as not there."""
        by_document: dict[bytes, list[bytes]] = {}
        for key in keys:
            by_document.setdefault(key.document, []).append(key.request)
        found: dict[LedgerKey, bytes] = {}
        for document, requests in by_document.items():
            for request, sealed in self._select(document, requests):
                key = LedgerKey(document, request)
                reply = self._sealer.open(key, sealed)
                if reply is None:
                    self.damaged_rows += 1
                else:
                    found[key] = reply
        return found

    def append(self, replies: Iterable[tuple[LedgerKey, bytes]]) -> None:
        """Write in one transaction. A damaged row is replaced; a sound one never changes."""
        rows = [(k.document, k.request, self._sealer.seal(k, reply)) for k, reply in replies]
        try:
            with self._transaction() as connection:
                connection.executemany("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise self._unusable(error) from error

    def close(self) -> None:
        """Fold the write-ahead log back in and close."""
        self._connection.close()

    def _select(self, document: bytes, requests: list[bytes]) -> list[tuple[bytes, bytes]]:
        rows: list[tuple[bytes, bytes]] = []
        for start in range(0, len(requests), 500):
            part = requests[start : start + 500]
            marks = ",".join("?" * len(part))
            query = (
                "SELECT request, sealed FROM replies "  # noqa: S608 - only question marks go in
                f"WHERE document = ? AND request IN ({marks})"
            )
            try:
                rows += self._connection.execute(query, [document, *part]).fetchall()
            except sqlite3.Error as error:
                raise self._unusable(error) from error
        return rows

    def _transaction(self) -> "_Transaction":
        return _Transaction(self._connection)

    def _check_owner(self, installation: Installation) -> None:
        owner = hmac.digest(installation.derive_key("ledger owner"), b"owner", "sha256")
        mine = {"schema": str(SCHEMA_VERSION).encode(), "owner": owner}
        for name, value in mine.items():
            self._connection.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (name, value))
        # Damage can turn bytes into something else.
        query = "SELECT name, CAST(ifnull(value, '') AS BLOB) FROM about"
        stored = dict(self._connection.execute(query).fetchall())
        schema = stored.get("schema", b"")
        if schema != mine["schema"]:
            raise UserError(
                f"{self._path} has schema {schema.decode('ascii', 'replace')}; this "
                f"version reads schema {SCHEMA_VERSION}. Name another folder with --ledger DIR."
            )
        if stored.get("owner") != owner:
            raise UserError(
                f"{self._path} was sealed under another installation's key and can't be read. "
                "Restore that key (installation.key), or name another folder with --ledger DIR."
            )

    def _unusable(self, error: sqlite3.Error | OSError | UnicodeDecodeError) -> UserError:
        return UserError(
            f"the ledger {self._path} can't be used: {error}. If the disk is full, make room; if "
            "the file is damaged, move it away or name another folder with --ledger DIR."
        )


class _Transaction:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> sqlite3.Connection:
        self._connection.execute("BEGIN IMMEDIATE")
        return self._connection

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        # On a full disk SQLite has rolled back by itself.
        if self._connection.in_transaction:
            self._connection.execute("COMMIT" if kind is None else "ROLLBACK")

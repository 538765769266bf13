"""The ledger as the desk sees it: asynchronous, batched, one thread of its own."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Self

from wardlens.engine.durable import create_private_folder
from wardlens.engine.errors import UserError
from wardlens.engine.installation import Installation
from wardlens.engine.ledger.keys import LedgerKey
from wardlens.engine.ledger.location import refuse_network_file_system
from wardlens.engine.ledger.store import Store
from wardlens.engine.ledger.writer_lock import WriterLock


class Ledger:
    """Every answer ever given, by key, in `folder`; open it as a context manager.

    Replies are appended in groups: while one transaction is on its way to the disk, the next
    collects. `flush` returns when all that was appended is durable.

    Raises:
        UserError: another run uses the ledger, it lies on a network file system, is damaged, or
            belongs to another installation.
    """

    def __init__(self, folder: Path, installation: Installation) -> None:
        try:
            create_private_folder(folder)
            refuse_network_file_system(folder)
            self._lock = WriterLock(folder)
        except OSError as error:
            raise UserError(
                f"cannot keep a ledger in {folder}: {error.strerror}. Name a folder on a local "
                "disk that you can write to with --ledger DIR."
            ) from error
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ledger")
        path = folder / "ledger.sqlite"
        try:
            self._store = self._thread.submit(Store, path, installation).result()
        except BaseException:
            self._thread.shutdown()
            self._lock.release()
            raise
        self._waiting: dict[LedgerKey, bytes] = {}
        self._writing: asyncio.Task[None] | None = None
        self._failure: UserError | None = None

    async def find(self, keys: Sequence[LedgerKey]) -> dict[LedgerKey, bytes]:
        """The raw replies that are there for `keys`, also those not yet on the disk."""
        waiting = {key: self._waiting[key] for key in keys if key in self._waiting}
        # What is no longer waiting was handed to the thread before this, which works in order.
        stored = await asyncio.get_running_loop().run_in_executor(
            self._thread, self._store.find, [key for key in keys if key not in waiting]
        )
        return stored | waiting

    def append(self, key: LedgerKey, reply: bytes) -> None:
        """Remember `reply`; it is on its way to the disk when this returns.

        Raises:
            UserError: an earlier reply could not be written (the disk is full, say).
        """
        if self._failure is not None:
            raise self._failure
        self._waiting[key] = reply
        self._begin_writing()

    async def flush(self) -> None:
        """Wait until everything appended is on the disk.

        Raises:
            UserError: it could not be written.
        """
        while self._failure is None and (self._waiting or self._is_writing):
            writing = self._begin_writing()
            await asyncio.wait([writing])
            if not writing.cancelled():
                writing.result()
        if self._failure is not None:
            raise self._failure

    @property
    def damaged_rows(self) -> int:
        """Rows met in this run that failed their integrity check and were asked again."""
        return self._store.damaged_rows

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._thread.submit(self._store.close).result()
        self._thread.shutdown()
        self._lock.release()

    @property
    def _is_writing(self) -> bool:
        return self._writing is not None and not self._writing.done()

    def _begin_writing(self) -> asyncio.Task[None]:
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        return self._writing

    async def _write(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            group, self._waiting = self._waiting, {}
            try:
                await loop.run_in_executor(self._thread, self._store.append, group.items())
            except UserError as error:
                self._failure = error
                return
            except BaseException:
                # An interrupt cancels every task, this one too: `flush` then writes the group.
                self._waiting = group | self._waiting
                raise

"""The folder that a run writes to."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wardlens.engine.durable import (
    TEMPORARY_FILES,
    create_private_folder,
    remove_temporary_files,
    write_durably,
)
from wardlens.engine.errors import UserError
from wardlens.evaluators.results.configuration import Configuration

RUN_FILE = "run.json"
MISALIGNED_FILE = "misaligned.json"
SCHEMA_VERSION = 1


class RunFolder:
    """Result files in one folder (0700, files 0600), each replaced whole or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def refuse_other_files(self) -> None:
        """Raise `UserError` if the folder holds files but no run of ours."""
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise UserError(f"--out {self.path}: this is a file. Name a folder.")
        entries = (e for e in self.path.iterdir() if not e.match(TEMPORARY_FILES))
        names = {entry.name for entry in entries} - {MISALIGNED_FILE}
        if names and RUN_FILE not in names:
            raise UserError(
                f"--out {self.path}: the folder is not empty and holds no Wardlens run. Name "
                "another folder, or write into it with --overwrite."
            )

    def refuse_other_run(self, configuration: Configuration) -> None:
        """Raise `UserError` if the folder holds a run of another configuration, or other files."""
        self.refuse_other_files()
        if not (self.path / RUN_FILE).exists():
            return
        differences = configuration.differences(self._stored_configuration())
        if differences:
            raise UserError(
                f"--out {self.path}: the folder holds a run of another configuration (different: "
                f"{', '.join(differences)}). Name another folder, or replace it with --overwrite."
            )

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder and keep other runs out of it inside the block.

        Raises:
            UserError: it can't be made or written to, or another run holds it.
        """
        self._create()
        if not os.access(self.path, os.W_OK | os.X_OK):
            raise UserError(
                f"--out {self.path}: the folder can't be written to (permission denied). Name "
                "another folder."
            )
        descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise UserError(
                f"--out {self.path}: another run is writing there. Wait for it, or name another "
                "folder."
            ) from None
        try:
            yield
        finally:
            os.close(descriptor)

    def begin(self, configuration: Configuration) -> None:
        """Say in the folder that its results are being replaced by those of this run."""
        self._create()
        remove_temporary_files(self.path)
        record = {"schema": SCHEMA_VERSION, "state": "writing"}
        self.write_json(RUN_FILE, record | {"configuration": configuration.as_json()})
        (self.path / MISALIGNED_FILE).unlink(missing_ok=True)

    def write(self, name: str, content: bytes) -> None:
        """Write one file.

        Raises:
            UserError: it can't be written (the disk is full, say); what was there stays.
        """
        try:
            write_durably(self.path / name, content)
        except OSError as error:
            raise UserError(
                f"--out {self.path}: {name} can't be written ({error.strerror}). Make room or name "
                "another folder; answers so far are in the ledger."
            ) from error

    def write_json(self, name: str, content: Mapping[str, Any]) -> None:
        """Write one JSON file, in a form that people can read."""
        text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
        self.write(name, text.encode() + b"\n")

    def write_misaligned(self, found: list[dict[str, Any]]) -> Path:
        """Write which claims belong elsewhere; for a run that was refused."""
        self._create()
        self.write_json(MISALIGNED_FILE, {"misaligned": found})
        return self.path / MISALIGNED_FILE

    def _create(self) -> None:
        try:
            create_private_folder(self.path)
        except OSError as error:
            raise UserError(
                f"--out {self.path}: can't be made ({error.strerror}). Name another folder."
            ) from error

    def _stored_configuration(self) -> dict[str, Any]:
        try:
            stored = json.loads((self.path / RUN_FILE).read_bytes())["configuration"]
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            stored = None
        if not isinstance(stored, dict):
            raise UserError(
                f"--out {self.path}: {RUN_FILE} there is damaged. Name another folder, or replace "
                "it with --overwrite."
            )
        return stored

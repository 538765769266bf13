"""Hashes of a checkpoint's files.

Hashing 140 GB takes minutes, so a hash is remembered with the file's size, times and inode and
taken again only when one of them changes.
"""

import hashlib
import json
from pathlib import Path

from wardlens.engine.durable import create_private_folder, write_durably
from wardlens.engine.installation import Installation


def hash_files(folder: Path, names: list[str], installation: Installation) -> dict[str, str]:
    """SHA-256 in hexadecimal of each of `names` inside `folder`."""
    memory = _memory_file(folder, installation)
    remembered = _read_memory(memory)
    entries: dict[str, dict[str, object]] = {}
    for name in sorted(names):
        stamp = _stamp(folder / name)
        entry = remembered.get(name, {})
        fresh = entry.get("stamp") == stamp and isinstance(entry.get("sha256"), str)
        digest = entry["sha256"] if fresh else _hash_file(folder / name)
        entries[name] = {"stamp": stamp, "sha256": digest}
    if entries != remembered:
        create_private_folder(memory.parent)
        write_durably(memory, json.dumps(entries).encode())
    return {name: str(entry["sha256"]) for name, entry in entries.items()}


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _stamp(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]


def _memory_file(folder: Path, installation: Installation) -> Path:
    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return installation.manifests / f"{name}.json"


def _read_memory(path: Path) -> dict[str, dict[str, object]]:
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {name: entry for name, entry in content.items() if isinstance(entry, dict)}

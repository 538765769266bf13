"""Files that are wholly there or not at all."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.engine.running import run_program
from wardlens.engine.durable import create_private_folder, write_durably


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_writes_the_content_and_nothing_beside_it(tmp_path: Path) -> None:
    write_durably(tmp_path / "results.json", b"new")
    assert (tmp_path / "results.json").read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [tmp_path / "results.json"]


def test_replaces_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(b"old and longer")
    write_durably(path, b"new")
    assert path.read_bytes() == b"new"


def test_without_replace_what_was_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_bytes(b"old")
    write_durably(path, b"new", replace=False)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_of_many_that_write_at_once_without_replace_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "key"
    contents = [bytes([number]) * 1000 for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda content: write_durably(path, content, replace=False), contents))
    assert path.read_bytes() in contents
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_only_the_owner_can_read_it_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        create_private_folder(tmp_path / "private")
        write_durably(tmp_path / "private" / "file", b"x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "private") == 0o700
    assert mode(tmp_path / "private" / "file") == 0o600


def test_a_crash_before_the_rename_leaves_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    write_durably(path, b"old")
    program = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from wardlens.engine.durable import write_durably\n"
        "Path.replace = lambda self, target: os._exit(9)\n"
        "write_durably(Path(sys.argv[1]), b'new')\n"
    )
    assert run_program(program, str(path)).returncode == 9

    assert path.read_bytes() == b"old"
    leftovers = [other for other in tmp_path.iterdir() if other != path]
    assert [other.name[0] for other in leftovers] == ["."]
    assert mode(leftovers[0]) == 0o600


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_on_the_way_leaves_the_old_content_and_no_rubbish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "results.json"
    write_durably(path, b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    owner: object = os if step == "fsync" else Path
    monkeypatch.setattr(owner, step, fail)
    with pytest.raises(OSError, match="No space"):
        write_durably(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_content_is_on_the_disk_before_its_name_and_the_name_before_the_return(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def watched_fsync(descriptor: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        steps.append(f"fsync {kind}")
        fsync(descriptor)

    def watched_replace(self: Path, target: Path) -> Path:
        steps.append("rename")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(Path, "replace", watched_replace)
    write_durably(tmp_path / "file", b"x")
    assert steps == ["fsync file", "rename", "fsync folder"]


def test_a_folder_that_is_there_keeps_its_mode_and_content(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x")
    tmp_path.chmod(0o750)
    create_private_folder(tmp_path)
    assert mode(tmp_path) == 0o750
    assert (tmp_path / "file").exists()


def test_parents_are_made(tmp_path: Path) -> None:
    create_private_folder(tmp_path / "a" / "b" / "c")
    assert mode(tmp_path / "a" / "b" / "c") == 0o700


def test_a_file_in_the_place_of_a_folder_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "taken").write_bytes(b"")
    with pytest.raises(NotADirectoryError, match=r"it is a file, not a folder.*taken"):
        create_private_folder(tmp_path / "taken")

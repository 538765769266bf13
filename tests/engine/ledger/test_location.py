"""Is a folder on a disk of this machine? Asked of invented mount tables."""

from pathlib import Path

import pytest

from wardlens.engine.errors import UserError
from wardlens.engine.ledger import location
from wardlens.engine.ledger.location import NETWORK_FILE_SYSTEMS, refuse_network_file_system

ROOT = "21 1 254:0 / / rw,relatime - ext4 /dev/vda rw"


def mount(number: int, point: str, kind: str, *, parent: int = 21) -> str:
    """One line of `/proc/self/mountinfo`, with two optional fields before the separator."""
    fields = f"{number} {parent} 0:{number} / {point} rw,nosuid shared:{number} master:1"
    return f"{fields} - {kind} server:/export rw,addr=192.0.2.1"


def is_refused(folder: str, *mounts: str) -> bool:
    try:
        refuse_network_file_system(Path(folder), "\n".join((ROOT, *mounts)) + "\n")
    except UserError:
        return True
    return False


@pytest.mark.parametrize("kind", sorted(NETWORK_FILE_SYSTEMS))
def test_a_folder_on_a_network_file_system_is_refused(kind: str) -> None:
    assert is_refused("/mnt/share/ledger", mount(30, "/mnt/share", kind))


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "zfs", "tmpfs", "overlay", "fuseblk"])
def test_a_folder_on_a_local_disk_is_taken(kind: str) -> None:
    assert not is_refused("/mnt/disk/ledger", mount(30, "/mnt/disk", kind))


def test_the_message_names_folder_and_file_system_and_says_what_to_do() -> None:
    table = f"{ROOT}\n{mount(30, '/mnt/share', 'nfs4')}"
    expected = r"/mnt/share/x is on a network file system \(nfs4\).*local disk with --ledger DIR"
    with pytest.raises(UserError, match=expected):
        refuse_network_file_system(Path("/mnt/share/x"), table)


@pytest.mark.parametrize("folder", ["/mnt/share", "/mnt/share/a/b/c"])
def test_the_mount_point_itself_and_everything_below_count(folder: str) -> None:
    assert is_refused(folder, mount(30, "/mnt/share", "cifs"))


@pytest.mark.parametrize("folder", ["/mnt", "/mnt/shared", "/mnt/share2/x", "/srv/mnt/share"])
def test_folders_beside_a_mount_point_dont_count(folder: str) -> None:
    assert not is_refused(folder, mount(30, "/mnt/share", "cifs"))


def test_the_innermost_of_nested_mounts_counts() -> None:
    network_in_local = [mount(30, "/mnt", "xfs"), mount(31, "/mnt/a", "nfs", parent=30)]
    local_in_network = [mount(30, "/mnt", "nfs"), mount(31, "/mnt/a", "xfs", parent=30)]
    for mounts in (network_in_local, network_in_local[::-1]):
        assert is_refused("/mnt/a/x", *mounts)
        assert not is_refused("/mnt/b/x", *mounts)
    for mounts in (local_in_network, local_in_network[::-1]):
        assert not is_refused("/mnt/a/x", *mounts)
        assert is_refused("/mnt/b/x", *mounts)


def test_of_mounts_on_one_point_the_last_is_on_top() -> None:
    local, network = mount(30, "/mnt", "ext4"), mount(31, "/mnt", "fuse.sshfs", parent=30)
    assert is_refused("/mnt/x", local, network)
    local_on_top = mount(31, "/mnt", "ext4", parent=30)
    assert not is_refused("/mnt/x", mount(30, "/mnt", "fuse.sshfs"), local_on_top)


def test_a_mount_hidden_below_a_later_one_doesnt_count() -> None:
    hidden = [mount(30, "/mnt", "ext4"), mount(31, "/mnt/a", "ext4", parent=30)]
    assert is_refused("/mnt/a/x", *hidden, mount(32, "/mnt", "nfs4", parent=30))


def test_a_root_on_the_network_counts() -> None:
    table = "21 1 0:20 / / rw,relatime - nfs4 server:/diskless rw\n"
    with pytest.raises(UserError, match="nfs4"):
        refuse_network_file_system(Path("/var/ledger"), table)
    refuse_network_file_system(Path("/var/ledger"), table + mount(30, "/var", "ext4"))


@pytest.mark.parametrize(
    ("written", "folder"),
    [
        ("/mnt/our\\040share", "/mnt/our share/x"),
        ("/mnt/our\\011share", "/mnt/our\tshare/x"),
        ("/mnt/our\\012share", "/mnt/our\nshare/x"),
        ("/mnt/our\\134share", "/mnt/our\\share/x"),
        ("/mnt/our\\134040share", "/mnt/our\\040share/x"),
    ],
    ids=["space", "tab", "line end", "backslash", "backslash before digits"],
)
def test_escaped_characters_of_mount_points_are_understood(written: str, folder: str) -> None:
    assert is_refused(folder, mount(30, written, "nfs"))


def test_lines_of_another_form_are_passed_over() -> None:
    assert not is_refused("/mnt/x", "", "nonsense", "1 2 3 - nfs", "30 21 0:30 / /mnt rw nfs")


def test_a_link_is_followed_to_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "share")
    table = f"{ROOT}\n{mount(30, str(tmp_path.resolve() / 'share'), 'nfs')}"
    with pytest.raises(UserError, match="nfs"):
        refuse_network_file_system(tmp_path / "link", table)


def test_without_a_mount_table_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(location, "_MOUNT_TABLE", tmp_path / "missing")
    refuse_network_file_system(tmp_path)


def test_by_default_the_mount_table_of_this_process_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "mountinfo"
    table.write_bytes(f"{mount(30, '/', 'lustre')}\n".encode() + b"\xff not UTF-8\n")
    monkeypatch.setattr(location, "_MOUNT_TABLE", table)
    with pytest.raises(UserError, match="lustre"):
        refuse_network_file_system(tmp_path)

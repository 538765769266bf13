"""Is a folder on a disk of this machine? SQLite's locks and fsync can't be trusted elsewhere."""

from pathlib import Path
from typing import NamedTuple

from wardlens.engine.errors import UserError

NETWORK_FILE_SYSTEMS = frozenset(
    [
        "9p",
        "afs",
        "beegfs",
        "ceph",
        "cifs",
        "coda",
        "davfs",
        "fuse.ceph",
        "fuse.ceph-fuse",
        "fuse.cephfs",
        "fuse.gcsfuse",
        "fuse.glusterfs",
        "fuse.rclone",
        "fuse.s3fs",
        "fuse.sshfs",
        "fuse.beegfs",
        "fuse.blobfuse2",
        "fuse.goofys",
        "fuse.juicefs",
        "fuse.mount-s3",
        "gfs2",
        "glusterfs",
        "gpfs",
        "lustre",
        "ncpfs",
        "nfs",
        "nfs4",
        "ocfs2",
        "orangefs",
        "panfs",
        "pvfs2",
        "smb2",
        "smb3",
        "smbfs",
        "wekafs",
    ]
)

_MOUNT_TABLE = Path("/proc/self/mountinfo")


class _Mount(NamedTuple):
    number: str
    parent: str
    point: Path
    kind: str


def refuse_network_file_system(folder: Path, mount_table: str | None = None) -> None:
    """Raise `UserError` if `folder` (which exists) lies on a network file system.

    `mount_table` is text in the format of `/proc/self/mountinfo`, read from there by default; on
    systems without that file nothing is refused.
    """
    if mount_table is None:
        if not _MOUNT_TABLE.exists():
            return
        mount_table = _MOUNT_TABLE.read_text(encoding="utf-8", errors="replace")
    kind = _file_system_of(folder.resolve(), mount_table)
    if kind in NETWORK_FILE_SYSTEMS:
        raise UserError(
            f"the ledger folder {folder} is on a network file system ({kind}), where locks and "
            "durable writes can't be relied on. Name a folder on a local disk with --ledger DIR."
        )


def _file_system_of(folder: Path, mount_table: str) -> str:
    mounts = _read_mounts(mount_table)
    numbers = {mount.number for mount in mounts}
    above = [mount for mount in mounts if folder.is_relative_to(mount.point)]
    kind = ""
    met = [m for m in above if m.parent not in numbers or m.parent == m.number]
    while met:
        # A path is walked from the root down: a mount met earlier hides what lies below it. Of
        # several on one point the last is on top.
        mount = min(reversed(met), key=lambda m: len(m.point.parts))
        kind = mount.kind
        above.remove(mount)
        met = [m for m in above if m.parent == mount.number]
    return kind


def _read_mounts(mount_table: str) -> list[_Mount]:
    mounts: list[_Mount] = []
    for line in mount_table.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) >= 5 and after:
            point = Path(_unescape(fields[4]))
            mounts.append(_Mount(fields[0], fields[1], point, after.split(" ")[0]))
    return mounts


def _unescape(field: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(code, character)
    return field

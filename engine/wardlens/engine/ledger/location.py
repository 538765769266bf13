"""Is a folder on a disk of this machine? SQLite's locks and fsync can't be trusted elsewhere."""

from pathlib import Path

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
    best, kind = -1, ""
    for line in mount_table.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        mount_point = Path(_unescape(fields[4]))
        depth = len(mount_point.parts)
        # Of several mounts on one point the last is on top.
        if folder.is_relative_to(mount_point) and depth >= best:
            best, kind = depth, after.split(" ")[0]
    return kind


def _unescape(field: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        field = field.replace(code, character)
    return field

# SPDX-License-Identifier: Apache-2.0
"""Files, archives and digests that are the same bytes whenever the same tree is packed."""

import gzip
import hashlib
import io
import os
import tarfile


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def compress(data):
    """gzip without a name and a time."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def write(path, data, mode=0o644):
    """Writes a file, text or bytes, whose folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    path.chmod(mode)


def files(root):
    """The files below a folder, sorted by their paths there."""
    return sorted(path for path in root.rglob("*") if path.is_file())


def settle(root, epoch):
    """Gives a tree the modes and times that packages have, whatever the umask was."""
    for path in [root, *root.rglob("*")]:
        executable = path.is_dir() or path.stat().st_mode & 0o100
        path.chmod(0o755 if executable else 0o644)
        os.utime(path, (epoch, epoch))


def tar(root, epoch, top=""):
    """A tree as a tar archive: sorted, owned by root; `top` is put before each path."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))
        for name in ([""] if top else []) + paths:
            entry = archive.gettarinfo(root / name, (top + "/" + name).strip("/"))
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = epoch
            if entry.isreg():
                with (root / name).open("rb") as file:
                    archive.addfile(entry, file)
            else:
                archive.addfile(entry)
    return stream.getvalue()

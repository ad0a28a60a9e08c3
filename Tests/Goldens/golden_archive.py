# SPDX-License-Identifier: Apache-2.0
"""Packs the folders of an operator's cases into one archive.

OPERATOR.zip is a zip archive of stored files: CASE/model.tflite, CASE/in_<i>.npy, CASE/out_<i>.npy,
and the same in CASE/step<n>/ for further invocations. Its first file, cases.json, has a member for
each folder, which is what case.json says there. Equal cases give equal bytes.
"""

import json
import os
import zipfile

# The earliest date that the format has.
DATE = (1980, 1, 1, 0, 0, 0)


def contents(folder):
    """The index of the cases below `folder`, and the paths of their other files."""
    index, files = {}, []
    for base, _, names in os.walk(folder):
        relative = os.path.relpath(base, folder)
        for name in names:
            path = os.path.join(base, name)
            if name == "case.json":
                with open(path) as stream:
                    index[relative] = json.load(stream)
            else:
                files.append((os.path.join(relative, name), path))
    return {name: index[name] for name in sorted(index)}, sorted(files)


def add(archive, name, content):
    entry = zipfile.ZipInfo(name, DATE)
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    archive.writestr(entry, content)


def pack(folder, path):
    """Writes the cases below `folder` as the archive at `path`."""
    index, files = contents(folder)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        add(archive, "cases.json", json.dumps(index, indent=1) + "\n")
        for name, file in files:
            with open(file, "rb") as stream:
                add(archive, name, stream.read())


def pack_all(root, into):
    """Writes an archive into the folder `into` for each operator's folder in `root`."""
    os.makedirs(into, exist_ok=True)
    for operator in sorted(os.listdir(root)):
        pack(os.path.join(root, operator), os.path.join(into, f"{operator}.zip"))

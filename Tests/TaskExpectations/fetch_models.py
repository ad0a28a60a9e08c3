#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Puts the models and inputs of models.tsv into a folder and checks the SHA-256 of each.

    fetch_models.py FOLDER [--mirrors FOLDER] [--wheels FOLDER] [--only NAME ...]

Three kinds of row, told apart by the column `repository`:

- `owner/name`: a file of a public GitHub repository at a commit, read over HTTPS, or with --mirrors
  from the bare mirror `<owner>+<name>/repo` by `git cat-file`. A row whose column sha256 is
  `git:<blob>` names a file that the mirrors lack (they keep no file of 4 MiB and more); its content
  is checked against the Git blob id and it is skipped with --mirrors.
- `pypi:<requirement>`: a member of a wheel, the column `commit` names the wheel. It is downloaded
  with pip unless --wheels holds it.
- `bundle`: a model bundle (a ZIP file of stored members, as MediaPipe's .task files are) packed
  from rows above it; the column `path` lists `member=row` pairs. Its bytes are the same everywhere.

Exit status: 0 when every row is there, 1 when some are missing or wrong (each is named).
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import struct
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("models.tsv")
ALIGNMENT = 4


class FetchError(Exception):
    """A row whose file could not be had or is not the file that the table names."""


@dataclass(frozen=True)
class Row:
    """One line of models.tsv."""

    name: str
    task: str
    repository: str
    commit: str
    path: str
    sha256: str
    bytes: str
    licence: str

    @property
    def blob(self) -> str | None:
        """The Git blob id, for a row that has no SHA-256."""
        return self.sha256.removeprefix("git:") if self.sha256.startswith("git:") else None


def read_table(path: Path = TABLE) -> list[Row]:
    """The rows of models.tsv, in order."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Row(**line) for line in csv.DictReader(file, delimiter="\t")]


def check(row: Row, data: bytes) -> None:
    """Raises FetchError unless the bytes are the ones that the table names."""
    if row.blob is not None:
        found = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
        expected = row.blob
    else:
        found, expected = hashlib.sha256(data).hexdigest(), row.sha256
    if found != expected:
        raise FetchError(f"{row.name}: digest is {found}, expected {expected}")


def from_web(row: Row) -> bytes:
    """The file from GitHub's raw content host."""
    url = f"https://raw.githubusercontent.com/{row.repository}/{row.commit}/{row.path}"
    try:
        with urllib.request.urlopen(url, timeout=60) as reply:  # noqa: S310
            return bytes(reply.read())
    except OSError as error:
        raise FetchError(f"{row.name}: {url}: {error}") from error


def from_mirror(row: Row, mirrors: Path) -> bytes:
    """The file from a bare mirror of its repository."""
    git = mirrors / row.repository.replace("/", "+", 1) / "repo"
    command = ["git", "-C", str(git), "cat-file", "blob", f"{row.commit}:{row.path}"]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        raise FetchError(f"{row.name}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def from_wheel(row: Row, wheels: Path) -> bytes:
    """The member of a wheel, which pip downloads first when the folder lacks it."""
    wheel = wheels / row.commit
    if not wheel.exists():
        python, abi, platform = row.commit.removesuffix(".whl").split("-")[-3:]
        command = [
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
            "--implementation", python[:2], "--python-version", python[2:], "--abi", abi,
            "--platform", platform, "--dest", str(wheels), row.repository.removeprefix("pypi:"),
        ]  # fmt: skip
        if subprocess.run(command, check=False).returncode != 0 or not wheel.exists():
            raise FetchError(f"{row.name}: pip did not bring {row.commit}")
    return zipfile.ZipFile(wheel).read(row.path)


def pack_bundle(members: list[tuple[str, bytes]]) -> bytes:
    """A ZIP file of stored members whose data start at multiples of four bytes.

    MediaPipe maps the members of a bundle as FlatBuffers in place, so its own tools put zero bytes
    before the local headers; times are the format's earliest, so that the result is reproducible.
    """
    body, directory = bytearray(), bytearray()
    for name, data in members:
        text = name.encode()
        body += bytes(-(len(body) + 30 + len(text)) % ALIGNMENT)
        offset = len(body)
        fields = (0, 0, 0, 0x21, zlib.crc32(data), len(data), len(data), len(text), 0)
        body += struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, *fields) + text + data
        directory += struct.pack("<IHHHHHHIIIHH", 0x02014B50, 20, 20, *fields)
        directory += struct.pack("<HHHII", 0, 0, 0, 0, offset) + text
    count = len(members)
    end = (0x06054B50, 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory + struct.pack("<IHHHHIIH", *end))


def from_rows(row: Row, folder: Path) -> bytes:
    """The bundle that the row describes, packed from files already in the folder."""
    members: list[tuple[str, bytes]] = []
    for pair in row.path.split(" "):
        member, name = pair.split("=", 1)
        source = folder / name
        if not source.exists():
            raise FetchError(f"{row.name}: needs {name}, which is not there")
        members.append((member, source.read_bytes()))
    return pack_bundle(members)


def obtain(row: Row, folder: Path, mirrors: Path | None, wheels: Path) -> bytes:
    """The checked bytes of a row, from the source that its kind and the options call for."""
    source: Callable[[], bytes]
    if row.repository == "bundle":
        source = lambda: from_rows(row, folder)  # noqa: E731
    elif row.repository.startswith("pypi:"):
        source = lambda: from_wheel(row, wheels)  # noqa: E731
    elif mirrors is not None:
        source = lambda: from_mirror(row, mirrors)  # noqa: E731
    else:
        source = lambda: from_web(row)  # noqa: E731
    data = source()
    check(row, data)
    return data


def main() -> int:
    """Reads the command line and fetches every row that the folder lacks."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--mirrors", type=Path, help="folder of bare mirrors, instead of GitHub")
    parser.add_argument("--wheels", type=Path, help="folder where wheels are kept between runs")
    parser.add_argument("--only", nargs="*", default=[], help="names of rows to fetch")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    failures = fetched = present = skipped = 0
    with tempfile.TemporaryDirectory() as temporary:
        wheels = options.wheels or Path(temporary)
        for row in read_table():
            target = options.folder / row.name
            if options.only and row.name not in options.only:
                continue
            if options.mirrors is not None and row.blob is not None:
                print(f"not in the mirrors: {row.name}")
                skipped += 1
                continue
            try:
                if target.exists():
                    check(row, target.read_bytes())
                    present += 1
                    continue
                target.write_bytes(obtain(row, options.folder, options.mirrors, wheels))
                fetched += 1
            except FetchError as error:
                print(error, file=sys.stderr)
                failures += 1
    print(f"{fetched} fetched, {present} already there, {skipped} skipped, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())

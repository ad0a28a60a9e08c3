# SPDX-License-Identifier: Apache-2.0
"""The checks of sums, lintian and the archive, and what all checks share."""

import csv
import json
import os
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path


root = Path(__file__).resolve().parents[2]
scratch = root / ".build/check-packages"


class Failed(Exception):
    """What is wrong with a package."""


class Skipped(Exception):
    """Why this machine cannot do a check."""


@dataclass
class Published:
    """The folder that .ci/package wrote, and the suite of Debian to install in."""

    folder: Path
    suite: str

    def one(self, pattern):
        found = [*self.folder.glob(pattern)]
        if len(found) != 1:
            raise Failed(f"{len(found)} files {self.folder}/{pattern}, wanted 1")
        return found[0]

    @property
    def version(self):
        name = self.one("martlet-*.cdx.json").name
        return name.removeprefix("martlet-").removesuffix(".cdx.json")


def own_suite():
    """The name of this system's release of Debian."""
    fields = dict(
        line.split("=", 1) for line in Path("/etc/os-release").read_text().splitlines()
        if "=" in line)
    return fields.get("VERSION_CODENAME", "stable").strip('"')


def expect(condition, problem):
    if not condition:
        raise Failed(problem)


def need(command, package):
    if not shutil.which(command):
        raise Skipped(f"no {command} (apt-get install {package})")


def run(*command, status=0, **options):
    """What a command prints on standard output; another exit status than wanted is a failure."""
    result = subprocess.run(
        [*map(str, command)], capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)
    if result.returncode != status:
        words = " ".join(map(str, command))
        text = (result.stdout + result.stderr).strip()[-2000:]
        raise Failed(f"{words}: exit status {result.returncode}, wanted {status}\n{text}")
    return result.stdout


def inside(tree, *command, status=0):
    """Runs a command with a tree as its root, where /proc is mounted for the time it takes."""
    (tree / "proc").mkdir(exist_ok=True)
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    space = ["unshare", *user, "--mount", "--pid", "--fork", f"--mount-proc={tree / 'proc'}"]
    if subprocess.run([*space, "true"], capture_output=True).returncode:
        raise Skipped("unshare may not make a mount namespace here")
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8",
        "DEBIAN_FRONTEND": "noninteractive",
    }
    return run(*space, "chroot", tree, *command, status=status, env=environment)


def empty(name):
    """An empty folder for one check."""
    folder = scratch / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def works(tree, martlet, version):
    """Checks the version, and that every bundled digit is recognized as what it shows."""
    printed = inside(tree, martlet, "--version").strip()
    expect(printed == version, f"{martlet} --version prints '{printed}', wanted '{version}'")
    answer = json.loads(inside(tree, martlet, "label", "--json"))
    prefix = Path(martlet).parent.parent
    models = f"{prefix}/share/martlet/models/digits"
    taken = os.path.normpath(answer["model"])
    expect(taken.startswith(models + "/"), f"label took {taken}, not that of {models}")
    with (tree / models.lstrip("/") / "samples/labels.csv").open() as file:
        wanted = {row[0]: row[1] for row in csv.reader(file)}
    for entry in answer["images"]:
        name, label = Path(entry["image"]).name, entry["labels"][0]["label"]
        expect(wanted.get(name) == label, f"{name} is labeled {label}, not {wanted.get(name)}")
    expect(len(answer["images"]) == 10, f"{len(answer['images'])} images labeled, wanted 10")
    boxes = json.loads(inside(tree, martlet, "detect", "--json"))
    expect(any(entry["objects"] for entry in boxes["images"]), "detect found no object")


def sums(published):
    lines = (published.folder / "SHA256SUMS").read_text().splitlines()
    listed = dict(reversed(line.split("  ", 1)) for line in lines)
    present = {path.name for path in published.folder.iterdir() if path.is_file()}
    expect(present == {*listed, "SHA256SUMS"}, f"SHA256SUMS lists {sorted(listed)} only")
    run("sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS", cwd=published.folder)


def lintian(published):
    need("lintian", "lintian")
    package = published.one("martlet_*.deb")
    run("lintian", "--fail-on", "error,warning", "--tag-display-limit", "0", package)


def archive(published):
    """Unpacks the archive as /usr/local of an otherwise empty root, and runs it there."""
    path = published.one("martlet-*-static.tar.gz")
    top = path.name.removesuffix(".tar.gz")
    tree = empty("archive")
    with tarfile.open(path) as content:
        for entry in content:
            inner = entry.name == top or entry.name.startswith(top + "/")
            expect(inner and ".." not in entry.name, f"{path.name} holds {entry.name}")
            expect(entry.isfile() or entry.isdir(), f"{entry.name} is no file and no folder")
            expect((entry.uid, entry.gid) == (0, 0), f"{entry.name} is not owned by root")
    (tree / "usr/local").mkdir(parents=True)
    run("tar", "-xzf", path, "--strip-components=1", "-C", tree / "usr/local", "--no-same-owner")
    for name in [
        "bin/martlet", "share/man/man1/martlet.1", "share/doc/martlet/copyright",
        "share/bash-completion/completions/martlet", "share/zsh/site-functions/_martlet",
        "share/fish/vendor_completions.d/martlet.fish", "share/martlet/models/digits/MODEL.md",
    ]:
        expect((tree / "usr/local" / name).stat().st_size > 0, f"{name} is empty")
    works(tree, "/usr/local/bin/martlet", published.version)

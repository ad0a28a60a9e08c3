# SPDX-License-Identifier: Apache-2.0
"""The executables that packages hold: what they are built with, and what is inside them."""

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

root = Path(__file__).resolve().parents[2]
scratch = root / ".build/packaging"
# Linked statically it needs no library of the system, and has no downloads.
STATIC = "static"
# With Swift's libraries inside, it loads those that Debian keeps up to date.
SYSTEM = "system"

FLAGS = {
    STATIC: [
        "--disable-default-traits", "--static-swift-stdlib", "-Xswiftc", "-static-executable",
        "-Xlinker", "--icf=all", "-Xlinker", "-T", "-Xlinker", f"{root}/.ci/packages/static.ld"],
    # What the loader writes, it writes first, and makes read-only, as Debian wants it.
    SYSTEM: [
        "--static-swift-stdlib", "-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z",
        "-Xlinker", "now"],
}
# No executable holds the path of the folder it was built in, looks for libraries beside itself, or
# holds digests of what it was compiled from: `strip` could remove these, but would remove with them
# what makes the loader's data read-only (GNU_RELRO).
REPEATABLE = [
    "--disable-local-rpath", "-Xswiftc", "-D", "-Xswiftc", "PACKAGED",
    "-Xswiftc", "-file-prefix-map", "-Xswiftc", f"{root}=.", "-Xcc", f"-ffile-prefix-map={root}=.",
    "-Xswiftc", "-Xfrontend", "-Xswiftc", "-disable-incremental-llvm-codegen",
    "-Xlinker", "--build-id=none",
]


def fail(problem, status):
    print(f"error: {problem}", file=sys.stderr)
    sys.exit(status)


def output(*command, **options):
    """What a command prints; its failure is that of the whole."""
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    if result.returncode:
        fail(f"{command[0]} ended with {result.returncode}: {' '.join(map(str, command))}", 70)
    return result.stdout.strip()


def require_tools():
    """Ends with a list of what is missing and the command that installs it."""
    triplet = os.uname().machine + "-linux-gnu"
    libraries = [f"/usr/lib/{triplet}", "/usr/local/lib", "/usr/lib64"]
    headers = ["/usr/include", f"/usr/include/{triplet}", "/usr/local/include"]
    commands = {
        "dpkg-deb": "dpkg", "dpkg-shlibdeps": "dpkg-dev", "strip": "binutils", "nm": "binutils",
        "readelf": "binutils", "git": "git",
    }
    found = {
        "libz.a": ("zlib1g-dev", libraries), "zlib.h": ("zlib1g-dev", headers),
        "curl/curl.h": ("libcurl4-openssl-dev", headers),
    }
    missing = {name: package for name, package in commands.items() if not shutil.which(name)}
    for name, (package, folders) in found.items():
        if not any(Path(folder, name).exists() for folder in folders):
            missing[name] = package
    if missing:
        print(f"error: missing: {', '.join(missing)}\nhint: apt-get install "
              f"{' '.join(sorted(set(missing.values())))}", file=sys.stderr)
    if not shutil.which("swift"):
        fail("no swift on the PATH; Swift 6.3 or later is needed (https://swift.org/install)", 69)
    if missing:
        sys.exit(69)


@functools.cache
def description():
    """The Swift package: its products and targets."""
    return json.loads(output(
        "swift", "package", "--scratch-path", scratch / STATIC, "describe", "--type", "json",
        cwd=root))


def products(variant):
    """The names of the executables of a variant; the one that downloads is in one only."""
    names = [product["name"] for product in description()["products"]]
    helper = [name for name in names if name == "martlet-fetch" and variant == SYSTEM]
    return ["martlet", *helper]


def build(variant):
    """The executables of a variant, stripped, in a folder of their own."""
    folder = scratch / "stripped" / variant
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for product in products(variant):
        downloads = variant == SYSTEM and product == products(variant)[-1]
        options = FLAGS[variant] + (["-Xlinker", "-lcurl"] if downloads else [])
        print(f"building {product} ({variant})", flush=True)
        command = [
            "swift", "build", "-c", "release", "--scratch-path", scratch / variant, *options,
            *REPEATABLE, "--product", product]
        small = {**os.environ, "MARTLET_SMALL": "1"}
        if subprocess.run(command, cwd=root, env=small, stdout=sys.stderr).returncode:
            fail(f"{product} ({variant}) was not built", 70)
        output("strip", "--remove-section=.comment", "-o", folder / product,
               unstripped(variant, product))
    return folder


def unstripped(variant, product):
    return scratch / variant / "release" / product


def defined_symbols(executable):
    """The names of the functions that are inside."""
    lines = output("nm", "--defined-only", executable).splitlines()
    return {line.split()[-1] for line in lines if line.strip()}


def loaded_libraries(executable):
    """The names of the libraries that are loaded when it starts."""
    lines = output("readelf", "--dynamic", "--wide", executable).splitlines()
    return [line.split("[")[1].rstrip("]") for line in lines if "(NEEDED)" in line]


def last_commit(form):
    return output("git", "-C", root, "log", "-1", f"--format={form}")


def epoch():
    """The time of everything in the packages, in seconds since 1970."""
    text = os.environ.get("SOURCE_DATE_EPOCH") or last_commit("%ct")
    if not text.isdecimal():
        fail(f"'{text}' in SOURCE_DATE_EPOCH, wanted seconds since 1970", 64)
    return int(text)


def stage(folder, variant, prefix):
    """What .ci/install puts under a prefix, in a folder that stands for the root."""
    shutil.rmtree(folder, ignore_errors=True)
    built = scratch / "stripped" / variant
    environment = {
        **os.environ, "DESTDIR": str(folder), "MARTLET": str(built / "martlet"),
        "SOURCE_DATE_EPOCH": str(epoch()), "LC_ALL": "C.UTF-8",
    }
    helper = built / "martlet-fetch"
    output(root / ".ci/install", prefix, env=environment)
    if helper.exists() and not list(folder.rglob(helper.name)):
        fail(".ci/install did not install martlet-fetch, which is a product", 70)


def platform():
    """The processor as the names of files and of images give it: `x86_64`."""
    return os.uname().machine


def staged(tree, product):
    """Where an executable is in a tree of installed files; completions have its name, too."""
    return next(
        path for path in sorted(tree.rglob(product))
        if path.is_file() and path.read_bytes()[:4] == b"\x7fELF")

# SPDX-License-Identifier: Apache-2.0
"""The check that installs the Debian package in a fresh system and removes it."""

import functools
import http.server
import os
import shutil
import threading
from pathlib import Path

from . import archives, checks
from .checks import expect, inside, run

# What apt and dpkg write about any package; the list of packages is compared by itself.
RECORDS = ("var/cache/", "var/log/", "var/lib/apt/", "var/lib/dpkg/", "proc/")


def fresh_root(suite):
    """A new minimal Debian, copied from one that is made once."""
    made = checks.scratch / f"{suite}-base"
    if not made.exists():
        part = made.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        mirror = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
        run("debootstrap", "--variant=minbase", suite, part, mirror)
        part.rename(made)
    tree = checks.scratch / suite
    run("rm", "-rf", tree)
    run("cp", "-a", made, tree)
    if Path("/etc/resolv.conf").exists():
        shutil.copyfile("/etc/resolv.conf", tree / "etc/resolv.conf")
    return tree


def listing(tree):
    """The paths in a root, and the packages that are installed."""
    paths = {
        str(path.relative_to(tree)) for path in tree.rglob("*")
        if not path.relative_to(tree).as_posix().startswith(RECORDS)}
    return paths, {*inside(tree, "dpkg-query", "--show").splitlines()}


def installed_files(tree):
    """Checks that dpkg's own list is there, with the contents that the package says."""
    names = inside(tree, "dpkg-query", "--listfiles", "martlet").splitlines()
    for name in names:
        expect(os.path.lexists(tree / name.lstrip("/")), f"{name} is not installed")
    for name in [
        "/usr/bin/martlet", "/usr/share/man/man1/martlet.1.gz", "/usr/share/doc/martlet/copyright",
        "/usr/share/doc/martlet/changelog.gz", "/usr/share/bash-completion/completions/martlet",
        "/usr/share/zsh/vendor-completions/_martlet",
        "/usr/share/fish/vendor_completions.d/martlet.fish",
    ]:
        expect(name in names, f"{name} is not in the package")
    wrong = inside(tree, "dpkg", "--verify", "martlet")
    expect(not wrong, f"dpkg --verify: {wrong}")
    for name in names:
        path = tree / name.lstrip("/")
        if path.is_file() and path.read_bytes()[:4] == b"\x7fELF":
            expect("not found" not in inside(tree, "ldd", name), f"{name} misses libraries")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass


def downloads(tree):
    """Fetches a model from a host on this machine, as the installed program."""
    folder = checks.empty("host")
    model = next((checks.root / "Models").rglob("digits_int8.tflite"))
    shutil.copyfile(model, folder / "digits.tflite")
    digest = archives.sha256(model.read_bytes())
    archives.write(folder / "digits.tflite.sha256", f"{digest}  digits.tflite\n")
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        printed = inside(
            tree, "env", "HOME=/home/user", "martlet", "fetch", "digits", "--layout", "files",
            "--host", f"http://127.0.0.1:{server.server_port}").strip()
        server.shutdown()
    fetched = (tree / printed.lstrip("/")).read_bytes()
    expect(archives.sha256(fetched) == digest, f"{printed} is not what the host has")
    # Foundation writes a cache there, too; what users download stays when a package is removed.
    shutil.rmtree(tree / "home/user")


def debian(published):
    checks.need("debootstrap", "debootstrap")
    if os.geteuid() != 0:
        raise checks.Skipped("debootstrap and chroot need root")
    package = published.one("martlet_*.deb")
    try:
        tree = fresh_root(published.suite)
        inside(tree, "apt-get", "update", "-qq", "--error-on=any")
    except checks.Failed as problem:
        raise checks.Skipped(f"no fresh {published.suite}: {problem}") from None
    before = listing(tree)
    shutil.copyfile(package, tree / "martlet.deb")
    inside(tree, "apt-get", "install", "-y", "-qq", "--no-install-recommends", "/martlet.deb")
    installed_files(tree)
    checks.works(tree, "/usr/bin/martlet", published.version)
    downloads(tree)
    inside(tree, "apt-get", "purge", "-y", "-qq", "martlet")
    # Libraries that came with the package would stay if another one recommends or suggests them.
    keep_none = [
        f"-oAPT::AutoRemove::{kind}Important=false" for kind in ("Recommends", "Suggests")]
    inside(tree, "apt-get", "autoremove", "-y", "-qq", "--purge", *keep_none)
    (tree / "martlet.deb").unlink()
    after = listing(tree)
    for old, new, what in zip(before, after, ("files", "packages")):
        expect(new == old, f"{what} left: {sorted(new - old)}; lost: {sorted(old - new)}")
    left = [*(tree / "var/lib/dpkg/info").glob("martlet.*")]
    expect(not left, f"dpkg still knows {left}")
    run("rm", "-rf", tree)

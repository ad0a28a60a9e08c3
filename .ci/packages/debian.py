# SPDX-License-Identifier: Apache-2.0
"""The Debian package."""

import hashlib
import os
import re
import shutil
import subprocess
import textwrap
from datetime import datetime, timezone

from . import archives, builds, notices

work = builds.scratch / "debian"


def maintainer():
    """Who answers for the package: the variables of Debian's tools, else the last committer."""
    name, mail = os.environ.get("DEBFULLNAME"), os.environ.get("DEBEMAIL")
    if name and mail:
        return f"{name} <{mail}>"
    return builds.last_commit("%an <%ae>")


def plain(text):
    """Markdown as plain text."""
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text)
    return re.sub(r"\*\*|`", "", text)


def introduction():
    """The paragraphs and the list that the README begins with, as plain text."""
    text = (builds.root / "README.md").read_text().split("\n\n")
    return [plain(part) for part in text[1:4]]


def long_description():
    first, second, items = introduction()
    # Behind the colon is what building it needs.
    first = first.split(":")[0] + "."
    bullets = [" ".join(item.split()) for item in re.split(r"^- ", items, flags=re.M) if item]
    formatted = [notices.lines(part) for part in (first, second)]
    listed = "\n".join(
        textwrap.fill(item, 76, initial_indent="  - ", subsequent_indent="    ")
        for item in bullets)
    return "\n .\n".join([*formatted, listed])


def changelog(version, epoch):
    """The newest section of CHANGELOG.md in Debian's format."""
    text = (builds.root / "CHANGELOG.md").read_text()
    section = re.split(r"^## .*$", text, flags=re.M)[1]
    entries = []
    for block in re.split(r"^### ", section, flags=re.M)[1:]:
        heading, rest = block.split("\n", 1)
        entries.append(f"\n  [ {heading} ]")
        for item in re.split(r"^- ", rest, flags=re.M)[1:]:
            entries.append(textwrap.fill(
                " ".join(plain(item).split()), 78, initial_indent="  * ",
                subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))
    date = datetime.fromtimestamp(epoch, timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
    return (f"martlet ({version}) unstable; urgency=medium\n" + "\n".join(entries)
            + f"\n\n -- {maintainer()}  {date}\n")


def dependencies(executables):
    """The packages with the libraries that the executables load, in the versions they need."""
    folder = work / "dependencies"
    source = "Source: martlet\n\nPackage: martlet\nArchitecture: any\n"
    archives.write(folder / "debian/control", source)
    options = [f"-e{path}" for path in executables]
    text = builds.output("dpkg-shlibdeps", "-O", *options, cwd=folder)
    return text.removeprefix("shlibs:Depends=")


def control(version, tree, executables):
    needed = dependencies(executables)
    size = sum((path.stat().st_size + 1023) // 1024 for path in archives.files(tree))
    fields = {
        "Package": "martlet", "Version": version,
        "Architecture": builds.output("dpkg", "--print-architecture"),
        "Maintainer": maintainer(), "Installed-Size": size, "Depends": needed,
    }
    if "libcurl" in needed:
        fields["Recommends"] = "ca-certificates"
    fields |= {
        "Section": "science", "Priority": "optional",
        "Description": synopsis(executables[0]) + "\n" + long_description(),
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


def synopsis(martlet):
    """What the manual page says in its first line."""
    manual = builds.output(martlet, "--generate-manual")
    return re.search(r"^martlet \\- (.+)$", manual, re.M)[1]


def stage(version, epoch):
    """The installed files as Debian wants them."""
    tree = work / "tree"
    builds.stage(tree, builds.SYSTEM, "/usr")
    share = tree / "usr/share"
    # Where Debian's zsh looks for what packages bring.
    vendor = share / "zsh/vendor-completions"
    shutil.move(share / "zsh/site-functions", vendor)
    for page in archives.files(share / "man"):
        archives.write(page.with_name(page.name + ".gz"), archives.compress(page.read_bytes()))
        page.unlink()
    documents = share / "doc/martlet"
    martlet = tree / "usr/bin/martlet"
    models = notices.models(martlet, share / "martlet/models")
    archives.write(
        documents / "copyright",
        notices.copyright_file(tree / "usr", "usr/", builds.SYSTEM, models))
    archives.write(
        documents / "changelog.gz", archives.compress(changelog(version, epoch).encode()))
    overrides = builds.root / ".ci/packages/lintian-overrides"
    if overrides.exists():
        archives.write(share / "lintian/overrides/martlet", overrides.read_bytes())
    return tree


def package(version, epoch, folder):
    """Writes `martlet_VERSION_ARCHITECTURE.deb` and returns its path."""
    tree = stage(version, epoch)
    executables = [builds.staged(tree, name) for name in builds.products(builds.SYSTEM)]
    digests = {path: hashlib.md5(path.read_bytes()).hexdigest() for path in archives.files(tree)}
    sums = "".join(
        f"{digest}  {path.relative_to(tree)}\n" for path, digest in digests.items())
    text = control(version, tree, executables)
    archives.write(tree / "DEBIAN/control", text)
    archives.write(tree / "DEBIAN/md5sums", sums)
    archives.settle(tree, epoch)
    architecture = re.search(r"^Architecture: (.+)$", text, re.M)[1]
    path = folder / f"martlet_{version}_{architecture}.deb"
    # One thread: how xz cuts the data into blocks depends on the number of threads.
    environment = {
        **os.environ, "SOURCE_DATE_EPOCH": str(epoch), "DPKG_DEB_THREADS_MAX": "1"}
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, path], check=True,
        env=environment, stdout=subprocess.DEVNULL)
    return path

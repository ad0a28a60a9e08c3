# SPDX-License-Identifier: Apache-2.0
"""What is inside the packages besides the project's own code, and under which license."""

import functools
import json
import re
import shutil
import subprocess
import textwrap
import urllib.parse
from dataclasses import dataclass

from . import builds

SWIFT = "Apache-2.0 WITH Swift-exception"
PROJECT = "Martlet contributors"


@dataclass(frozen=True)
class Library:
    """A library, recognized in an executable by a symbol or by the file that is loaded."""

    name: str
    license: str
    holders: str
    source: str
    symbol: str
    file: str = ""
    package: str = ""


LIBRARIES = [
    Library("Swift standard library and runtime", SWIFT, "Apple Inc. and the Swift project authors",
            "https://github.com/swiftlang/swift", r"swift_retain"),
    Library("libdispatch", SWIFT, "Apple Inc. and the Swift project authors",
            "https://github.com/swiftlang/swift-corelibs-libdispatch", r"dispatch_async_f"),
    Library("Foundation", SWIFT, "Apple Inc. and the Swift project authors",
            "https://github.com/swiftlang/swift-corelibs-foundation",
            r"\$s(10Foundation|20FoundationEssentials)\w+"),
    Library("FoundationICU", "Unicode-3.0 AND Apache-2.0 WITH Swift-exception",
            "Unicode, Inc.; Apple Inc. and the Swift project authors",
            "https://github.com/swiftlang/swift-foundation-icu", r"(u_|ucol_|ubrk_)\w+"),
    Library("zlib", "Zlib", "Jean-loup Gailly and Mark Adler", "https://zlib.net",
            r"inflate", "libz.so", "zlib1g-dev"),
    Library("glibc", "LGPL-2.1-or-later", "Free Software Foundation, Inc.",
            "https://www.gnu.org/software/libc/", r"__libc_start_main", "libc.so", "libc6-dev"),
    Library("libstdc++ and libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1",
            "Free Software Foundation, Inc.", "https://gcc.gnu.org", r"__cxa_throw",
            "libstdc++.so", "libstdc++"),
    Library("libcurl", "curl", "Daniel Stenberg and many contributors", "https://curl.se",
            r"curl_easy_init", "libcurl.so"),
]


@functools.cache
def inside(variant):
    """The libraries in a variant's executables, by executable, and those that these load."""
    contained, loaded = {}, {}
    for product in builds.products(variant):
        executable = builds.unstripped(variant, product)
        symbols = builds.defined_symbols(executable)
        needed = builds.loaded_libraries(executable)
        contained[product] = [
            library for library in LIBRARIES
            if any(re.fullmatch(library.symbol, symbol) for symbol in symbols)]
        loaded[product] = [
            library for library in LIBRARIES
            if library.file and any(name.startswith(library.file) for name in needed)]
    return contained, loaded


@functools.cache
def swift_version():
    """The version of the toolchain, whose libraries are inside: `6.3.1`."""
    text = builds.output("swift", "--version", stderr=subprocess.DEVNULL)
    match = re.search(r"Swift version ([0-9.]+)", text)
    if not match:
        builds.fail(f"swift --version does not name a version: {text}", 70)
    return match[1]


@functools.cache
def origin(library):
    """The version of a library that is contained, and its package URL."""
    if not library.package:
        version = swift_version()
        repository = library.source.removeprefix("https://github.com/")
        return version, f"pkg:github/{repository}@swift-{version}-RELEASE"
    package = library.package
    if package == "libstdc++":
        archive = builds.output("gcc", "-print-file-name=libstdc++.a")
        owner = builds.output("dpkg", "-S", builds.output("realpath", archive))
        package = owner.split(":")[0]
    version = builds.output("dpkg-query", "--show", "--showformat=${Version}", package)
    return version, f"pkg:deb/debian/{package}@{urllib.parse.quote(version, safe='')}"


def models(martlet, folder):
    """The bundled models that are installed in a folder, with what their metadata say."""
    found = []
    for path in sorted(folder.rglob("*.tflite")):
        document = json.loads(builds.output(martlet, "metadata", "show", path, "--json"))
        metadata = document["metadata"] or {}
        if not metadata.get("license"):
            builds.fail(f"{path} does not name its license", 70)
        found.append((path, metadata))
    return found


def paragraph(**fields):
    """Fields with their values; a value that begins with a line break has further lines only."""
    text = "\n".join(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())
    return text.replace(": \n", ":\n")


def lines(text):
    """Text as the further lines of a field."""
    parts = [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]
    wrapped = [
        textwrap.wrap(part, 76, break_long_words=False, break_on_hyphens=False)
        for part in parts]
    return "\n .\n".join("\n".join(f" {line}" for line in part) for part in wrapped)


def training_data():
    """Where the card of the model of digits says that its images' shapes come from."""
    card = (builds.root / "Models/digits/MODEL.md").read_text()
    match = re.search(r"Handwritten Digits\* \((.+?), (\d{4}), (doi:\S+);\s+CC BY 4\.0;", card)
    if not match:
        builds.fail("Models/digits/MODEL.md does not name its data set and license", 70)
    return f"{match[2]} {match[1]}", match[3]


def license_text(name):
    """The text of a license, or where Debian has it; the project's is at the end of LICENSE."""
    if name != "Apache-2.0":
        path = builds.root / f".ci/packages/licenses/{name}.txt"
        if not path.exists():
            builds.fail(f"no {path}, which the copyright file needs", 66)
        return path.read_text()
    text = (builds.root / "LICENSE").read_text()
    return (text[text.index("Licensed under the Apache License, Version 2.0"):]
            + "\n\nOn Debian systems the license is in /usr/share/common-licenses/Apache-2.0.")


def short_names(expression):
    """The licenses of an SPDX expression, as the machine-readable copyright file writes them."""
    return [name.replace(" WITH ", "-with-") for name in expression.split(" AND ")]


def executable_paragraph(path, libraries):
    """What an executable is made of; the libraries have the version that was linked."""
    names = dict.fromkeys(
        ["Apache-2.0", *(name for library in libraries for name in short_names(library.license))])
    listed = "\n\n".join(
        f"{library.name} {origin(library)[0]}: {library.license}; {library.source}"
        for library in libraries)
    holders = dict.fromkeys(
        [PROJECT, *(name for library in libraries for name in library.holders.split("; "))])
    return [*names], paragraph(
        Files=path, Copyright="\n ".join(holders), License=" and ".join(names),
        Comment="\n" + lines(f"The executable contains these libraries:\n\n{listed}"))


def copyright_file(tree, top, variant, model_list):
    """The machine-readable copyright file of a tree of installed files (DEP-5).

    `top` is the path under which the package has the tree, such as `usr/`.
    """
    contained, _ = inside(variant)
    holders, reference = training_data()
    models = tree / "share/martlet/models"
    parts = [
        paragraph(
            Format="https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/",
            Upstream_Name="martlet",
            Source=f"the sources of Martlet at commit {builds.last_commit('%H')}"),
        paragraph(Files="*", Copyright=PROJECT, License="Apache-2.0"),
    ]
    used = {"Apache-2.0", "CC-BY-4.0"}
    for product, libraries in contained.items():
        path = builds.staged(tree, product)
        names, part = executable_paragraph(f"{top}{path.relative_to(tree)}", libraries)
        used |= {*names}
        parts.append(part)
    for path, metadata in model_list:
        used.add(metadata["license"])
        parts.append(paragraph(
            Files=f"{top}{path.relative_to(tree)}",
            Copyright=metadata.get("author") or PROJECT, License=metadata["license"]))
    parts.append(paragraph(
        Files=f"{top}{models.relative_to(tree)}/digits/samples/*",
        Copyright=f"{PROJECT}\n {holders}", License="Apache-2.0 and CC-BY-4.0",
        Comment="\n" + lines(
            "The images are drawn by Martlet's scripts. The shapes of the digits are those of the "
            f"data set Optical Recognition of Handwritten Digits, {reference}, CC BY 4.0.")))
    parts += [f"License: {name}\n{lines(license_text(name))}" for name in sorted(used)]
    return "\n\n".join(parts) + "\n"


def add_license_texts(folder, variant):
    """Puts the licenses beside the copyright file that ask for it, as Debian has them."""
    contained, _ = inside(variant)
    shutil.copyfile(builds.root / "LICENSE", folder / "Apache-2.0")
    names = {library.license for libraries in contained.values() for library in libraries}
    if "LGPL-2.1-or-later" in names:
        shutil.copyfile("/usr/share/common-licenses/LGPL-2.1", folder / "LGPL-2.1")

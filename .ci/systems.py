# SPDX-License-Identifier: Apache-2.0
"""Checks types of the targets without Foundation for systems whose Swift is not at hand.

The compiler for Linux also makes code for other systems; what it lacks are a standard library and the
system's headers. The headers come from the PyPI package ziglang, which has those of many systems;
Swift's own modules are made again, for the system, from the interfaces of the modules for Linux that
lie beside the compiler. So every use of a function, type or constant of the system's, and of what
only newer systems have, is checked as far as types go, with warnings as errors. Nothing is linked or
run, and nothing is said of targets that import Foundation.

Everything is made in .build/systems and kept there; needs the network for the headers, once.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from manifest import dependencies, description, folder, needed, root

work = root / ".build/systems"
compiler = shutil.which("swiftc") or sys.exit("error: no swiftc")
interfaces = Path(compiler).resolve().parent.parent / "lib/swift/linux"
# Where the PyPI package has headers.
wheel_headers = "ziglang/lib/libc/include/"


def run(*arguments):
    """Runs a command; its output if it fails."""
    result = subprocess.run(
        [str(argument) for argument in arguments], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True)
    return result.stdout if result.returncode != 0 else None


def make(what, *arguments):
    problem = run(*arguments)
    if problem is not None:
        sys.exit(f"error: cannot make {what}\n{problem}")


class System:
    """A system, with a folder of its headers and Swift modules."""

    # The module of the system's own functions.
    library = None

    def __init__(self, name, triple, module_triple):
        self.name = name
        self.triple = triple
        self.module_triple = module_triple
        self.sdk = work / name
        self.modules = self.sdk / "usr/lib/swift"
        self.flags = ["-target", triple, "-module-cache-path", work / "cache"]

    def copy_headers(self, folders, change=lambda text: text):
        """Copies the headers of some folders of the package; later ones replace earlier ones."""
        with zipfile.ZipFile(wheel()) as archive:
            for part in folders:
                prefix = f"{wheel_headers}{part}/"
                for name in archive.namelist():
                    if name.startswith(prefix) and not name.endswith("/"):
                        path = self.sdk / "usr/include" / name[len(prefix):]
                        path.parent.mkdir(parents=True, exist_ok=True)
                        path.write_text(change(archive.read(name).decode(errors="replace")))

    def write_module_map(self, name, headers):
        """A module of system headers, which have these names."""
        lines = [f'  header "{header}.h"' for header in headers.split()]
        (self.sdk / "usr/include/module.modulemap").write_text(
            f"module {name} [system] {{\n" + "\n".join(lines) + "\n  export *\n}\n")

    def place(self, module):
        path = self.modules / f"{module}.swiftmodule/{self.module_triple}.swiftmodule"
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def make_module(self, module, *flags, source=None, changes=()):
        """Makes a module from the interface of `source`, a module for Linux."""
        path = interfaces / f"{source or module}.swiftmodule"
        text = next(path.glob("*-linux-gnu.swiftinterface")).read_text()
        for pattern, replacement in [
            (r"-target \S+", f"-target {self.triple} {' '.join(flags)}"),
            # Those without a body cannot have the attribute.
            (r"^( *)@backDeployed\([^)]*\)", r"\1"),
            (r"\bimport Glibc$", f"import {self.library}"),
            *changes,
        ]:
            text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
        interface = work / f"{module}.swiftinterface"
        interface.write_text(text)
        make(
            f"the module {module}", compiler, "-frontend", "-compile-module-from-interface",
            interface, *self.flags, "-disable-objc-interop", "-module-name", module, *flags, "-o",
            self.place(module))

    def make_dispatch(self):
        """Makes the module Dispatch of what the sources use of it."""
        make(
            "the module Dispatch", compiler, "-frontend", "-emit-module", *self.flags,
            "-swift-version", "6", "-parse-as-library", "-module-name", "Dispatch",
            root / ".ci/systems.d/Dispatch.swift", "-o", self.place("Dispatch"))

    def prepare(self):
        """Makes headers and modules, if that was not done before."""
        complete = self.sdk / "complete"
        if not complete.exists():
            work.mkdir(parents=True, exist_ok=True)
            self.make()
            complete.touch()

    def check(self):
        """Checks all targets without Foundation; whether they have no problems."""
        self.prepare()
        package = description()
        products = [name for product in package["products"] for name in product["targets"]]
        targets = list(without_foundation(needed(package["targets"], products)))
        results = checked(self, targets, package["swiftLanguageVersions"][0])
        for name, _, problem in results:
            if problem is not None:
                print(f"{name}:\n{problem}")
        sound = [count for _, count, problem in results if problem is None]
        print(
            f"{self.triple}: {len(sound)} of {len(results)} targets, "
            f"{sum(sound)} files, compile as far as types go")
        return len(sound) == len(results)


def wheel():
    found = list(work.glob("ziglang-*.whl"))
    if not found:
        make(
            "a copy of ziglang", sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
            "--dest", work, "ziglang")
        found = list(work.glob("ziglang-*.whl"))
    return found[0]


def files(target, suffix):
    """The sources of a target, those in linked folders, too."""
    place = root / folder(target)
    chosen = target.get("sources")
    for parent, folders, names in os.walk(place, followlinks=True):
        inside = Path(parent).relative_to(place)
        folders[:] = [name for name in folders if str(inside / name) not in target["exclude"]]
        for name in names:
            path = str(inside / name)
            if name.endswith(suffix) and path not in target["exclude"]:
                if chosen is None or path in chosen:
                    yield place / path


def settings(target):
    """What the manifest has for the compiler, but for optimization."""
    for setting in target["settings"]:
        (kind, value), = setting["kind"].items()
        if kind == "define":
            yield f"-D{value['_0']}"
        elif kind in ("enableUpcomingFeature", "enableExperimentalFeature"):
            flag = re.sub(r"([A-Z])", r"-\1", kind).lower()
            yield from [f"-{flag}", value["_0"]]
        elif kind == "treatAllWarnings":
            yield "-warnings-as-errors"
        elif kind == "strictMemorySafety":
            yield "-strict-memory-safety"
        elif kind == "unsafeFlags" and "-disable-implicit-string-processing-module-import" in value["_0"]:
            yield from ["-Xfrontend", "-disable-implicit-string-processing-module-import"]


def c_module(target, place):
    """A module of a target's headers, if it is one of C."""
    include = root / folder(target) / "include"
    if include.is_dir():
        path = place / f"{target['name']}/module.modulemap"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'module {target["name"]} {{\n  umbrella "{include}"\n  export *\n}}\n')


def checked(system, targets, version):
    """Compiles targets that are in the order of their dependencies; those with problems, with these."""
    place = work / f"modules-{system.name}"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    libraries = [
        flag for target in targets if target["type"] == "system"
        for flag in ["-I", root / folder(target)]]
    jobs = []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for target in targets:
            name = target["name"]
            c_module(target, place)
            sources = sorted(files(target, ".swift"))
            if target["type"] == "system" or not sources:
                continue
            command = [
                compiler, *system.flags, "-Xfrontend", "-disable-objc-interop", *settings(target),
                "-swift-version", version, "-package-name", "martlet", "-wmo", "-module-name", name,
                "-I", place, *libraries]
            if all(source.name != "main.swift" for source in sources):
                command.append("-parse-as-library")
            jobs.append((name, len(sources), pool.submit(run, *command, "-typecheck", *sources)))
            run(
                *command, "-emit-module", "-emit-module-path", place / f"{name}.swiftmodule",
                "-Xfrontend", "-experimental-skip-non-inlinable-function-bodies",
                "-Xfrontend", "-experimental-allow-module-with-compiler-errors", *sources)
    return [(name, count, job.result()) for name, count, job in jobs]


def without_foundation(targets):
    """The products and what they depend on, without those that need Foundation."""
    found = set()
    for target in targets:
        sources = [path.read_text() for path in files(target, ".swift")]
        needs = any(re.search(r"^\s*(\w+ )?import Foundation", text, re.M) for text in sources)
        if not needs and all(name in found for name in dependencies(target)):
            found.add(target["name"])
            yield target

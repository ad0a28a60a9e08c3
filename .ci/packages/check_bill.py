# SPDX-License-Identifier: Apache-2.0
"""The check of the bill of materials."""

import io
import json
import subprocess
import sys
import tarfile
from pathlib import Path

from . import archives, checks
from .checks import expect

VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
problem = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
sys.exit(None if problem is None else str(problem).splitlines()[0])
"""


def validator():
    """A Python that has the official schema, installed beside the project."""
    folder = checks.scratch / "cyclonedx"
    python = folder / "bin/python"
    if not python.exists():
        for command in (
            [sys.executable, "-m", "venv", folder],
            [python, "-m", "pip", "install", "--quiet", "cyclonedx-python-lib[validation]"],
        ):
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode:
                subprocess.run(["rm", "-rf", folder], check=True)
                raise checks.Skipped(
                    f"no cyclonedx-python-lib: {(result.stderr or result.stdout).strip()[-300:]}")
    return python


def bill(published):
    path = published.one("martlet-*.cdx.json")
    document = json.loads(path.read_text())
    verify_digests(document, published)
    references = [document["metadata"]["component"]["bom-ref"]]
    references += [component["bom-ref"] for component in document["components"]]
    expect(len(references) == len({*references}), "two components have one reference")
    graph = {entry["ref"]: entry["dependsOn"] for entry in document["dependencies"]}
    expect({*graph} == {*references}, "the graph does not have every component once")
    for name, needed in graph.items():
        unknown = {*needed} - {*references}
        expect(not unknown, f"{name} depends on {unknown}, which no component is")
    checks.run(validator(), "-c", VALIDATE, path)


def contents(archive, top=""):
    """The digests of the files in an archive, by their paths below its top folder."""
    return {
        entry.name.removeprefix(top): archives.sha256(archive.extractfile(entry).read())
        for entry in archive if entry.isfile()}


def verify_digests(document, published):
    """Checks every digest against the files, and that no package and no model is missing."""
    path = published.one("martlet-*-static.tar.gz")
    with tarfile.open(path) as archive:
        static = contents(archive, path.name.removesuffix(".tar.gz") + "/")
    unpacked = subprocess.run(
        ["dpkg-deb", "--fsys-tarfile", published.one("martlet_*.deb")], check=True,
        stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(unpacked)) as archive:
        system = contents(archive, "./")
    wanted = {
        file.name: archives.sha256(file.read_bytes()) for file in published.folder.iterdir()
        if file.is_file() and file.suffix in (".deb", ".gz", ".tar")}
    wanted |= {
        name.split("/models/")[1]: digest for name, digest in static.items()
        if name.endswith(".tflite")}
    for variant, files in (("static", static), ("system", system)):
        wanted |= {
            f"{name} ({variant})": digest for name, digest in files.items()
            if Path(name).name in ("martlet", "martlet-fetch") and "completions" not in name}
    stated = {
        component["name"]: component["hashes"][0]["content"]
        for component in document["components"] if component.get("hashes")}
    for name in sorted({*wanted, *stated}):
        expect(wanted.get(name) == stated.get(name), f"{name} has another digest in the bill")

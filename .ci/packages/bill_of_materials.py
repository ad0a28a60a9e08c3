# SPDX-License-Identifier: Apache-2.0
"""The bill of materials, CycloneDX 1.6."""

import json
import uuid
from datetime import datetime, timezone

from . import archives, builds, notices

# Of libraries that are loaded, the system's package manager knows the version.
LOADED = "loaded from the system"
CONTAINED = "contained"


def hashes(path):
    return [{"alg": "SHA-256", "content": archives.sha256(path.read_bytes())}]


def license_of(name):
    """An SPDX identifier or an expression of several."""
    if " " in name:
        return [{"expression": name}]
    return [{"license": {"id": name}}]


def properties(**values):
    return [
        {"name": f"martlet:{name.replace('_', '-')}", "value": str(value)}
        for name, value in values.items()]


class Bill:
    """Components and what depends on what, as they are added."""

    def __init__(self):
        self.components = []
        self.graph = {}

    def add(self, component, *needed):
        """Adds a component unless it is there, and what it needs; returns its reference."""
        reference = component["bom-ref"]
        if reference not in self.graph:
            self.components.append(component)
            self.graph[reference] = set()
        self.graph[reference] |= set(needed)
        return reference

    def library(self, library, linkage):
        known = {}
        reference = f"library:{library.name}"
        if linkage == CONTAINED:
            version, url = notices.origin(library)
            known = {"version": version, "purl": url}
            reference += f"@{version}"
        return self.add({
            "type": "library", "bom-ref": reference, "name": library.name, **known,
            "licenses": license_of(library.license), "copyright": f"© {library.holders}",
            "externalReferences": [{"type": "website", "url": library.source}],
            "properties": properties(linkage=linkage),
        })

    def target(self, target, version):
        """A module of the package, whose dependencies are references of the same kind."""
        needed = [f"target:{name}" for name in target.get("target_dependencies", [])]
        return self.add({
            "type": "library", "bom-ref": f"target:{target['name']}", "name": target["name"],
            "version": version, "licenses": license_of("Apache-2.0"),
            "properties": properties(folder=target["path"], sources=len(target["sources"])),
        }, *needed)

    def model(self, path, name, metadata):
        stated = {
            key: metadata[key] for key in ("version", "description") if metadata.get(key)}
        stated["authors"] = [{"name": metadata.get("author") or notices.PROJECT}]
        return self.add({
            "type": "machine-learning-model", "bom-ref": f"model:{name}", "name": name, **stated,
            "hashes": hashes(path), "licenses": license_of(metadata["license"]),
            "properties": properties(bytes=path.stat().st_size),
        })

    def file(self, path, name, kind, *needed):
        return self.add({
            "type": kind, "bom-ref": f"file:{name}", "name": name, "hashes": hashes(path),
            "properties": properties(bytes=path.stat().st_size),
        }, *needed)


def targets(bill, product, version):
    """The modules that an executable is built from; returns the reference of its own."""
    described = builds.description()
    own = next(item["targets"] for item in described["products"] if item["name"] == product)
    for target in described["targets"]:
        # zlib is a library that is contained or loaded, not a module of the project.
        if product in target.get("product_memberships", []) and target["type"] != "system-target":
            bill.target(target, version)
    return [f"target:{name}" for name in own]


def executables(bill, variant, tree, version):
    """The executables of one variant, with their modules and libraries; returns references."""
    contained, loaded = notices.inside(variant)
    references = []
    for product in contained:
        path = builds.staged(tree, product)
        needed = targets(bill, product, version)
        needed += [bill.library(library, CONTAINED) for library in contained[product]]
        needed += [bill.library(library, LOADED) for library in loaded[product]]
        name = f"{path.relative_to(tree)} ({variant})"
        references.append(bill.file(path, name, "file", *needed))
    return references


def document(version, epoch, synopsis, trees, artifacts):
    """The bill of materials as text.

    `trees` has the installed files of each variant, `artifacts` a list of a path, its component
    type and its variant.
    """
    bill = Bill()
    static = trees[builds.STATIC]
    share = static / "share/martlet/models"
    models = [
        bill.model(path, path.relative_to(share).as_posix(), metadata)
        for path, metadata in notices.models(static / "bin/martlet", share)]
    built = {
        variant: executables(bill, variant, tree, version) for variant, tree in trees.items()}
    published = [
        bill.file(path, path.name, kind, *built[variant], *models)
        for path, kind, variant in artifacts]
    known = bill.graph.keys()
    own = f"martlet@{version}"
    graph = {own: set(published), **bill.graph}
    components = sorted(bill.components, key=lambda component: component["bom-ref"])
    content = {
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application", "bom-ref": own, "name": "martlet", "version": version,
                "description": synopsis, "licenses": license_of("Apache-2.0"),
                "properties": properties(commit=builds.last_commit("%H")),
            },
        },
        "components": components,
        "dependencies": [
            {"ref": name, "dependsOn": sorted(needed & {*known})}
            for name, needed in sorted(graph.items())],
    }
    # The number follows from the content, so that the same packages have the same one.
    digest = archives.sha256(json.dumps(content, sort_keys=True).encode())
    return json.dumps({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX",
        "specVersion": "1.6", "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        "version": 1, **content,
    }, indent=2, ensure_ascii=False) + "\n"

# SPDX-License-Identifier: Apache-2.0
"""The container image: an OCI layout that also is an archive for `docker load`."""

import json
import shutil
from datetime import datetime, timezone

from . import archives, builds

OCI = "application/vnd.oci.image"
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}


class Layout:
    """A folder of the form of an OCI layout that is being written."""

    def __init__(self, folder):
        shutil.rmtree(folder, ignore_errors=True)
        self.folder = folder
        self.write("oci-layout", {"imageLayoutVersion": "1.0.0"})

    def write(self, name, document):
        archives.write(self.folder / name, encode(document))

    def add(self, data, kind):
        """Writes a blob and returns its descriptor."""
        digest = archives.sha256(data)
        archives.write(self.folder / "blobs/sha256" / digest, data)
        return {"mediaType": f"{OCI}.{kind}", "digest": f"sha256:{digest}", "size": len(data)}


def encode(document):
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def path_of(descriptor):
    return "blobs/" + descriptor["digest"].replace(":", "/")


def stage(source):
    """The root of the image: what the static archive holds but for manuals and completions."""
    tree = builds.scratch / "image"
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source / "bin", tree / "usr/bin")
    for part in ("share/martlet", "share/doc"):
        shutil.copytree(source / part, tree / "usr" / part)
    for folder in ("tmp", "work"):
        (tree / folder).mkdir()
    return tree


def write(version, epoch, synopsis, source, folder):
    """Writes the layout and its archive from the tree of the static archive; returns both."""
    tree = stage(source)
    archives.settle(tree, epoch)
    # Whoever the container runs as may write there.
    for name in ("tmp", "work"):
        (tree / name).chmod(0o1777)
    created = datetime.fromtimestamp(epoch, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    name = builds.platform()
    labels = {
        f"org.opencontainers.image.{key}": value
        for key, value in {
            "title": "martlet", "description": synopsis, "version": version, "created": created,
            "licenses": "Apache-2.0", "revision": builds.last_commit("%H"),
        }.items()
    }
    layout = Layout(folder / f"martlet-{version}-oci")
    contents = archives.tar(tree, epoch)
    layer = layout.add(archives.compress(contents), "layer.v1.tar+gzip")
    config = layout.add(encode({
        "created": created, "architecture": ARCHITECTURES.get(name, name), "os": "linux",
        "config": {
            "Entrypoint": ["/usr/bin/martlet"], "WorkingDir": "/work",
            "Env": ["PATH=/usr/bin"], "Labels": labels,
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{archives.sha256(contents)}"]},
        "history": [{"created": created, "created_by": ".ci/package"}],
    }), "config.v1+json")
    manifest = layout.add(encode({
        "schemaVersion": 2, "mediaType": f"{OCI}.manifest.v1+json", "config": config,
        "layers": [layer], "annotations": labels,
    }), "manifest.v1+json")
    # For `docker load`, the name in full; for `skopeo copy oci:FOLDER:VERSION`, the reference.
    manifest["annotations"] = {
        "io.containerd.image.name": f"docker.io/library/martlet:{version}",
        "org.opencontainers.image.ref.name": version,
    }
    layout.write("index.json", {
        "schemaVersion": 2, "mediaType": f"{OCI}.index.v1+json", "manifests": [manifest]})
    layout.write("manifest.json", [{
        "Config": path_of(config), "RepoTags": [f"martlet:{version}"],
        "Layers": [path_of(layer)]}])
    archives.settle(layout.folder, epoch)
    path = folder / f"martlet-{version}-oci.tar"
    archives.write(path, archives.tar(layout.folder, epoch))
    return layout.folder, path

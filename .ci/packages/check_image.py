# SPDX-License-Identifier: Apache-2.0
"""The check of the container image."""

import gzip
import json
import shutil
import subprocess
import tarfile

from . import archives, checks
from .checks import expect, run


def verify_blobs(layout):
    """Checks names, sizes and digests of all blobs and returns the configuration."""
    for path in archives.files(layout / "blobs/sha256"):
        expect(archives.sha256(path.read_bytes()) == path.name, f"{path} has another digest")

    def read(descriptor):
        path = layout / "blobs" / descriptor["digest"].replace(":", "/")
        expect(path.is_file(), f"{path} is missing")
        expect(path.stat().st_size == descriptor["size"], f"{path} has another size")
        return path.read_bytes()

    version = json.loads((layout / "oci-layout").read_text())["imageLayoutVersion"]
    expect(version == "1.0.0", f"oci-layout is of version {version}")
    [entry] = json.loads((layout / "index.json").read_text())["manifests"]
    manifest = json.loads(read(entry))
    config = json.loads(read(manifest["config"]))
    layers = [gzip.decompress(read(layer)) for layer in manifest["layers"]]
    digests = [f"sha256:{archives.sha256(layer)}" for layer in layers]
    expect(config["rootfs"]["diff_ids"] == digests, "diff_ids are not those of the layers")
    return config


def verify_labels(config, published):
    labels = config["config"]["Labels"]
    for name in ("title", "description", "version", "licenses", "created", "revision"):
        expect(labels.get(f"org.opencontainers.image.{name}"), f"no label for {name}")
    version = labels["org.opencontainers.image.version"]
    expect(version == published.version, f"the label for version is {version}")


def unpack(layout, reference):
    """The root of an image as umoci unpacks it."""
    bundle = checks.scratch / "bundle"
    shutil.rmtree(bundle, ignore_errors=True)
    run("umoci", "unpack", "--rootless", "--image", f"{layout}:{reference}", bundle)
    return bundle / "rootfs"


def load_with_docker(path, version):
    """Loads and runs the image where a daemon answers; says so where none does."""
    name = f"martlet:{version}"
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "info"], capture_output=True).returncode:
        print("   image: no Docker daemon answers; `docker load` was not tried")
        return
    run(docker, "load", "--input", path)
    try:
        answer = json.loads(run(docker, "run", "--rm", "--network=none", name, "label", "--json"))
        expect(len(answer["images"]) == 10, "the container did not label ten images")
    finally:
        run(docker, "image", "rm", name)


def image(published):
    checks.need("skopeo", "skopeo")
    checks.need("umoci", "umoci")
    version = published.version
    layout = published.folder / f"martlet-{version}-oci"
    path = published.one("martlet-*-oci.tar")
    config = verify_blobs(layout)
    verify_labels(config, published)
    with tarfile.open(path) as content:
        names = {f"{layout.name}/{name}" for name in content.getnames()}
    wanted = {
        str(file.relative_to(published.folder)) for file in layout.rglob("*")}
    expect(names == wanted, f"{path.name} does not hold what {layout.name} holds")

    skopeo = ["skopeo", "--insecure-policy"]
    inspected = json.loads(run(*skopeo, "inspect", f"oci:{layout}:{version}"))
    expect(inspected["Labels"] == config["config"]["Labels"], "skopeo reads other labels")
    folder = checks.empty("image")
    sources = {
        "layout": f"oci:{layout}:{version}", "archive": f"oci-archive:{path}:{version}",
        "docker": f"docker-archive:{path}:martlet:{version}",
    }
    for name, source in sources.items():
        run(*skopeo, "copy", source, f"oci:{folder / name}:{version}")
        tree = unpack(folder / name, version)
        [entry_point] = config["config"]["Entrypoint"]
        checks.works(tree, entry_point, version)
    load_with_docker(path, version)

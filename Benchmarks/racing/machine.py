# SPDX-License-Identifier: Apache-2.0
"""What a reader of the figures has to know: the machine, the versions, the command."""

import importlib.metadata
import os
import platform
import shlex
import subprocess
import sys

from racing import held

PACKAGES = (
    "ai-edge-litert", "openvino", "onnxruntime", "tract", "tensorflow-cpu", "keras", "tf2onnx",
    "numpy", "mediapipe", "opencv-contrib-python",
)
EXTENSIONS = ("avx2", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8")


def fields():
    """What Linux says about the first processor."""
    found = {}
    with open("/proc/cpuinfo") as lines:
        for line in lines:
            name, _, value = line.partition(":")
            found.setdefault(name.strip(), value.strip())
    return found


def flags():
    """The processor's extensions."""
    return fields().get("flags", "").split()


def instruction_set():
    """The best of Martlet's levels that the processor has, by the name that results go by."""
    level = os.environ.get("MARTLET_ISA")
    if level:
        return level
    found = flags()
    if "avx512_vnni" in found:
        return "v4-amx" if "amx_int8" in found else "v4"
    if "avx2" not in found:
        return "baseline"
    return "v3-vnni" if "avx_vnni" in found else "v3"


def first_line(command, folder=None):
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    except OSError:
        return "?"
    lines = (done.stdout or done.stderr).strip().splitlines()
    return lines[0] if lines else "?"


def processor():
    """The processor's name and those of its extensions that decide about speed."""
    extensions = ", ".join(name for name in EXTENSIONS if name in flags())
    name = fields().get("model name", platform.machine())
    level = held.level()
    seen = f", of which everyone sees {level.features} and no more" if level else ""
    return f"{name}, {os.cpu_count()} cores ({extensions or 'no known extensions'}{seen})"


def versions():
    for name in PACKAGES:
        try:
            yield f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue


def facts(martlet):
    """Names and values, to be printed in this order."""
    here = os.path.dirname(os.path.abspath(__file__))
    arguments = [os.path.basename(word) if os.path.isabs(word) else word for word in sys.argv]
    commit = first_line(["git", "describe", "--always", "--dirty", "--abbrev=10"], here)
    return {
        "Machine": processor(),
        "System": f"Linux {platform.release()}, Python {platform.python_version()}",
        "Load before the race": f"{os.getloadavg()[0]:.2f} processes in the last minute",
        "Martlet": f"{first_line([martlet, '--version'])}, commit {commit}",
        "Compiler": first_line(["swift", "--version"]),
        "Packages": ", ".join(versions()),
        "Command": "`python " + " ".join(shlex.quote(word) for word in arguments) + "`",
    }

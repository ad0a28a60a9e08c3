# SPDX-License-Identifier: Apache-2.0
"""What Package.swift says of its targets, for scripts that compile some of them."""

import json
import subprocess
from pathlib import Path

root = Path(__file__).resolve().parent.parent


def description():
    """The whole manifest, as `swift package dump-package` has it, with the targets by name."""
    dump = subprocess.run(
        ["swift", "package", "dump-package"], cwd=root, stdout=subprocess.PIPE, check=True)
    found = json.loads(dump.stdout)
    found["targets"] = {target["name"]: target for target in found["targets"]}
    return found


def dependencies(target):
    return [next(iter(kind.values()))[0] for kind in target["dependencies"]]


def folder(target):
    """Where its sources lie, relative to the root."""
    parent = "Tests" if target["type"] == "test" else "Sources"
    return target.get("path") or f"{parent}/{target['name']}"


def needed(targets, names):
    """The targets of these names and all that they depend on, each after what it depends on."""
    done, waiting = {}, [(name, False) for name in names]
    while waiting:
        name, ready = waiting.pop()
        if ready:
            done[name] = targets[name]
        elif name not in done:
            waiting.append((name, True))
            waiting += [(other, False) for other in dependencies(targets[name])]
    return list(done.values())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Asks other runtimes what the task models say, and writes their answers and times.

    peers.py FOLDER OUTPUT.json [--images FOLDER]

FOLDER is what fetch_models.py filled. Two peers answer, each where its packages are installed:
MediaPipe Tasks (`mediapipe`, peers_mediapipe.py), and LiteRT with pre- and post-processing of
this folder's own in NumPy (`ai-edge-litert`, `numpy`, `pillow`, peers_litert.py). Answers of a
peer that is absent now stay in OUTPUT.json as they are, so that the script can be run once in
each of two environments. The process keeps to one core; times are medians of five calls.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
from pathlib import Path
from typing import Any

PEERS = {"mediapipe": "peers_mediapipe", "ai-edge-litert": "peers_litert"}


def load(path: Path) -> list[dict[str, Any]]:
    """The answers that an earlier run wrote."""
    if not path.exists():
        return []
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["answers"]
    return found


def main() -> int:
    """Runs every peer that can be imported and writes the merged answers."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, help="models and inputs")
    parser.add_argument("output", type=Path, help="JSON file with the answers")
    parser.add_argument("--images", type=Path, help="folder of further pictures (*.png)")
    options = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    records = load(options.output)
    ran = 0
    for name, module in PEERS.items():
        try:
            peer = importlib.import_module(module)
        except ModuleNotFoundError as error:
            print(f"{name} is not here: {error}")
            continue
        fresh = list(peer.answers(options.folder, options.images))
        records = [item for item in records if not item["peer"].startswith(name)] + fresh
        failed = [item for item in fresh if "error" in item]
        print(f"{name}: {len(fresh) - len(failed)} answers, {len(failed)} errors")
        for item in failed:
            what = [item.get("model", item["task"]), item.get("input", "")]
            print(" ", *what, item["error"])
        ran += 1
    lines = ",\n".join(json.dumps(item, ensure_ascii=False) for item in records)
    options.output.write_text('{"answers": [\n' + lines + "\n]}\n", encoding="utf-8")
    return 0 if ran else 1


if __name__ == "__main__":
    raise SystemExit(main())

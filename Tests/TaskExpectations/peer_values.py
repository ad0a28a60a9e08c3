#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0

"""Writes what a library of today answers where it no longer gives the published value.

    peer_values.py PROGRAM FOLDER

FOLDER is what fetch_models.py filled, with stb_image.h. The answers go into expectations.json,
as "peer" of an expectation, with the library and its version. Both libraries get the pixels of
stb_image, by which MediaPipe decodes JPEG. `mediapipe`, `ai-edge-litert`, `numpy` and `pillow`
are needed.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import mediapipe
import numpy
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from mediapipe.tasks.python import BaseOptions, vision
from PIL import Image

from check import Checker, Expectation, filters, here


def detections(checker: Checker, expectation: Expectation) -> list[dict[str, Any]]:
    """The boxes that LiteRT's reference kernels make of the tensor that Martlet makes."""
    [file] = checker.files(expectation)
    model = str(checker.folder / expectation["model"]["file"])
    resizing = filters[expectation["source"]["repository"]]
    folder = checker.scratch / "tensor"
    subprocess.run(
        [checker.program, "preprocess", model, file, "--filter", resizing, "--output-dir",
         str(folder)], check=True, capture_output=True)
    interpreter = Interpreter(
        model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    interpreter.allocate_tensors()
    [given] = interpreter.get_input_details()
    tensor = numpy.load(folder / "input_0.npy").astype(given["dtype"])
    interpreter.set_tensor(given["index"], tensor.reshape(given["shape"]))
    interpreter.invoke()
    boxes, _, scores, _ = (
        interpreter.get_tensor(each["index"])[0] for each in interpreter.get_output_details())
    width, height = Image.open(file).size
    values = []
    for box, score in list(zip(boxes, scores))[: len(expectation["values"])]:
        top, left, bottom, right = (
            box.astype(float) * [height, width, height, width]).tolist()
        sides = [left, top, right - left, bottom - top]
        values.append({"score": float(score), "box": [int(side) for side in sides]})
    return values


def handedness(checker: Checker, expectation: Expectation) -> list[dict[str, Any]]:
    """What MediaPipe calls the first hand."""
    options = vision.HandLandmarkerOptions(
        base_options=BaseOptions(str(checker.folder / expectation["model"]["file"])))
    with vision.HandLandmarker.create_from_options(options) as landmarker:
        side = landmarker.detect(image(checker, expectation)).handedness[0][0]
    return [{"index": None, "name": side.category_name, "score": round(side.score, 6)}]


def pose(checker: Checker, expectation: Expectation) -> list[list[float]]:
    """The points of the first body that MediaPipe finds."""
    options = vision.PoseLandmarkerOptions(
        base_options=BaseOptions(str(checker.folder / expectation["model"]["file"])))
    with vision.PoseLandmarker.create_from_options(options) as landmarker:
        points = landmarker.detect(image(checker, expectation)).pose_landmarks[0]
    return [[round(value, 6) for value in (point.x, point.y, point.z)] for point in points]


def image(checker: Checker, expectation: Expectation) -> mediapipe.Image:
    [file] = checker.files(expectation)
    return mediapipe.Image.create_from_file(file)


peers = {
    "object-detector-mediapipe-ssd": ("ai-edge-litert", "LiteRT", detections),
    "hand-landmarker-samples-android": ("mediapipe", "MediaPipe", handedness),
    "pose-landmarker-samples-lite": ("mediapipe", "MediaPipe", pose),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    path = here / "expectations.json"
    document = json.loads(path.read_text())
    with tempfile.TemporaryDirectory() as scratch:
        checker = Checker(arguments.program, arguments.folder, Path(scratch))
        if checker.decoder is None:
            sys.exit(f"no pixels of stb_image: {checker.decoder_problem}")
        for each in document["expectations"]:
            if each["id"] not in peers:
                continue
            package, name, ask = peers[each["id"]]
            each["peer"] = {
                "name": f"{name} {version(package)}", "values": ask(checker, each)}
    lines = ",\n".join(
        json.dumps(each, ensure_ascii=False) for each in document["expectations"])
    description = json.dumps(document["description"], ensure_ascii=False)
    path.write_text(
        f'{{\n"description": {description},\n"expectations": [\n{lines}\n]\n}}\n')
    return 0


if __name__ == "__main__":
    sys.exit(main())

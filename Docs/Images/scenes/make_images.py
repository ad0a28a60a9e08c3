#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of Docs/Tasks.md again: renders the scenes, and has `martlet` mark them.

    python3 Docs/Images/scenes/make_images.py .build/release/martlet FOLDER

FOLDER holds the models, as Tests/TaskExpectations/fetch_models.py brings them. Needs NumPy and
Pillow. The same versions give the same bytes; all scenes take about five minutes of one processor.
With --marks, the scenes stay as they are, and only what martlet draws is made again.
"""

import argparse
import os
import subprocess
import tempfile

import numpy as np
from PIL import Image

import render
import scenes

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
#: Each scene with its size in pixels.
SCENES = {
    "portrait": (scenes.portrait, 400, 400),
    "hands": (scenes.hands, 540, 304),
    "standing": (scenes.standing, 320, 384),
    "table": (scenes.table, 380, 380),
}
#: What is asked about a scene: the new picture, the scene, the command and the model.
QUESTIONS = (
    ("portrait-mesh", "portrait", "faces", "face_landmarker_released.task"),
    ("hands-gestures", "hands", "hands --max 3", "gesture_recognizer.task"),
    ("standing-pose", "standing", "pose", "pose_landmarker_full.task"),
    ("standing-movenet", "standing", "pose", "movenet_single_pose_lightning_ptq.tflite"),
    ("table-segments", "table", "segment", "deeplabv3.tflite"),
    ("table-boxes", "table", "detect --threshold 0.6",
     "coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"),
    ("table-depth", "table", "transform --depth --keep-size", "fast_depth_224_int8.tflite"),
)


def store(pixels, name):
    """Writes a picture with 256 colors, which are enough for it and take a third of the bytes."""
    image = Image.fromarray(pixels).convert("RGB")
    image = image.quantize(256, Image.Quantize.MEDIANCUT, kmeans=4)
    path = os.path.join(FOLDER, f"{name}.png")
    image.save(path, optimize=True)
    print(f"{name}.png: {image.width} x {image.height}, {os.path.getsize(path)} bytes", flush=True)


def mark(martlet, models, question):
    """Asks about a scene, prints the answer, and stores the scene with what was found drawn in."""
    name, scene, command, model = question
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "marked.png")
        words = command.split()
        option = "--output" if words[0] == "transform" else "--annotate"
        scene = os.path.join(FOLDER, f"{scene}.png")
        answer = subprocess.run(
            [martlet, *words, os.path.join(models, model), scene, option, target],
            capture_output=True, text=True, check=True)
        print(answer.stdout, end="")
        store(np.asarray(Image.open(target).convert("RGB")), name)


def main():
    parser = argparse.ArgumentParser(description="Makes the pictures of Docs/Tasks.md.")
    parser.add_argument("martlet", help="the martlet binary")
    parser.add_argument("models", help="the folder of the models")
    parser.add_argument("--only", metavar="SCENE", choices=SCENES, help="one scene")
    parser.add_argument("--marks", action="store_true", help="keep the scenes as they are")
    options = parser.parse_args()
    chosen = [options.only] if options.only else list(SCENES)
    for name in () if options.marks else chosen:
        store(render.picture(*SCENES[name]), name)
    for question in QUESTIONS:
        if question[1] in chosen:
            mark(options.martlet, options.models, question)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Quantizes the trained network and writes the model, samples, goldens and measurements.

    python3 export.py CACHE [--photographs FOLDER --reference MODEL]

The optional part compares the model with another localizer on photographs.
"""

import argparse
import hashlib
import json
import os
import shutil
from importlib.metadata import version

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

import evaluate
import network
import pool
import postprocess
import scenes

HERE = os.path.dirname(os.path.abspath(__file__))
MODEL = os.path.join(HERE, "localizer.tflite")
VERSION = "1"
THRESHOLD = 0.4
EXAMPLES = 400
# Which of forty scenes become samples; the first two of them are goldens, too.
SAMPLES = (9, 28, 14, 18)
DESCRIPTION = (
    "Finds objects of any kind: boxes and scores without names. Trained on procedurally composed "
    "scenes; see MODEL.md."
)


def converted(model, images):
    """The network as int8 between a uint8 image and float boxes and scores."""
    for pixels, _ in network.LEVELS:
        layer = model.get_layer(f"box_{pixels}")
        layer.set_weights([weight * np.array(postprocess.SCALES) for weight in layer.get_weights()])
    shape = (1, scenes.SIZE, scenes.SIZE, 3)

    @tf.function(input_signature=[tf.TensorSpec(shape, tf.float32)])
    def answer(pixels):
        boxes, logits = model(pixels, training=False)
        return boxes, tf.sigmoid(logits)

    function = convert_variables_to_constants_v2(answer.get_concrete_function())
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function])
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([p[None] / np.float32(255)] for p in images)
    converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    converter.inference_input_type = tf.uint8
    return converter.convert()


class Runner:
    """A detector in the real runtime."""

    def __init__(self, path, reference=False):
        kernels = "BUILTIN_REF" if reference else "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
        self.interpreter = Interpreter(
            path, experimental_op_resolver_type=OpResolverType[kernels], num_threads=1
        )
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]["index"]
        self.outputs = [row["index"] for row in self.interpreter.get_output_details()]

    def run(self, pixels):
        """All outputs for an image of the network's size."""
        self.interpreter.set_tensor(self.input, pixels[None])
        self.interpreter.invoke()
        return [self.interpreter.get_tensor(index).copy() for index in self.outputs]

    def detections(self, pixels):
        boxes, _, scores, count = self.run(pixels)
        count = int(count[0])
        return boxes[0, :count], scores[0, :count]


def reduced(image):
    """A photograph as the network's input."""
    return np.asarray(image.resize((scenes.SIZE, scenes.SIZE), Image.BILINEAR))


def compared(runner, folder, reference):
    """Recall against another localizer's boxes, image by image and in all.

    `middle` is what one fixed box over the middle of each image would find.
    """
    other = Runner(reference)
    middle = np.array([[0.1, 0.1, 0.9, 0.9]]), np.ones(1)
    total = {least: 0 for least in (0.2, 0.3, 0.4, 0.5)}
    boxes, fixed, mine, rows = 0, 0, {least: 0 for least in total}, []
    for name, image in evaluate.photographs(folder):
        pixels = reduced(image)
        found, wanted = runner.detections(pixels), other.detections(pixels)
        hits = [evaluate.agreement(found, wanted, least) for least in total]
        for least, (hit, _) in zip(total, hits):
            total[least] += hit
            mine[least] += int((found[1] >= least).sum())
        boxes += hits[0][1]
        fixed += evaluate.agreement(middle, wanted, 0)[0]
        rows.append((name, hits[0][1], hits[0][0], hits[2][0], int((found[1] >= 0.4).sum())))
    return {"boxes": boxes, "hits": total, "mine": mine, "middle": fixed, "rows": rows}


def write_goldens(images):
    """Input and output tensors of scenes, from the reference kernels."""
    runner = Runner(MODEL, reference=True)
    root = os.path.join(HERE, "goldens")
    shutil.rmtree(root, ignore_errors=True)
    for index, pixels in enumerate(images):
        folder = os.path.join(root, f"scene_{index}")
        os.makedirs(folder)
        np.save(os.path.join(folder, "in_0.npy"), pixels[None])
        for position, output in enumerate(runner.run(pixels)):
            np.save(os.path.join(folder, f"out_{position}.npy"), output)
        facts = {
            "model": "../../localizer.tflite",
            "engine": "ai-edge-litert",
            "version": version("ai-edge-litert"),
            "kernels": "BUILTIN_REF",
            "rounding": "double",
            "tolerance": {},
        }
        with open(os.path.join(folder, "case.json"), "w") as stream:
            stream.write(json.dumps(facts, indent=1) + "\n")


def write_samples():
    """Writes scenes that need no outside image; returns them."""
    images, _ = scenes.composed(77, scenes.Stock(4242, 60, 30), 40)
    os.makedirs(os.path.join(HERE, "samples"), exist_ok=True)
    for index, number in enumerate(SAMPLES):
        path = os.path.join(HERE, "samples", f"scene_{index}.png")
        Image.fromarray(images[number]).save(path, optimize=True)
    return images[list(SAMPLES)]


def averaged(paths):
    """The network with the mean of the weights in some files of one training."""
    model, sums = network.network(), None
    for path in paths:
        model.load_weights(path)
        weights = model.get_weights()
        sums = weights if sums is None else [a + b for a, b in zip(sums, weights)]
    model.set_weights([weight / len(paths) for weight in sums])
    return model


def main(cache, paths, folder, reference, scenes_measured):
    model = averaged(paths or [os.path.join(cache, "localizer.weights.h5")])
    images, wanted = (part[:scenes_measured] for part in pool.read(cache, "t"))
    print("float", evaluate.note(model, images, wanted), flush=True)
    examples = pool.read(cache, pool.names(cache)[0])[0][:EXAMPLES]
    content = postprocess.attach(
        converted(model, examples), network.anchors(), DESCRIPTION, VERSION, scenes.SIZE, THRESHOLD
    )
    with open(MODEL, "wb") as stream:
        stream.write(content)
    print(hashlib.sha256(content).hexdigest(), len(content), "bytes")
    write_goldens(write_samples()[:2])
    runner = Runner(MODEL)
    found = [runner.detections(pixels) for pixels in images]
    print("int8 AP50 %.3f AP %.3f" % evaluate.precisions(found, wanted))
    if folder:
        result = compared(runner, folder, reference)
        for row in result.pop("rows"):
            print("%-36s reference %d, found %d, from 0.4 %d of %d" % row)
        print(result)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache")
    parser.add_argument("--weights", nargs="*", help="instead of those in CACHE: their mean")
    parser.add_argument("--photographs")
    parser.add_argument("--reference")
    parser.add_argument("--scenes", type=int, default=1000)
    arguments = parser.parse_args()
    main(
        arguments.cache,
        arguments.weights,
        arguments.photographs,
        arguments.reference,
        arguments.scenes,
    )

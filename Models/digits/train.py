#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the bundled classifier of handwritten digits and writes everything in this folder.

    python3 -m pip install -r requirements.txt
    python3 train.py

Data: the 1,797 digits of 8 × 8 gray pixels that come with scikit-learn, split by original
image; `drawing.py` draws colored variations of them at 32 × 32. Seeds are fixed, TensorFlow
runs one thread with deterministic operators, so that two runs on one machine give the same
bytes. Written: digits_<format>.tflite (seven number formats of one network, with metadata),
labels.txt, samples/, goldens/ and MODEL.md (with accuracies measured on the real runtime).
"""

import contextlib
import hashlib
import io
import json
import os
import shutil
from importlib.metadata import version

os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image

import metadata
import drawing
from model_card import write_card

SEED = 7
EPOCHS = 24
VARIATIONS = 8
BATCH = 64
HERE = os.path.dirname(os.path.abspath(__file__))
LABELS = "".join(f"{digit}\n" for digit in range(10)).encode()
VERSION = "1"
DESCRIPTION = (
    "Says which handwritten digit a 32 × 32 RGB picture shows. Trained on coloured variations of "
    "the UCI Optical Recognition of Handwritten Digits test set as distributed by scikit-learn."
)
# Which held-back image of each digit becomes its sample.
SAMPLES = [3, 4, 2, 0, 4, 4, 5, 2, 4, 3]
GOLDENS = (3, 7)
FORMATS = ("float32", "float16", "dynamic", "int8", "int8_float_io", "int16x8", "uint8")


def separable(x, channels, strides=1, activation=True):
    """A 3 × 3 depthwise convolution and a 1 × 1 one that mixes its channels."""
    layers = tf.keras.layers
    x = layers.DepthwiseConv2D(3, strides, "same", use_bias=False)(x)
    x = layers.ReLU(6.0)(layers.BatchNormalization()(x))
    x = layers.BatchNormalization()(layers.Conv2D(channels, 1, use_bias=False)(x))
    return layers.ReLU(6.0)(x) if activation else x


def network():
    layers = tf.keras.layers
    image = tf.keras.Input((drawing.SIZE, drawing.SIZE, 3), name="picture")
    x = layers.Conv2D(24, 3, 2, "same", use_bias=False)(image)
    x = layers.ReLU(6.0)(layers.BatchNormalization()(x))
    x = layers.Add()([x, separable(x, 24, activation=False)])
    x = separable(layers.MaxPooling2D(2)(x), 48)
    x = layers.Add()([x, separable(x, 48, activation=False)])
    x = separable(layers.AveragePooling2D(2)(x), 96)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dense(32, activation="relu")(layers.Dropout(0.2, seed=SEED)(x))
    x = layers.Dense(10, activation="softmax", name="probability")(x)
    return tf.keras.Model(image, x)


def train(training, validation):
    """The trained network and its accuracy on the validation images after each epoch."""
    tf.keras.utils.set_random_seed(SEED)
    model = network()
    steps = EPOCHS * -(-len(training[0]) * VARIATIONS // BATCH)
    model.compile(
        tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.CosineDecay(4e-3, steps)),
        tf.keras.losses.SparseCategoricalCrossentropy(),
        metrics=["accuracy"],
    )
    held = drawing.variations(*validation, 2, SEED)
    for epoch in range(EPOCHS):
        drawn, labels = drawing.variations(*training, VARIATIONS, 1000 + epoch)
        order = np.random.default_rng(epoch).permutation(len(labels))
        x = tf.constant(drawn[order] / np.float32(255))
        fit = model.fit(x, labels[order], BATCH, epochs=1, shuffle=False, verbose=0)
        seen = model.evaluate(held[0] / np.float32(255), held[1], BATCH, verbose=0)
        print(f"epoch {epoch + 1}: loss {fit.history['loss'][0]:.4f}, validation {seen[1]:.4f}")
    return model


def convert(model, name, examples):
    """The network in one number format, before metadata."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    if name != "float32":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if name == "float16":
        converter.target_spec.supported_types = [tf.float16]
    elif name not in ("float32", "dynamic"):
        converter.representative_dataset = lambda: ([e[None]] for e in examples)
        operators = tf.lite.OpsSet.TFLITE_BUILTINS_INT8
        if name == "int16x8":
            operators = (
                tf.lite.OpsSet.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
            )
        converter.target_spec.supported_ops = [operators]
        if name in ("int8", "uint8"):
            converter.inference_input_type = converter.inference_output_type = tf.as_dtype(name)
    with contextlib.redirect_stdout(io.StringIO()):
        return converter.convert()


class Runner:
    """The real runtime's reference kernels, one thread, no delegate."""

    def __init__(self, content):
        self.interpreter = Interpreter(
            model_content=content,
            num_threads=1,
            experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
        )
        self.interpreter.allocate_tensors()
        (self.input,) = self.interpreter.get_input_details()
        (self.output,) = self.interpreter.get_output_details()

    def prepare(self, image):
        """The input tensor of a uint8 image: normalized, then quantized if the model asks."""
        values = image[None] / np.float32(255)
        kind, (scale, zero) = self.input["dtype"], self.input["quantization"]
        if kind == np.float32:
            return values
        limits = np.iinfo(kind)
        return np.clip(np.round(values / scale) + zero, limits.min, limits.max).astype(kind)

    def run(self, tensor):
        self.interpreter.set_tensor(self.input["index"], tensor)
        self.interpreter.invoke()
        return self.interpreter.get_tensor(self.output["index"])

    def digit(self, image):
        return int(np.argmax(self.run(self.prepare(image))))

    def accuracy(self, drawn, labels):
        return float(np.mean([self.digit(p) == l for p, l in zip(drawn, labels)]))


def check_metadata(content):
    """Reads the finished file back and compares it with what was asked for."""
    found = metadata.read_back(content)
    expected = {
        "name": "Martlet digits",
        "author": "Martlet contributors",
        "license": "Apache-2.0",
        "identifier": b"M001",
        "content": metadata.IMAGE_PROPERTIES,
        "color_space": metadata.RGB,
        "size": [drawing.SIZE, drawing.SIZE],
        "mean": [0.0],
        "std": [255.0],
        "process_units": [metadata.NORMALIZATION, metadata.SCORE_THRESHOLDING],
        "labels": [metadata.LABELS, metadata.TENSOR_AXIS_LABELS],
        "files": {metadata.LABELS: (0, LABELS)},
    }
    for key, value in expected.items():
        if found[key] != value:
            raise SystemExit(f"metadata: {key} is {found[key]!r}, not {value!r}")


def write_samples(held):
    """The ten sample images as PNG files with a table of their labels, and as arrays."""
    folder = os.path.join(HERE, "samples")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    drawn = []
    with open(os.path.join(folder, "labels.csv"), "w") as table:
        table.write("picture,label\n")
        table.writelines(f"digit_{digit}.png,{digit}\n" for digit in range(10))
    for digit in range(10):
        image = held[0][held[1] == digit][SAMPLES[digit]]
        drawn.append(drawing.sample(image, digit))
        Image.fromarray(drawn[-1]).save(os.path.join(folder, f"digit_{digit}.png"), optimize=True)
    return drawn


def check_samples(runner, name, samples):
    """Every sample must be read right, however it is reduced to the network's size."""
    for filtering in (Image.BILINEAR, Image.BICUBIC, Image.BOX, Image.NEAREST):
        read = [runner.digit(drawing.reduced(sample, filtering)) for sample in samples]
        if read != list(range(10)):
            raise SystemExit(f"{name} reads the samples as {read} with filter {filtering}")


def least_certain(runner, drawn):
    """The image whose best answer is the least probable: small errors show in it."""
    certainty = [np.max(runner.run(runner.prepare(image))) for image in drawn]
    return drawn[int(np.argmin(certainty))]


def write_golden(runner, name, case, image):
    """The input and output tensors of one image, with where they come from."""
    folder = os.path.join(HERE, "goldens", name, case)
    os.makedirs(folder)
    tensor = runner.prepare(image)
    output = runner.run(tensor)
    np.save(os.path.join(folder, "in_0.npy"), tensor)
    np.save(os.path.join(folder, "out_0.npy"), output)
    floating = output.dtype == np.float32
    facts = {
        "model": f"../../../digits_{name}.tflite",
        "engine": "ai-edge-litert",
        "version": version("ai-edge-litert"),
        "kernels": "BUILTIN_REF",
        "rounding": "double",
        "tolerance": {"out_0": tolerance(runner, name, tensor)} if floating else {},
    }
    with open(os.path.join(folder, "case.json"), "w") as stream:
        stream.write(json.dumps(facts, indent=1) + "\n")


def tolerance(runner, name, tensor):
    """1e-5 and four times the output's movement when inputs move by one float step."""
    if name in ("int8_float_io", "int16x8"):
        return 0.0
    random, output, widest = np.random.default_rng(SEED), runner.run(tensor), 0.0
    for _ in range(16):
        target = np.where(random.random(tensor.shape) < 0.5, np.inf, -np.inf)
        moved = runner.run(np.nextafter(tensor, target.astype(np.float32)))
        widest = max(widest, float(np.max(np.abs(moved - output))))
    return 1e-5 + 4 * widest


def main():
    tf.config.experimental.enable_op_determinism()
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    training, validation, held = drawing.digits()
    model = train(training, validation)
    examples = drawing.variations(*training, 1, 500)[0][:300] / np.float32(255)
    coloured = drawing.variations(*held, 4, 900)
    plain = [drawing.reduced(drawing.sample(p, d)) for p, d in zip(*held)]
    samples = write_samples(held)
    shutil.rmtree(os.path.join(HERE, "goldens"), ignore_errors=True)
    with open(os.path.join(HERE, metadata.LABELS), "wb") as stream:
        stream.write(LABELS)
    notes = metadata.metadata("Martlet digits", DESCRIPTION, VERSION, drawing.SIZE, 0.0, 255.0)
    rows = []
    for name in FORMATS:
        content = metadata.attach(convert(model, name, examples), notes, LABELS)
        check_metadata(content)
        with open(os.path.join(HERE, f"digits_{name}.tflite"), "wb") as stream:
            stream.write(content)
        runner = Runner(content)
        check_samples(runner, name, samples)
        if name == "float32":
            chosen = {f"digit_{digit}": drawing.reduced(samples[digit]) for digit in GOLDENS}
            chosen["least_certain"] = least_certain(runner, coloured[0])
        for case, image in chosen.items():
            write_golden(runner, name, case, image)
        accuracies = runner.accuracy(plain, held[1]), runner.accuracy(*coloured)
        rows.append((name, len(content), *accuracies, hashlib.sha256(content).hexdigest()))
        print(*rows[-1])
    splits = training, validation, held
    write_card(HERE, rows, splits, model.count_params(), EPOCHS, VARIATIONS)


if __name__ == "__main__":
    main()

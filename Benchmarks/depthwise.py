#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the depthwise layers of MobileNet v1 in Martlet and in LiteRT (XNNPACK), layer by layer.

    python3 Benchmarks/depthwise.py .build/release/martlet [--kind int8|float] [--rounds 5]

No interpreter of a whole network tells both sides' time of one kind of layer in the same way. So
each layer becomes a model of its own, of four such layers: one after the other where the image
keeps its size, else side by side. A layer's time is a quarter of the model's fastest run.
"""

import argparse
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from racing import contestants, networks
from racing.contest import Contest, Figures

LAYERS = 4

# Height and width, channels, stride, and how often MobileNet v1 has the layer.
SHAPES = (
    (112, 32, 1, 1),
    (112, 64, 2, 1),
    (56, 128, 1, 1),
    (56, 128, 2, 1),
    (28, 256, 1, 1),
    (28, 256, 2, 1),
    (14, 512, 1, 5),
    (14, 512, 2, 1),
    (7, 1024, 1, 1),
)


def layered(side, channels, stride):
    """A Keras model of four depthwise layers with ReLU6."""
    import keras

    def layer(x):
        x = keras.layers.DepthwiseConv2D(
            3, strides=stride, padding="same", bias_initializer="random_normal"
        )(x)
        return keras.layers.ReLU(6.0)(x)

    start = keras.Input((side, side, channels), batch_size=1)
    if stride > 1:
        return keras.Model(start, [layer(start) for _ in range(LAYERS)])
    x = start
    for _ in range(LAYERS):
        x = layer(x)
    return keras.Model(start, x)


def content(model, side, channels, kind):
    """The model as a TensorFlow Lite file."""
    import numpy as np
    import tensorflow as tf

    random = np.random.default_rng(networks.SEED)
    images = random.random((4, 1, side, side, channels), np.float32)
    specification = tf.TensorSpec([1, side, side, channels], tf.float32)
    with tempfile.TemporaryDirectory() as folder:
        model.export(folder, input_signature=[specification], verbose=False)
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        networks.configure(converter, images[:, 0] if kind == "int8" else None)
        return converter.convert()


def build(folder, kind):
    """One network for each shape."""
    import keras

    keras.utils.set_random_seed(networks.SEED)
    for side, channels, stride, count in SHAPES:
        path = os.path.join(folder, f"{side}x{channels}s{stride}.tflite")
        with open(path, "wb") as stream:
            stream.write(content(layered(side, channels, stride), side, channels, kind))
        name = f"{side} × {side} × {channels}, stride {stride}"
        yield contestants.Network(name, path), count


def microseconds(results, entry):
    """A layer's time: the median over rounds of the fastest run of each."""
    return 1000 * Figures(results.rounds, "min_ms").median(entry) / LAYERS


def main():
    parser = argparse.ArgumentParser(description="Times the depthwise layers of MobileNet v1.")
    parser.add_argument("martlet", help="the martlet binary, built for release")
    parser.add_argument("--kind", choices=networks.FORMATS, default="int8")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        counts = dict(build(folder, options.kind))
        racers = (contestants.OWN, contestants.RIVAL)
        contest = Contest(options.martlet, list(counts), racers, [options.threads], 0.3)
        results = contest.run(options.rounds)
    if results.failures:
        raise SystemExit(str(results.failures))
    sums = [0.0, 0.0]
    print(f"{'layer':28} {'count':>5} {'Martlet, µs':>12} {'XNNPACK, µs':>12} {'ratio':>6}")
    for network, count in counts.items():
        own, rival = (microseconds(results, (network, options.threads, c)) for c in racers)
        sums = [sums[0] + count * own, sums[1] + count * rival]
        print(f"{network.name:28} {count:5} {own:12.1f} {rival:12.1f} {own / rival:6.2f}")
    print(f"{'all':28} {'':5} {sums[0]:12.1f} {sums[1]:12.1f} {sums[0] / sums[1]:6.2f}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes networks of architectures that the ten of race.py are not, so that they can be raced.

    python -m pip install -r Benchmarks/requirements.txt
    python Benchmarks/architecture_models.py FOLDER [NAME…] [--formats float int8 hybrid]
    python Benchmarks/race.py .build/release/martlet FOLDER --no-check --rounds 1 --seconds 0.1

Weights are random. `architectures` has small networks: classifiers of images, networks that make
images or find objects in them, transformers, and networks of sounds, texts, series, volumes and
points; others are those of `keras.applications`. TensorFlow's converter writes each in float32, in
int8, and in float32 with 8-bit weights ("hybrid").
"""

import argparse
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import applications, layers  # noqa: E402

from architectures import classifiers, images, series, transformers  # noqa: E402
from architectures.blocks import ROW_COUNT, Network  # noqa: E402

#: What TensorFlow 2.21 ends the process for, or after: recurrent layers in int8.
LEFT_OUT = {(name, "int8") for name in ("text_reader", "rnn", "gru", "conv_lstm")}
#: Networks of keras.applications with the side of their images.
APPLICATIONS = {
    "ConvNeXtTiny": 64, "EfficientNetV2B0": 128, "NASNetMobile": 128, "DenseNet121": 128,
    "Xception": 128, "InceptionV3": 128,
}


def application(name, side):
    return Network(
        (side, side, 3),
        lambda image: getattr(applications, name)(weights=None, input_tensor=image).output)


NETWORKS = {
    **classifiers.NETWORKS, **images.NETWORKS, **transformers.NETWORKS, **series.NETWORKS,
    **{name: application(name, side) for name, side in APPLICATIONS.items()},
}


def model(network):
    image = layers.Input(network.shape, batch_size=1, dtype=network.dtype)
    return keras.Model(image, network.body(image))


def converted(model, kind):
    """The model in a number format."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    if kind != "float":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if kind == "int8":
        source = model.inputs[0]
        shape, dtype = (1, *source.shape[1:]), source.dtype
        random = np.random.default_rng(0)

        def sample():
            if dtype == "int32":
                return random.integers(0, ROW_COUNT, shape).astype(dtype)
            return random.uniform(-1, 1, shape).astype(dtype)

        converter.representative_dataset = lambda: ([sample()] for _ in range(2))
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    return converter.convert()


def main():
    names, kinds = list(NETWORKS), ["float", "int8", "hybrid"]
    parser = argparse.ArgumentParser(description="Writes networks of further architectures.")
    parser.add_argument("folder")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}")
    parser.add_argument("--formats", nargs="+", choices=kinds, default=kinds)
    arguments = parser.parse_args()
    if unknown := set(arguments.names) - set(names):
        parser.error(f"no network {', '.join(sorted(unknown))}")
    os.makedirs(arguments.folder, exist_ok=True)
    keras.utils.set_random_seed(0)
    for name in arguments.names or names:
        network = model(NETWORKS[name])
        for kind in arguments.formats:
            if (name, kind) in LEFT_OUT:
                continue
            with open(os.path.join(arguments.folder, f"{name}_{kind}.tflite"), "wb") as file:
                file.write(converted(network, kind))


if __name__ == "__main__":
    main()

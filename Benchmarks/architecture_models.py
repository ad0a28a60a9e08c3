#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes networks of architectures that the ten of race.py are not, so that they can be raced.

    python -m pip install -r Benchmarks/requirements.txt
    python Benchmarks/architecture_models.py FOLDER [NAME…] [--formats float int8 hybrid]
    python Benchmarks/race.py .build/release/martlet FOLDER --no-check --rounds 1 --seconds 0.1

Weights are random. Convolutions in groups (ResNeXt, RegNet, ShuffleNet), series in time, mixers of
channels and of pixels, transformers and U-Nets are small versions written here; the rest are those of
`keras.applications`. TensorFlow's converter writes each in float32, in int8, and in float32 with
8-bit weights ("hybrid").
"""

import argparse
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import keras  # noqa: E402
import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from keras import applications, layers  # noqa: E402

SIDE = 160


def convolved(x, filters, size=1, stride=1, groups=1, activation="relu"):
    """A convolution with batch normalization."""
    x = layers.Conv2D(
        filters, size, stride, padding="same", groups=groups, use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    return layers.Activation(activation)(x) if activation else x


def depthwise(x, size=3, stride=1, activation=None):
    x = layers.BatchNormalization()(layers.DepthwiseConv2D(size, stride, padding="same")(x))
    return layers.Activation(activation)(x) if activation else x


def classes(x, count=100):
    return layers.Dense(count)(layers.GlobalAveragePooling2D()(x))


def residual(x, y, stride=1):
    """The sum of `y` and of `x`, which is brought to its shape."""
    if stride > 1 or x.shape[-1] != y.shape[-1]:
        x = convolved(x, y.shape[-1], 1, stride, activation=None)
    return layers.ReLU()(layers.Add()([x, y]))


def resnext(x):
    x = layers.MaxPooling2D(3, 2, padding="same")(convolved(x, 64, 7, 2))
    for width, stride in ((128, 1), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)):
        y = convolved(convolved(x, width), width, 3, stride, groups=32)
        x = residual(x, convolved(y, 2 * width, activation=None), stride)
    return classes(x)


def regnet(x):
    x = convolved(x, 32, 3, 2)
    for width, depth in ((48, 1), (104, 3), (208, 4), (440, 2)):
        for block in range(depth):
            stride = 2 if block == 0 else 1
            y = convolved(convolved(x, width), width, 3, stride, groups=width // 8)
            z = layers.GlobalAveragePooling2D(keepdims=True)(y)
            z = layers.Conv2D(max(8, x.shape[-1] // 4), 1, activation="relu")(z)
            y = layers.Multiply()([y, layers.Conv2D(width, 1, activation="sigmoid")(z)])
            x = residual(x, convolved(y, width, activation=None), stride)
    return classes(x)


def shufflenet(x):
    x = layers.MaxPooling2D(3, 2, padding="same")(convolved(x, 24, 3, 2))
    x = convolved(x, 240)
    for width in (240, 480):
        for _ in range(3):
            y = convolved(x, width // 4, groups=3)
            shape = y.shape[1:]
            y = layers.Permute((1, 2, 4, 3))(
                layers.Reshape((*shape[:2], 3, shape[2] // 3))(y))
            y = depthwise(layers.Reshape(shape)(y))
            x = residual(x, convolved(y, width, groups=3, activation=None))
        x = layers.AveragePooling2D(3, 2, padding="same")(x)
    return classes(x)


def ghostnet(x):
    x = convolved(x, 16, 3, 2)
    for width, stride in ((16, 1), (24, 2), (40, 2), (80, 2), (112, 1)):
        y = convolved(x, width // 2)
        x = layers.Concatenate()([y, depthwise(y, activation="relu")])
        if stride > 1:
            x = depthwise(x, 5, stride)
        y = convolved(x, width // 2, activation=None)
        x = layers.Concatenate()([y, depthwise(y)])
    return classes(x)


def unet(x):
    passed = []
    for width in (16, 32, 64):
        x = convolved(convolved(x, width, 3), width, 3)
        passed.append(x)
        x = layers.MaxPooling2D(2)(x)
    x = convolved(x, 128, 3)
    for width in (64, 32, 16):
        x = layers.Conv2DTranspose(width, 2, 2)(x)
        x = layers.Concatenate()([x, passed.pop()])
        x = convolved(convolved(x, width, 3), width, 3)
    return layers.Conv2D(2, 1, activation="softmax")(x)


def quartznet(x):
    x = layers.Conv1D(128, 33, 2, padding="same")(x)
    for size in (33, 51, 75):
        for _ in range(2):
            x = layers.SeparableConv1D(128, size, padding="same", use_bias=False)(x)
            x = layers.ReLU()(layers.BatchNormalization()(x))
    return layers.Conv1D(29, 1, activation="softmax")(x)


def temporal(x):
    x = layers.Conv1D(64, 1)(x)
    for dilation in (1, 2, 4, 8, 16, 32):
        y = layers.Conv1D(
            64, 3, padding="causal", dilation_rate=dilation, activation="relu")(x)
        x = layers.Add()([x, layers.Conv1D(64, 1)(y)])
    return layers.Conv1D(1, 1)(x)


def perceptron(x, hidden):
    return layers.Dense(x.shape[-1])(layers.Dense(hidden, activation="gelu")(x))


def patches(x, width):
    return layers.Reshape((-1, width))(layers.Conv2D(width, 16, 16)(x))


def mixer(x):
    x = patches(x, 128)
    for _ in range(4):
        y = layers.Permute((2, 1))(layers.LayerNormalization()(x))
        x = layers.Add()([x, layers.Permute((2, 1))(perceptron(y, 64))])
        x = layers.Add()([x, perceptron(layers.LayerNormalization()(x), 512)])
    return layers.Dense(100)(layers.GlobalAveragePooling1D()(x))


def vision_transformer(x):
    x = patches(x, 192)
    for _ in range(3):
        y = layers.LayerNormalization()(x)
        x = layers.Add()([x, layers.MultiHeadAttention(3, 64)(y, y)])
        x = layers.Add()([x, perceptron(layers.LayerNormalization()(x), 768)])
    return layers.Dense(100)(layers.GlobalAveragePooling1D()(x))


def text_reader(x):
    x = layers.MaxPooling2D(2)(convolved(x, 32, 3))
    x = layers.MaxPooling2D((2, 1))(convolved(x, 64, 3))
    x = convolved(x, 64, 3)
    height, width, depth = x.shape[1:]
    x = layers.Reshape((width, height * depth))(layers.Permute((2, 1, 3))(x))
    x = layers.Bidirectional(layers.LSTM(64, return_sequences=True))(
        layers.Dense(64, activation="relu")(x))
    return layers.Dense(37, activation="softmax")(x)


IMAGE = (SIDE, SIDE, 3)
#: Shapes of the input with what makes the output of it.
OWN = {
    "resnext": (IMAGE, resnext), "regnet": (IMAGE, regnet), "shufflenet": (IMAGE, shufflenet),
    "ghostnet": (IMAGE, ghostnet), "unet": ((128, 128, 3), unet),
    "quartznet": ((200, 64), quartznet), "temporal": ((256, 16), temporal),
    "mixer": (IMAGE, mixer), "vision_transformer": (IMAGE, vision_transformer),
    "text_reader": ((32, 100, 1), text_reader),
}
#: What TensorFlow 2.21 ends the process for, or after: an LSTM in int8.
LEFT_OUT = {("text_reader", "int8")}
#: Networks of keras.applications with the side of their images.
APPLICATIONS = {
    "ConvNeXtTiny": 64, "EfficientNetV2B0": 128, "NASNetMobile": 128, "DenseNet121": 128,
    "Xception": 128, "InceptionV3": 128,
}


def network(name):
    if name in OWN:
        shape, body = OWN[name]
        image = layers.Input(shape, batch_size=1)
        return keras.Model(image, body(image))
    side = APPLICATIONS[name]
    image = layers.Input((side, side, 3), batch_size=1)
    return getattr(applications, name)(weights=None, input_tensor=image)


def converted(model, kind):
    """The model in a number format."""
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    if kind != "float":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if kind == "int8":
        shape = (1, *model.inputs[0].shape[1:])
        random = np.random.default_rng(0)
        converter.representative_dataset = lambda: (
            [random.uniform(-1, 1, shape).astype(np.float32)] for _ in range(2))
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
    return converter.convert()


def main():
    names, kinds = [*OWN, *APPLICATIONS], ["float", "int8", "hybrid"]
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
        model = network(name)
        for kind in arguments.formats:
            if (name, kind) in LEFT_OUT:
                continue
            with open(os.path.join(arguments.folder, f"{name}_{kind}.tflite"), "wb") as file:
                file.write(converted(model, kind))


if __name__ == "__main__":
    main()

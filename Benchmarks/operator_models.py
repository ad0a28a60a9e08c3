#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a model for each operator, so that operators can be raced one by one.

    python -m pip install -r Benchmarks/requirements.txt
    python Benchmarks/operator_models.py FOLDER [--formats float int8 int16]
    python Benchmarks/race.py .build/release/martlet FOLDER --no-check --rounds 2 --seconds 0.1

Most have one operator on an image of 56 × 56 pixels and 64 channels, as networks have them in
their middle; a few have what converters make of one layer, such as a normalization. TensorFlow's
converter writes them in float32, and where it can in int8, in int16 with 8-bit weights, and where
they have weights in float32 with 8-bit weights ("hybrid"); what it cannot convert is told and left
out.
"""

import argparse
import os
import re

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

IMAGE = [1, 56, 56, 64]
RANDOM = np.random.default_rng(0)


def weights(*shape):
    return RANDOM.uniform(-1, 1, shape).astype(np.float32)


def normalized(x, axes):
    """What is left of a layer's or an image's mean and deviation."""
    mean = tf.reduce_mean(x, axes, keepdims=True)
    deviation = tf.reduce_mean(tf.math.squared_difference(x, mean), axes, keepdims=True)
    return (x - mean) * tf.math.rsqrt(deviation + 1e-5)


def shuffled(x):
    """Channels in two groups that take turns."""
    return tf.reshape(tf.transpose(tf.reshape(x, [1, 56, 56, 2, 32]), [0, 1, 2, 4, 3]), IMAGE)


#: Of one image.
FUNCTIONS = {
    "abs": tf.abs, "neg": tf.negative, "exp": tf.exp, "log": tf.math.log, "sqrt": tf.sqrt,
    "rsqrt": tf.math.rsqrt, "square": tf.square, "sin": tf.sin, "cos": tf.cos, "tanh": tf.tanh,
    "logistic": tf.sigmoid, "relu": tf.nn.relu, "relu6": tf.nn.relu6, "elu": tf.nn.elu,
    "gelu": tf.nn.gelu, "gelu_tanh": lambda x: tf.nn.gelu(x, approximate=True),
    "leaky_relu": tf.nn.leaky_relu, "hard_swish": lambda x: x * tf.nn.relu6(x + 3) / 6,
    "floor": tf.floor, "ceil": tf.math.ceil, "round": tf.round, "sign": tf.sign,
    "softmax": tf.nn.softmax, "log_softmax": tf.nn.log_softmax, "is_nan": tf.math.is_nan,
    "softplus": tf.nn.softplus, "silu": tf.nn.silu, "clip": lambda x: tf.clip_by_value(x, 0, 1),
    "pow": lambda x: tf.pow(x, 0.75), "lrn": lambda x: tf.nn.lrn(x, 2),
    "l2_normalization": lambda x: tf.nn.l2_normalize(x, -1),
    "layer_normalization": lambda x: normalized(x, [-1]),
    "instance_normalization": lambda x: normalized(x, [1, 2]),
    "cast_int32": lambda x: tf.cast(x, tf.int32), "cast_uint8": lambda x: tf.cast(x, tf.uint8),
    "cast_bool": lambda x: tf.cast(x, tf.bool),
    "cumsum_rows": lambda x: tf.cumsum(x, 1), "cumsum_channels": lambda x: tf.cumsum(x, -1),
    "reverse_rows": lambda x: tf.reverse(x, [1]), "reverse_channels": lambda x: tf.reverse(x, [3]),
    "channel_shuffle": shuffled, "pad": lambda x: tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]]),
    "mirror_pad": lambda x: tf.pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT"),
    "space_to_depth": lambda x: tf.nn.space_to_depth(x, 2),
    "depth_to_space": lambda x: tf.nn.depth_to_space(x, 2),
    "space_to_batch": lambda x: tf.space_to_batch(x, [2, 2], [[0, 0], [0, 0]]),
    "slice": lambda x: x[:, 5:50, 5:50, :], "strided_slice": lambda x: x[:, ::2, ::2, :],
    "tile": lambda x: tf.tile(x, [1, 2, 2, 1]), "split": lambda x: tf.split(x, 4, -1)[2] + 0,
    "pack": lambda x: tf.stack([x, x + 1], 1), "concatenation": lambda x: tf.concat([x, x * 2], -1),
    "gather": lambda x: tf.gather(x, [3, 1, 5, 7], axis=-1), "where": lambda x: tf.where(x > 0),
    "top_k": lambda x: tf.math.top_k(x, 5)[0],
    "arg_max": lambda x: tf.argmax(x, -1), "arg_min": lambda x: tf.argmin(x, -1),
    "average_pool_2": lambda x: tf.nn.avg_pool2d(x, 2, 2, "SAME"),
    "average_pool_3": lambda x: tf.nn.avg_pool2d(x, 3, 1, "SAME"),
    "max_pool_2": lambda x: tf.nn.max_pool2d(x, 2, 2, "SAME"),
    "max_pool_3": lambda x: tf.nn.max_pool2d(x, 3, 1, "SAME"),
    "max_pool_5": lambda x: tf.nn.max_pool2d(x, 5, 1, "SAME"),
    "resize_bilinear": lambda x: tf.image.resize(x, [112, 112]),
    "resize_bilinear_down": lambda x: tf.image.resize(x, [30, 30]),
    "resize_nearest": lambda x: tf.image.resize(x, [112, 112], method="nearest"),
    "conv_1": lambda x: tf.nn.conv2d(x, weights(1, 1, 64, 64), 1, "SAME"),
    "conv_1_few": lambda x: tf.nn.conv2d(x, weights(1, 1, 64, 8), 1, "SAME"),
    "conv_3": lambda x: tf.nn.conv2d(x, weights(3, 3, 64, 64), 1, "SAME"),
    "conv_3_few": lambda x: tf.nn.conv2d(x, weights(3, 3, 64, 3), 1, "SAME"),
    "conv_3_stride": lambda x: tf.nn.conv2d(x, weights(3, 3, 64, 64), 2, "SAME"),
    "conv_row": lambda x: tf.nn.conv2d(x, weights(1, 7, 64, 64), 1, "SAME"),
    "conv_column": lambda x: tf.nn.conv2d(x, weights(7, 1, 64, 64), 1, "SAME"),
    "conv_dilated": lambda x: tf.nn.conv2d(x, weights(3, 3, 64, 64), 1, "SAME", dilations=2),
    "conv_grouped": lambda x: tf.nn.conv2d(x, weights(3, 3, 16, 64), 1, "SAME"),
    "conv_grouped_few": lambda x: tf.nn.conv2d(x, weights(3, 3, 4, 64), 1, "SAME"),
    "conv_patches": lambda x: tf.nn.conv2d(x, weights(8, 8, 64, 64), 8, "VALID"),
    "depthwise_3": lambda x: tf.nn.depthwise_conv2d(x, weights(3, 3, 64, 1), [1] * 4, "SAME"),
    "depthwise_5": lambda x: tf.nn.depthwise_conv2d(x, weights(5, 5, 64, 1), [1] * 4, "SAME"),
    "depthwise_7": lambda x: tf.nn.depthwise_conv2d(x, weights(7, 7, 64, 1), [1] * 4, "SAME"),
    "depthwise_row": lambda x: tf.nn.depthwise_conv2d(x, weights(1, 9, 64, 1), [1] * 4, "SAME"),
    "depthwise_stride": lambda x: tf.nn.depthwise_conv2d(
        x, weights(3, 3, 64, 1), [1, 2, 2, 1], "SAME"),
    "depthwise_dilated": lambda x: tf.nn.depthwise_conv2d(
        x, weights(3, 3, 64, 1), [1] * 4, "SAME", dilations=[2, 2]),
    "depthwise_twice": lambda x: tf.nn.depthwise_conv2d(x, weights(3, 3, 64, 2), [1] * 4, "SAME"),
    "transpose_conv_2": lambda x: tf.nn.conv2d_transpose(
        x, weights(2, 2, 32, 64), [1, 112, 112, 32], 2, "VALID"),
    "transpose_conv_4": lambda x: tf.nn.conv2d_transpose(
        x, weights(4, 4, 3, 64), [1, 112, 112, 3], 2, "SAME"),
    "transpose_conv_8": lambda x: tf.nn.conv2d_transpose(
        x, weights(8, 8, 16, 64), [1, 224, 224, 16], 4, "SAME"),
}
FUNCTIONS |= {
    "transpose_" + "".join(map(str, order)): lambda x, order=order: tf.transpose(x, order)
    for order in ([0, 3, 1, 2], [0, 2, 1, 3], [0, 1, 3, 2], [0, 3, 2, 1])
}
FUNCTIONS |= {
    f"{name}_{'_'.join(map(str, axes))}": lambda x, f=f, axes=axes: f(x, axes)
    for name, f in {
        "mean": tf.reduce_mean, "sum": tf.reduce_sum, "max": tf.reduce_max,
        "any": lambda x, axes: tf.reduce_any(x > 0, axes),
    }.items()
    for axes in ([1, 2], [1], [2], [3], [0, 1, 2, 3])
}
#: Of two images.
PAIRS = {
    "add": tf.add, "sub": tf.subtract, "mul": tf.multiply, "div": tf.divide, "maximum": tf.maximum,
    "squared_difference": tf.math.squared_difference, "power": tf.pow, "less": tf.less,
    "floor_mod": tf.math.floormod, "equal": tf.equal, "select": lambda a, b: tf.where(a > b, a, b),
}
#: Of 32-bit integers.
INTEGER_PAIRS = {"add": tf.add, "mul": tf.multiply, "maximum": tf.maximum, "less": tf.less}


#: Names of those that have weights.
WEIGHTED = re.compile("conv|depthwise|transpose_conv|fully_connected")


def cases():
    """Names with functions and the types of what they are given."""
    image = tf.TensorSpec(IMAGE)
    whole = tf.TensorSpec(IMAGE, tf.int32)
    for name, function in FUNCTIONS.items():
        yield name, function, [image]
    for name, function in PAIRS.items():
        yield name, function, [image, image]
    for name, function in INTEGER_PAIRS.items():
        yield "int32_" + name, function, [whole, whole]
    yield "int32_cast_float", lambda x: tf.cast(x, tf.float32), [whole]
    yield "mul_by_channels", tf.multiply, [image, tf.TensorSpec([1, 1, 1, 64])]
    yield "mul_by_pixels", tf.multiply, [image, tf.TensorSpec([1, 56, 56, 1])]
    rows = tf.TensorSpec([8, 128, 64])
    yield "batch_matmul", tf.matmul, [rows, tf.TensorSpec([8, 64, 128])]
    yield "batch_matmul_left", lambda a, b: tf.matmul(a, b, transpose_a=True), [rows, rows]
    yield "batch_matmul_right", lambda a, b: tf.matmul(a, b, transpose_b=True), [rows, rows]
    yield "batch_matmul_row", tf.matmul, [
        tf.TensorSpec([8, 1, 64]), tf.TensorSpec([8, 64, 512])]
    yield "fully_connected", lambda x: x @ weights(1024, 1024), [tf.TensorSpec([1, 1024])]
    yield "fully_connected_rows", lambda x: x @ weights(256, 256), [tf.TensorSpec([128, 256])]
    yield "conv_stem", lambda x: tf.nn.conv2d(x, weights(7, 7, 3, 64), 2, "SAME"), [
        tf.TensorSpec([1, 224, 224, 3])]
    yield "conv_spectrum", lambda x: tf.nn.conv2d(x, weights(10, 4, 1, 64), 2, "SAME"), [
        tf.TensorSpec([1, 49, 40, 1])]
    yield "conv_3d", lambda x: tf.nn.conv3d(x, weights(3, 3, 3, 8, 16), [1] * 5, "SAME"), [
        tf.TensorSpec([1, 8, 28, 28, 8])]
    yield "conv_1d", lambda x: tf.nn.conv1d(x, weights(5, 64, 64), 1, "SAME"), [
        tf.TensorSpec([1, 400, 64])]
    yield "spectrogram", lambda x: tf.abs(tf.signal.stft(x, 400, 160)), [
        tf.TensorSpec([1, 16000])]


def converted(function, specs, kind):
    """The model of a function in a number format."""
    concrete = tf.function(function, input_signature=specs).get_concrete_function()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete], None)
    if kind != "float":
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
    if kind in ("int8", "int16"):
        converter.representative_dataset = lambda: (
            [RANDOM.uniform(0.1, 2, spec.shape).astype(np.float32) for spec in specs]
            for _ in range(3))
        sets = tf.lite.OpsSet
        wide = sets.EXPERIMENTAL_TFLITE_BUILTINS_ACTIVATIONS_INT16_WEIGHTS_INT8
        converter.target_spec.supported_ops = [
            sets.TFLITE_BUILTINS_INT8 if kind == "int8" else wide]
        converter.inference_input_type = converter.inference_output_type = (
            tf.int8 if kind == "int8" else tf.int16)
    return converter.convert()


def main():
    parser = argparse.ArgumentParser(description="Writes a model for each operator.")
    parser.add_argument("folder")
    kinds = ["float", "int8", "int16", "hybrid"]
    parser.add_argument("--formats", nargs="+", choices=kinds, default=kinds)
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    for name, function, specs in cases():
        for kind in arguments.formats:
            if kind != "float" and any(spec.dtype != tf.float32 for spec in specs):
                continue
            if kind == "hybrid" and not WEIGHTED.match(name):
                continue
            try:
                model = converted(function, specs, kind)
            except Exception as error:  # the converter has many, none of them its own
                print(f"{name} in {kind}: {str(error).splitlines()[0]}")
                continue
            with open(os.path.join(arguments.folder, f"{name}_{kind}.tflite"), "wb") as file:
                file.write(model)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Networks that make images, masks, or objects at places of images."""

import numpy as np
from keras import layers, ops

from .blocks import IMAGE, DepthToSpace, Network, convolved, residual


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


def enlarged(x, size):
    return layers.UpSampling2D(size, interpolation="bilinear")(x)


def deeplab(x):
    """Dilated convolutions of several reaches, next to each other."""
    x = convolved(x, 32, 3, 2)
    passed = None
    for width, stride, dilation in ((64, 2, 1), (128, 2, 1), (128, 1, 2), (128, 1, 4)):
        y = layers.DepthwiseConv2D(
            3, stride, padding="same", dilation_rate=dilation)(x)
        x = convolved(layers.ReLU()(layers.BatchNormalization()(y)), width)
        passed = x if width == 64 else passed
    branches = [convolved(x, 64)]
    for dilation in (6, 12, 18):
        y = layers.Conv2D(64, 3, padding="same", dilation_rate=dilation, use_bias=False)(x)
        branches.append(layers.ReLU()(layers.BatchNormalization()(y)))
    y = convolved(layers.GlobalAveragePooling2D(keepdims=True)(x), 64)
    branches.append(enlarged(y, x.shape[1:3]))
    x = enlarged(convolved(ops.concatenate(branches, -1), 64), 2)
    x = convolved(ops.concatenate([x, convolved(passed, 16)], -1), 64, 3)
    return enlarged(layers.Conv2D(21, 1)(x), 4)


def hrnet(x):
    """Images of three sizes side by side, each made of all of the stage before."""
    widths = (32, 64, 128)
    x = convolved(convolved(x, 32, 3, 2), 32, 3, 2)
    scales = [x, convolved(x, 64, 3, 2), convolved(convolved(x, 64, 3, 2), 128, 3, 2)]

    def brought(y, source, target):
        width = widths[target]
        if source > target:
            return layers.UpSampling2D(2 ** (source - target))(
                convolved(y, width, activation=None))
        for _ in range(target - source):
            y = convolved(y, width, 3, 2, activation=None)
        return y

    for _ in range(2):
        scales = [
            residual(y, convolved(convolved(y, width, 3), width, 3, activation=None))
            for y, width in zip(scales, widths)]
        scales = [
            layers.ReLU()(layers.Add()(
                [brought(y, source, target) for source, y in enumerate(scales)]))
            for target in range(3)]
    return layers.Conv2D(17, 1)(scales[0])


def super_resolution(x):
    first = x = layers.Conv2D(32, 3, padding="same")(x)
    for _ in range(3):
        y = layers.LeakyReLU(0.2)(layers.Conv2D(32, 3, padding="same")(x))
        x = x + 0.2 * layers.Conv2D(32, 3, padding="same")(y)
    x = layers.Conv2D(48, 3, padding="same")(x + first)
    return ops.clip(DepthToSpace(4)(x), 0, 1)


def gated(x):
    """The product of the halves of the channels."""
    first, second = ops.split(x, 2, -1)
    return first * second


def nafnet(x):
    """Restores images, without functions that are not linear but products."""

    def block(x):
        width = x.shape[-1]
        y = layers.Conv2D(2 * width, 1)(layers.LayerNormalization()(x))
        y = gated(layers.DepthwiseConv2D(3, padding="same")(y))
        y = y * layers.Conv2D(width, 1)(layers.GlobalAveragePooling2D(keepdims=True)(y))
        x = x + layers.Conv2D(width, 1)(y)
        y = gated(layers.Conv2D(2 * width, 1)(layers.LayerNormalization()(x)))
        return x + layers.Conv2D(width, 1)(y)

    x = layers.Conv2D(16, 3, padding="same")(x)
    passed = []
    for _ in range(2):
        x = block(x)
        passed.append(x)
        x = layers.Conv2D(2 * x.shape[-1], 2, 2)(x)
    x = block(x)
    for _ in range(2):
        x = DepthToSpace(2)(layers.Conv2D(2 * x.shape[-1], 1, use_bias=False)(x))
        x = block(x + passed.pop())
    return layers.Conv2D(3, 3, padding="same")(x)


def style_transfer(x):
    """Convolutions of reflected images, normalized over all pixels."""

    def convolution(x, width, size, stride=1):
        edge = (size // 2, size // 2)
        x = ops.pad(x, ((0, 0), edge, edge, (0, 0)), mode="reflect")
        return layers.Conv2D(width, size, stride)(x)

    def normalized(x):
        mean = ops.mean(x, (1, 2), keepdims=True)
        variance = ops.mean(ops.square(x - mean), (1, 2), keepdims=True)
        x = (x - mean) * ops.rsqrt(variance + 1e-5)
        return x * np.float32(1.1) + np.float32(0.1)

    for width, size, stride in ((16, 9, 1), (32, 3, 2), (64, 3, 2)):
        x = ops.relu(normalized(convolution(x, width, size, stride)))
    for _ in range(3):
        y = ops.relu(normalized(convolution(x, 64, 3)))
        x = x + normalized(convolution(y, 64, 3))
    for width in (32, 16):
        x = ops.relu(normalized(convolution(layers.UpSampling2D(2)(x), width, 3)))
    return ops.sigmoid(convolution(x, 3, 9))


def autoencoder(x):
    for width in (16, 32, 64):
        x = layers.Conv2D(width, 3, 2, padding="same", activation="relu")(x)
    x = layers.Dense(64)(layers.Flatten()(x))
    x = layers.Reshape((16, 16, 64))(layers.Dense(16 * 16 * 64, activation="relu")(x))
    for width, size in ((64, 4), (32, 3), (16, 4)):
        x = layers.Conv2DTranspose(width, size, 2, padding="same", activation="relu")(x)
    return layers.Conv2D(3, 3, padding="same", activation="sigmoid")(x)


def yolo_like(x):
    def convolution(x, width, size=1, stride=1):
        return convolved(x, width, size, stride, activation="silu")

    def stage(x, width, depth):
        parts = list(ops.split(convolution(x, width), 2, -1))
        for _ in range(depth):
            y = convolution(convolution(parts[-1], width // 2, 3), width // 2, 3)
            parts.append(parts[-1] + y)
        return convolution(ops.concatenate(parts, -1), width)

    x = stage(convolution(convolution(x, 16, 3, 2), 32, 3, 2), 32, 1)
    third = stage(convolution(x, 64, 3, 2), 64, 2)
    fourth = stage(convolution(third, 128, 3, 2), 128, 2)
    fifth = stage(convolution(fourth, 256, 3, 2), 256, 1)
    pools = [convolution(fifth, 128)]
    for _ in range(3):
        pools.append(layers.MaxPooling2D(5, 1, padding="same")(pools[-1]))
    fifth = convolution(ops.concatenate(pools, -1), 256)
    fourth = stage(ops.concatenate([layers.UpSampling2D(2)(fifth), fourth], -1), 128, 1)
    third = stage(ops.concatenate([layers.UpSampling2D(2)(fourth), third], -1), 64, 1)
    outputs = []
    for features in (third, fourth, fifth):
        sides = layers.Conv2D(64, 1)(convolution(features, 64, 3))
        scores = layers.Conv2D(80, 1)(convolution(features, 80, 3))
        outputs.append(ops.reshape(ops.concatenate([sides, scores], -1), (1, -1, 144)))
    x = ops.concatenate(outputs, 1)
    sides = ops.softmax(ops.reshape(x[..., :64], (1, x.shape[1], 4, 16)), -1)
    sides = ops.sum(sides * np.arange(16, dtype=np.float32), -1)
    return ops.concatenate([sides, ops.sigmoid(x[..., 64:])], -1)


def feature_pyramid(x):
    """Images of four sizes that are weighted and added, upwards and downwards."""

    def fused(first, second):
        return layers.Activation("silu")(first * np.float32(0.6) + second * np.float32(0.4))

    def separable(x):
        return layers.BatchNormalization()(layers.SeparableConv2D(64, 3, padding="same")(x))

    scales = []
    for width in (16, 32, 64, 64, 64):
        x = convolved(x, width, 3, 2, activation="silu")
        scales.append(x)
    scales = [convolved(y, 64, activation=None) for y in scales[1:]]
    for _ in range(2):
        upwards = [scales[-1]]
        for y in reversed(scales[:-1]):
            upwards.insert(0, separable(fused(y, layers.UpSampling2D(2)(upwards[0]))))
        scales = upwards[:1]
        for y in upwards[1:]:
            smaller = layers.MaxPooling2D(3, 2, padding="same")(scales[-1])
            scales.append(separable(fused(y, smaller)))
    return ops.concatenate(
        [ops.reshape(layers.Conv2D(36, 3, padding="same")(y), (1, -1, 36)) for y in scales], 1)


def face_detector(x):
    """Narrow residual blocks, whose channels are filled up with zeros."""
    x = layers.Conv2D(24, 5, 2, padding="same", activation="relu")(x)
    blocks = (
        (24, 1), (28, 1), (32, 2), (36, 1), (42, 1), (48, 2), (56, 1), (64, 1), (72, 1), (80, 1),
        (88, 1), (96, 2), (96, 1), (96, 1))
    for width, stride in blocks:
        y = layers.Conv2D(width, 1)(layers.DepthwiseConv2D(3, stride, padding="same")(x))
        if stride > 1:
            x = layers.MaxPooling2D(2)(x)
        if width > x.shape[-1]:
            x = ops.pad(x, ((0, 0), (0, 0), (0, 0), (0, width - x.shape[-1])))
        x = ops.relu(x + y)
    return layers.Conv2D(16, 1)(x)


NETWORKS = {
    "unet": Network((128, 128, 3), unet), "deeplab": Network((128, 128, 3), deeplab),
    "hrnet": Network((128, 128, 3), hrnet),
    "super_resolution": Network((64, 64, 3), super_resolution),
    "nafnet": Network((64, 64, 3), nafnet),
    "style_transfer": Network((96, 96, 3), style_transfer),
    "autoencoder": Network((128, 128, 3), autoencoder), "yolo_like": Network(IMAGE, yolo_like),
    "feature_pyramid": Network(IMAGE, feature_pyramid),
    "face_detector": Network((128, 128, 3), face_detector),
}

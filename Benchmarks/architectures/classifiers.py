# SPDX-License-Identifier: Apache-2.0
"""Classifiers of images that are made of convolutions."""

from keras import layers, ops

from .blocks import IMAGE, Network, classes, constant, convolved, depthwise, residual


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


def squeezenet(x):
    x = layers.MaxPooling2D(3, 2)(layers.Conv2D(64, 3, 2, activation="relu")(x))
    widths = (16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256)
    for index, (squeezed, expanded) in enumerate(widths):
        y = layers.Conv2D(squeezed, 1, activation="relu")(x)
        x = ops.concatenate([
            layers.Conv2D(expanded, 1, activation="relu")(y),
            layers.Conv2D(expanded, 3, padding="same", activation="relu")(y)], -1)
        if index in (1, 3):
            x = layers.MaxPooling2D(3, 2)(x)
    x = layers.Conv2D(100, 1, activation="relu")(x)
    return ops.softmax(layers.GlobalAveragePooling2D()(x), -1)


def repvgg(x):
    for width, depth in ((48, 1), (48, 2), (96, 3), (192, 3)):
        for block in range(depth):
            x = layers.Conv2D(
                width, 3, 2 if block == 0 else 1, padding="same", activation="relu")(x)
    return classes(x)


def convmixer(x):
    x = layers.Conv2D(128, 8, 8, activation="gelu")(x)
    x = layers.BatchNormalization()(x)
    for _ in range(4):
        y = layers.DepthwiseConv2D(9, padding="same", activation="gelu")(x)
        x = x + layers.BatchNormalization()(y)
        x = layers.BatchNormalization()(layers.Conv2D(128, 1, activation="gelu")(x))
    return classes(x)


def poolformer(x):
    x = layers.Conv2D(48, 7, 4, padding="same")(x)
    for width in (48, 96, 192):
        if x.shape[-1] != width:
            x = layers.Conv2D(width, 3, 2, padding="same")(x)
        for _ in range(2):
            y = layers.GroupNormalization(1)(x)
            x = x + (layers.AveragePooling2D(3, 1, padding="same")(y) - y)
            y = layers.Conv2D(4 * width, 1, activation="gelu")(layers.GroupNormalization(1)(x))
            x = x + layers.Conv2D(width, 1)(y)
    return classes(x)


def channels_first(x):
    """Convolutions between transposes, as converters from PyTorch write them."""

    def convolution(x, width, size=3, stride=1, is_active=True):
        x = layers.Conv2D(width, size, stride, padding="same")(ops.transpose(x, (0, 2, 3, 1)))
        x = ops.transpose(x, (0, 3, 1, 2)) * constant(1, width, 1, 1) + constant(1, width, 1, 1)
        return ops.relu(x) if is_active else x

    x = convolution(x, 24, 3, 2)
    for width, stride in ((24, 1), (48, 2), (48, 1), (96, 2), (96, 1)):
        y = convolution(convolution(x, width, 3, stride), width, 3, 1, False)
        if y.shape != x.shape:
            x = convolution(x, width, 1, stride, False)
        x = ops.relu(y + x)
    return layers.Dense(100)(ops.mean(x, (2, 3)))


NETWORKS = {
    "resnext": Network(IMAGE, resnext), "regnet": Network(IMAGE, regnet),
    "shufflenet": Network(IMAGE, shufflenet), "ghostnet": Network(IMAGE, ghostnet),
    "squeezenet": Network(IMAGE, squeezenet), "repvgg": Network(IMAGE, repvgg),
    "convmixer": Network(IMAGE, convmixer), "poolformer": Network(IMAGE, poolformer),
    "channels_first": Network((3, 96, 96), channels_first),
}

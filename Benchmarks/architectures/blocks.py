# SPDX-License-Identifier: Apache-2.0
"""What networks are made of."""

from typing import Callable, NamedTuple

import numpy as np
import tensorflow as tf
from keras import layers

#: The rows of tables that whole numbers stand for.
ROW_COUNT = 1000
#: Color images of the size that most classifiers take here.
IMAGE = (160, 160, 3)


class Network(NamedTuple):
    """The shape and type of a network's input, and what makes its output of it."""

    shape: tuple
    body: Callable
    dtype: str = "float32"


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


def perceptron(x, hidden, activation="gelu"):
    return layers.Dense(x.shape[-1])(layers.Dense(hidden, activation=activation)(x))


def patches(x, width):
    return layers.Reshape((-1, width))(layers.Conv2D(width, 16, 16)(x))


def constant(*shape):
    """Numbers of a normal distribution, the same for the same shape."""
    return np.random.default_rng(1).normal(size=shape).astype(np.float32)


class DepthToSpace(layers.Layer):
    """Channels that become pixels."""

    def __init__(self, block):
        super().__init__()
        self.block = block

    def call(self, x):
        return tf.nn.depth_to_space(x, self.block)

# SPDX-License-Identifier: Apache-2.0
"""Mixers and transformers of images, texts and sounds."""

import numpy as np
from keras import layers, ops

from .blocks import (
    IMAGE, ROW_COUNT, Network, classes, constant, convolved, depthwise, patches, perceptron)


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


def heads(x, count, depth):
    """A product with weights, its columns divided among heads."""
    x = ops.reshape(layers.Dense(count * depth)(x), (1, x.shape[1], count, depth))
    return ops.transpose(x, (0, 2, 1, 3))


def joined_heads(x):
    _, count, length, depth = x.shape
    return ops.reshape(ops.transpose(x, (0, 2, 1, 3)), (1, length, count * depth))


def linear_attention(x):
    """Attention whose keys are summed up before queries meet them."""
    x = patches(x, 128)
    for _ in range(3):
        y = layers.LayerNormalization()(x)
        queries, keys, values = (heads(y, 4, 32) for _ in range(3))
        queries, keys = ops.elu(queries) + 1, ops.elu(keys) + 1
        sums = ops.matmul(ops.transpose(keys, (0, 1, 3, 2)), values)
        norm = ops.sum(queries * ops.sum(keys, 2, keepdims=True), -1, keepdims=True)
        y = joined_heads(ops.matmul(queries, sums) / norm)
        x = x + layers.Dense(128)(y)
        x = x + perceptron(layers.LayerNormalization()(x), 512)
    return layers.Dense(100)(layers.GlobalAveragePooling1D()(x))


def windows(x, size):
    _, height, width, depth = x.shape
    x = ops.reshape(x, (1, height // size, size, width // size, size, depth))
    return ops.reshape(ops.transpose(x, (0, 1, 3, 2, 4, 5)), (-1, size * size, depth))


def image_of_windows(x, size, shape):
    _, height, width, depth = shape
    x = ops.reshape(x, (1, height // size, width // size, size, size, depth))
    return ops.reshape(ops.transpose(x, (0, 1, 3, 2, 4, 5)), shape)


def window_attention(x, head_count, size, shift):
    """Attention within windows of an image, which is shifted before."""
    y = layers.LayerNormalization()(x)
    if shift:
        y = ops.roll(y, (-shift, -shift), (1, 2))
    y = windows(y, size)
    count, length, depth = y.shape
    head = depth // head_count
    y = ops.reshape(layers.Dense(3 * depth)(y), (count, length, 3, head_count, head))
    y = ops.transpose(y, (2, 0, 3, 1, 4))
    scores = ops.matmul(y[0] * head**-0.5, ops.transpose(y[1], (0, 1, 3, 2)))
    scores = scores + constant(1, head_count, length, length)
    if shift:
        is_far = np.random.default_rng(2).random((count, 1, length, length)) < 0.2
        scores = scores + np.where(is_far, -100, 0).astype(np.float32)
    y = ops.transpose(ops.matmul(ops.softmax(scores, -1), y[2]), (0, 2, 1, 3))
    y = layers.Dense(depth)(ops.reshape(y, (count, length, depth)))
    y = image_of_windows(y, size, x.shape)
    if shift:
        y = ops.roll(y, (shift, shift), (1, 2))
    x = x + y
    return x + perceptron(layers.LayerNormalization()(x), 4 * depth)


def swin(x):
    x = layers.LayerNormalization()(layers.Conv2D(48, 4, 4)(x))
    for stage, head_count in enumerate((3, 6, 12)):
        if stage > 0:
            x = ops.concatenate(
                [x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
            width = x.shape[-1] // 2
            x = layers.Dense(width, use_bias=False)(layers.LayerNormalization()(x))
        x = window_attention(window_attention(x, head_count, 7, 0), head_count, 7, 3)
    return classes(x)


def mobilevit(x):
    """Convolutions, then attention of pixels that are two apart."""
    x = convolved(x, 16, 3, 2, activation="silu")
    for expanded, width in ((64, 32), (128, 48), (192, 64)):
        y = depthwise(convolved(x, expanded, activation="silu"), 3, 2, "silu")
        x = convolved(y, width, activation=None)
    y = layers.Conv2D(96, 1)(convolved(x, 64, 3, activation="silu"))
    _, height, width, depth = shape = y.shape
    y = ops.reshape(y, (1, height // 2, 2, width // 2, 2, depth))
    y = ops.reshape(ops.transpose(y, (0, 2, 4, 1, 3, 5)), (4, height * width // 4, depth))
    for _ in range(2):
        z = layers.LayerNormalization()(y)
        y = y + layers.MultiHeadAttention(4, 24)(z, z)
        y = y + perceptron(layers.LayerNormalization()(y), 2 * depth, "silu")
    y = ops.reshape(y, (1, 2, 2, height // 2, width // 2, depth))
    y = ops.reshape(ops.transpose(y, (0, 3, 1, 4, 2, 5)), shape)
    x = ops.concatenate([x, convolved(y, 64, activation="silu")], -1)
    return classes(convolved(convolved(x, 64, 3, activation="silu"), 256, activation="silu"))


def root_normalized(x):
    """Rows divided by the root of their mean square."""
    scale = ops.rsqrt(ops.mean(ops.square(x), -1, keepdims=True) + 1e-6)
    return x * scale * np.ones(x.shape[-1], np.float32)


def rotated(x):
    """Pairs of numbers, turned by an angle that grows with their row."""
    length, half = x.shape[1], x.shape[-1] // 2
    angles = np.arange(length)[:, None] / 10_000 ** (np.arange(half) / half)
    cosine, sine = (
        function(angles)[None, :, None].astype(np.float32) for function in (np.cos, np.sin))
    first, second = x[..., :half], x[..., half:]
    return ops.concatenate(
        [first * cosine - second * sine, second * cosine + first * sine], -1)


def llama_like(x, width=128, head_count=4):
    length, head = x.shape[1], width // head_count
    x = layers.Embedding(ROW_COUNT, width)(x)
    mask = np.triu(np.full((length, length), -1e9, np.float32), 1)[None, None]

    def product(x, columns):
        return layers.Dense(columns, use_bias=False)(x)

    for _ in range(2):
        y = root_normalized(x)
        queries, keys, values = (
            ops.reshape(product(y, width), (1, length, head_count, head)) for _ in range(3))
        queries, keys, values = (
            ops.transpose(part, (0, 2, 1, 3)) for part in (rotated(queries), rotated(keys), values))
        scores = ops.matmul(queries, ops.transpose(keys, (0, 1, 3, 2))) / head**0.5 + mask
        x = x + product(joined_heads(ops.matmul(ops.softmax(scores, -1), values)), width)
        y = root_normalized(x)
        x = x + product(ops.silu(product(y, 344)) * product(y, 344), width)
    return product(root_normalized(x), ROW_COUNT)


def bert_like(x, width=128):
    x = layers.Embedding(ROW_COUNT, width)(x) + constant(1, x.shape[1], width)
    x = layers.LayerNormalization()(x)
    for _ in range(3):
        x = layers.LayerNormalization()(x + layers.MultiHeadAttention(4, 32)(x, x))
        x = layers.LayerNormalization()(x + perceptron(x, 512))
    return layers.Dense(2)(x)


def conformer(x, width=144):
    """Attention and convolutions over time, between halves of a perceptron."""
    for _ in range(2):
        x = layers.Conv2D(32, 3, 2, activation="relu")(x)
    x = layers.Dense(width)(layers.Reshape((x.shape[1], x.shape[2] * x.shape[3]))(x))
    for _ in range(2):
        x = x + 0.5 * perceptron(layers.LayerNormalization()(x), 4 * width, "silu")
        y = layers.LayerNormalization()(x)
        x = x + layers.MultiHeadAttention(4, width // 4)(y, y)
        y = layers.Dense(2 * width)(layers.LayerNormalization()(x))
        values, gate = ops.split(y, 2, -1)
        y = layers.DepthwiseConv1D(31, padding="same")(values * ops.sigmoid(gate))
        y = layers.Activation("silu")(layers.BatchNormalization()(y))
        x = x + layers.Dense(width)(y)
        x = x + 0.5 * perceptron(layers.LayerNormalization()(x), 4 * width, "silu")
        x = layers.LayerNormalization()(x)
    return layers.Dense(128)(x)


NETWORKS = {
    "mixer": Network(IMAGE, mixer), "vision_transformer": Network(IMAGE, vision_transformer),
    "linear_attention": Network(IMAGE, linear_attention), "swin": Network((224, 224, 3), swin),
    "mobilevit": Network(IMAGE, mobilevit), "llama_like": Network((64,), llama_like, "int32"),
    "bert_like": Network((64,), bert_like, "int32"),
    "conformer": Network((200, 80, 1), conformer),
}

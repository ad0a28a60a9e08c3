# SPDX-License-Identifier: Apache-2.0
"""The network, its anchors, and the loss that trains it.

A small residual network with dense convolutions looks at 192 × 192 pixels; three grids of cells
(12, 6 and 3 to a side) answer from a feature pyramid, one anchor to a cell, with one score and one
box each. Which cells must answer for an object is decided anew at every step from how well each
does already (task-aligned assignment), and a score is trained to be the overlap that its box has.
"""

import numpy as np
import tensorflow as tf

import scenes

layers = tf.keras.layers
# Pixels of a cell and side of the anchor in parts of the image.
LEVELS = ((16, 0.22), (32, 0.45), (64, 0.8))
CANDIDATES = 9


def anchors(size=scenes.SIZE):
    """All anchors, [count, 4]: center y, center x, height, width."""
    rows = []
    for pixels, side in LEVELS:
        cells = size // pixels
        middle = (np.arange(cells) + 0.5) / cells
        y, x = np.meshgrid(middle, middle, indexing="ij")
        rows.append(np.stack([y.ravel(), x.ravel(), *np.full((2, cells**2), side)], -1))
    return np.concatenate(rows).astype(np.float32)


def convolution(x, channels, size=3, strides=1, activation=True):
    x = layers.Conv2D(channels, size, strides, "same", use_bias=False)(x)
    x = layers.BatchNormalization(momentum=0.97)(x)
    return layers.ReLU(6.0)(x) if activation else x


def residual(x, middle):
    """A bottleneck: fewer channels, a 3 × 3 convolution, all channels again, added to x."""
    y = convolution(x, middle, 1)
    y = convolution(y, middle)
    y = convolution(y, x.shape[-1], 1, activation=False)
    return layers.Add()([x, y])


class Doubled(layers.Layer):
    """Every cell four times, as one resizing operator."""

    def call(self, x):
        return tf.image.resize(x, 2 * tf.shape(x)[1:3], "nearest")

    def compute_output_shape(self, shape):
        return (shape[0], None, None, shape[3])


def network():
    """Images in 0…1, of any multiple of 64 pixels, to [encoded boxes, logits of scores]."""
    image = tf.keras.Input((None, None, 3), name="picture")
    x = residual(convolution(image, 32, 6, 4), 16)
    x = convolution(x, 64, strides=2)
    x = residual(residual(x, 32), 32)
    x = convolution(x, 128, strides=2)
    levels = [residual(residual(residual(x, 56), 56), 56)]
    x = convolution(convolution(levels[0], 56, 1), 144, strides=2)
    levels.append(residual(residual(x, 56), 56))
    x = convolution(convolution(levels[1], 48, 1), 128, strides=2)
    levels.append(residual(x, 48))
    boxes, scores, above = [], [], None
    for x, (pixels, _) in reversed(list(zip(levels, LEVELS))):
        x = convolution(x, 64, 1, activation=False)
        if above is not None:
            x = layers.Add()([x, Doubled()(above)])
        above = x
        x = convolution(layers.ReLU(6.0)(x), 64)
        box = layers.Conv2D(4, 1, name=f"box_{pixels}")(x)
        score = layers.Conv2D(1, 1, bias_initializer=tf.constant_initializer(-3.0))(x)
        boxes.insert(0, layers.Reshape((-1, 4))(box))
        scores.insert(0, layers.Reshape((-1, 1))(score))
    outputs = [layers.Concatenate(1)(boxes), layers.Concatenate(1)(scores)]
    return tf.keras.Model(image, outputs)


def decoded(encoded, places):
    """Boxes as corners from what the network says of them."""
    centre = places[:, :2] + encoded[..., :2] * places[:, 2:]
    half = 0.5 * places[:, 2:] * tf.exp(tf.clip_by_value(encoded[..., 2:], -4.0, 2.0))
    return tf.concat([centre - half, centre + half], -1)


def overlaps(a, b):
    """Intersection over union, and the generalized one, of boxes that broadcast."""
    low, high = tf.maximum(a[..., :2], b[..., :2]), tf.minimum(a[..., 2:], b[..., 2:])
    shared = tf.reduce_prod(tf.maximum(high - low, 0.0), -1)
    area_a = tf.reduce_prod(tf.maximum(a[..., 2:] - a[..., :2], 0.0), -1)
    area_b = tf.reduce_prod(tf.maximum(b[..., 2:] - b[..., :2], 0.0), -1)
    union = area_a + area_b - shared + 1e-7
    hull = tf.maximum(a[..., 2:], b[..., 2:]) - tf.minimum(a[..., :2], b[..., :2])
    hull = tf.reduce_prod(hull, -1) + 1e-7
    return shared / union, shared / union - (hull - union) / hull


def assigned(scores, boxes, wanted, places):
    """What each anchor is to answer: [score], [box], from the objects of each image."""
    real = tf.cast(wanted[..., 2] > wanted[..., 0], tf.float32)[..., None]
    overlap, _ = overlaps(boxes[:, None], wanted[:, :, None])
    centre, reach = places[:, :2], places[:, 2:] * 0.3
    inside = tf.reduce_all(
        (centre > wanted[:, :, None, :2]) & (centre < wanted[:, :, None, 2:]), -1
    )
    middle = (wanted[..., :2] + wanted[..., 2:]) / 2
    close = tf.reduce_all(tf.abs(middle[:, :, None] - centre) < reach, -1)
    may = tf.cast(inside | close, tf.float32) * real
    fitness = tf.sqrt(scores[:, None]) * overlap**4 * may
    least = tf.math.top_k(fitness, CANDIDATES).values[..., -1:]
    chosen = tf.cast((fitness >= least) & (fitness > 1e-12), tf.float32)
    best = tf.argmax(chosen * (overlap + 1e-3), 1)
    chosen *= tf.transpose(tf.one_hot(best, tf.shape(wanted)[1]), (0, 2, 1))
    fitness, overlap = fitness * chosen, overlap * chosen
    strongest = tf.reduce_max(fitness, -1, keepdims=True) + 1e-12
    target = fitness / strongest * tf.reduce_max(overlap, -1, keepdims=True)
    return tf.reduce_max(target, 1), tf.gather(wanted, best, batch_dims=1)


def loss(outputs, wanted, places):
    """The loss of a batch: scores that tell the overlap, and boxes that have it."""
    encoded, logits = outputs[0], outputs[1][..., 0]
    boxes, scores = decoded(encoded, places), tf.sigmoid(logits)
    target, goals = assigned(
        tf.stop_gradient(scores), tf.stop_gradient(boxes), wanted, places
    )
    target = tf.stop_gradient(target)
    weight = tf.where(target > 0, target, 0.75 * tf.stop_gradient(scores) ** 2)
    error = tf.nn.sigmoid_cross_entropy_with_logits(target, logits)
    total = tf.maximum(tf.reduce_sum(target), 1.0)
    _, generalised = overlaps(boxes, goals)
    distance = tf.reduce_sum(target * (1 - generalised)) / total
    return tf.reduce_sum(weight * error) / total + 2.0 * distance

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the bundled localizer and writes everything in this folder.

    python3 -m pip install -r requirements.txt
    python3 pool.py CACHE [--images FOLDER]
    python3 train.py CACHE
    python3 export.py CACHE

The first composes scenes, the second trains on them and leaves the weights in CACHE, the third
writes localizer.tflite, samples/, goldens/ and MODEL.md. FOLDER is described in photographs.py.
"""

import argparse
import os
import time

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

import numpy as np
import tensorflow as tf

import evaluate
import network
import pool
import scenes

SEED = 11
BATCH = 32
PHOTOGRAPHED = 10
SMALL = 128
RATE = 2.5e-3
WARMING = 200


def rate(step, steps):
    """The learning rate: a short rise, then along a cosine to nothing."""
    if step < WARMING:
        return RATE * (step + 1) / WARMING
    return RATE * (0.5 + 0.5 * np.cos(np.pi * (step - WARMING) / (steps - WARMING))) + 1e-6


def varied(images, boxes, random):
    """Pieces of scenes at the full size, mirrored or not, and the boxes in them; 0…1."""
    count = len(images)
    scale = random.uniform(0.65, 1, (count, 2)) ** random.integers(0, 2, (count, 1))
    corner = random.random((count, 2)) * (1 - scale)
    flipped = random.random(count) < 0.5
    window = np.concatenate([corner, corner + scale], 1).astype(np.float32)
    moved = (boxes - np.tile(corner, 2)[:, None]) / np.tile(scale, 2)[:, None]
    kept = np.clip(moved, 0, 1)
    areas = [np.prod(np.maximum(b[..., 2:] - b[..., :2], 0), -1) for b in (moved, kept)]
    extent = (kept[..., 2:] - kept[..., :2]).min(-1)
    kept *= ((areas[1] > 0.4 * areas[0]) & (extent > 0.04))[..., None]
    mirrored = np.stack([kept[..., 0], 1 - kept[..., 3], kept[..., 2], 1 - kept[..., 1]], -1)
    mirrored *= (kept[..., 2:3] > 0)
    kept = np.where(flipped[:, None, None], mirrored, kept).astype(np.float32)
    window[flipped] = window[flipped][:, [0, 3, 2, 1]]
    gain = np.exp(random.normal(0, 0.15, (count, 1, 1, 1))) / 255
    tint = 1 + random.normal(0, 0.06, (count, 1, 1, 3))
    return window, kept, (gain * tint).astype(np.float32)


def stepper(model, optimizer, size):
    """The compiled training step, with images of `size` pixels to a side."""
    places = tf.constant(network.anchors(size))

    @tf.function
    def step(images, window, boxes, gain):
        index = tf.range(BATCH)
        x = tf.image.crop_and_resize(images, window, index, (size, size))
        x = tf.clip_by_value(x * gain, 0.0, 1.0)
        with tf.GradientTape() as tape:
            value = network.loss(model(x, training=True), boxes, places)
        gradients = tape.gradient(value, model.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return value

    return step


def batch(random, shards, photographs):
    """Scenes from one shard, and pieces of photographs where there are any."""
    real = PHOTOGRAPHED if photographs else 0
    parts = []
    for source, count in ((shards, BATCH - real), (photographs, real)):
        if count:
            images, boxes = source[random.integers(len(source))]
            picked = np.sort(random.choice(len(images), count, replace=False))
            parts.append((images[picked], boxes[picked]))
    return [np.concatenate(part) for part in zip(*parts)]


def train(cache, steps, small, start=0):
    """Trains for so many steps, `small` of them with small images; keeps weights every 200."""
    tf.keras.utils.set_random_seed(SEED)
    model = network.network()
    kept = os.path.join(cache, "localizer.weights.h5")
    if start:
        model.load_weights(kept)
    optimizer = tf.keras.optimizers.AdamW(RATE, weight_decay=0.02)
    step = [stepper(model, optimizer, size) for size in (scenes.SIZE, SMALL)]
    shards = [pool.read(cache, name) for name in pool.names(cache)]
    photographs = [pool.read(cache, name) for name in pool.names(cache, "p")]
    held = [part[:300] for part in pool.read(cache, "t")]
    random = np.random.default_rng(SEED + start)
    began, mean = time.time(), 0.0
    sources = f"{len(shards)} + {len(photographs)} shards"
    print(f"{model.count_params():,} parameters, {sources}", flush=True)
    for index in range(start, steps):
        images, boxes = batch(random, shards, photographs)
        optimizer.learning_rate.assign(rate(index, steps))
        value = step[index < small](images, *varied(images, boxes, random))
        mean += (float(value) - mean) * max(0.02, 1 / (index - start + 1))
        if (index + 1) % 200 == 0 or index + 1 == steps:
            model.save_weights(kept)
            note = evaluate.note(model, *held) if (index + 1) % 400 == 0 else ""
            print(f"{index + 1}: loss {mean:.3f} {note}, {time.time() - began:.0f} s", flush=True)
    return model


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--small", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    arguments = parser.parse_args()
    tf.config.threading.set_intra_op_parallelism_threads(2)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    train(arguments.cache, arguments.steps, arguments.small, arguments.start)

# SPDX-License-Identifier: Apache-2.0
"""Average precision on scenes, and agreement with another localizer on photographs."""

import glob
import os

import numpy as np
from PIL import Image

import network


def overlap(a, b):
    """Intersection over union of [n, 4] with [m, 4] boxes: [n, m]."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    shared = np.prod(np.maximum(high - low, 0), -1)
    area = [np.prod(np.maximum(c[:, 2:] - c[:, :2], 0), -1) for c in (a, b)]
    return shared / (area[0][:, None] + area[1][None] - shared + 1e-9)


def suppressed(boxes, scores, threshold=0.5, most=25, least=0.01):
    """Greedy non-maximum suppression: boxes and scores that stay, best first."""
    order = [i for i in np.argsort(-scores, kind="stable") if scores[i] >= least]
    stay = []
    while order and len(stay) < most:
        stay.append(order[0])
        near = overlap(boxes[order[:1]], boxes[order])[0] > threshold
        order = [index for index, close in zip(order, near) if not close and index != stay[-1]]
    return boxes[stay], scores[stay]


def average_precision(found, wanted, threshold):
    """The area under the curve of precision over recall, at one overlap.

    `found` holds (boxes, scores) and `wanted` boxes of each image.
    """
    rows, total = [], 0
    for (boxes, scores), real in zip(found, wanted):
        real = real[real[:, 2] > real[:, 0]]
        total += len(real)
        table = overlap(boxes, real) if len(real) else np.zeros((len(boxes), 0))
        taken = np.zeros(len(real), bool)
        for index in np.argsort(-scores, kind="stable"):
            free = np.where(taken, 0, table[index])
            hit = len(free) > 0 and free.max() >= threshold
            if hit:
                taken[free.argmax()] = True
            rows.append((scores[index], hit))
    if not rows or not total:
        return 0.0
    rows.sort(key=lambda row: -row[0])
    hits = np.cumsum([hit for _, hit in rows])
    precision = hits / np.arange(1, len(rows) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    recall = np.concatenate([[0], hits / total])
    return float(np.sum(np.diff(recall) * precision))


def precisions(found, wanted):
    """AP at overlap 0.5, and the mean of AP at 0.5, 0.55, … 0.95."""
    values = [average_precision(found, wanted, t) for t in np.arange(0.5, 0.96, 0.05)]
    return values[0], float(np.mean(values))


def note(model, images, wanted):
    """A line on a float network while it trains."""
    found = []
    for start in range(0, len(images), 50):
        batch = images[start : start + 50] / np.float32(255)
        encoded, logits = model(batch, training=False)
        boxes = network.decoded(encoded, network.anchors()).numpy()
        scores = 1 / (1 + np.exp(-logits.numpy()[..., 0]))
        found += [suppressed(b, s) for b, s in zip(boxes, scores)]
    half, mean = precisions(found, wanted)
    return f"AP50 {half:.3f} AP {mean:.3f}"


def photographs(folder):
    """The colored images of a folder by name, as RGB; gray ones there are no photographs."""
    for path in sorted(glob.glob(os.path.join(folder, "*.png"))):
        with Image.open(path) as image:
            if image.mode != "L":
                yield os.path.basename(path)[:-4], image.convert("RGB")


def agreement(mine, theirs, least, threshold=0.5):
    """How many of another localizer's boxes mine finds, and how many there are.

    Both are (boxes, scores); theirs count from score 0.4 on, mine from `least`.
    """
    goals = theirs[0][theirs[1] >= 0.4]
    boxes = mine[0][mine[1] >= least]
    if not len(goals) or not len(boxes):
        return 0, len(goals)
    return int((overlap(goals, boxes).max(1) >= threshold).sum()), len(goals)

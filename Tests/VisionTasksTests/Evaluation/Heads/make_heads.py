#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes heads.json: random outputs of detectors, and the boxes that NumPy makes of them.

    python3 make_heads.py > heads.json

Boxes are left, top, right, bottom as fractions, score and class, of all candidates above the
threshold before the best ones are selected, in the order of the candidates.
"""

import json
import sys

import numpy as np

WIDTH, HEIGHT = 64, 32
THRESHOLD = 0.55
CLASSES = 3
rng = np.random.default_rng(41)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def normal(*shape, scale=2.0):
    return np.round(rng.normal(0, scale, shape), 2)


def uniform(*shape):
    return np.round(rng.uniform(0, 1, shape), 2)


def selected(corners, scores):
    """Corners [n, 4] as fractions and scores [n, classes]."""
    best = scores.argmax(1)
    top = scores.max(1)
    return [
        [*map(float, corner), float(score), int(index)]
        for corner, score, index in zip(corners, top, best)
        if score > THRESHOLD
    ]


def centered(xywh, width=1.0, height=1.0):
    size = np.array([width, height])
    middle, half = xywh[:, :2] / size, xywh[:, 2:4] / size / 2
    return np.concatenate([middle - half, middle + half], 1)


def cells(strides):
    rows = []
    for stride in strides:
        y, x = np.mgrid[: -(-HEIGHT // stride), : -(-WIDTH // stride)]
        rows.append(np.stack([x.ravel(), y.ravel(), np.full(x.size, stride)], 1))
    return np.concatenate(rows)


def case(name, outputs, boxes):
    return {
        "name": name,
        "outputs": [
            {"shape": list(o.shape), "values": [float(v) for v in o.ravel()]} for o in outputs
        ],
        "boxes": boxes,
    }


def yolo_v5():
    count = 3 * len(cells([8, 16, 32]))
    out = uniform(1, count, 5 + CLASSES)
    out[0, :, :4] = np.round(out[0, :, :4] * [WIDTH, HEIGHT, WIDTH, HEIGHT], 1)
    row = out[0]
    return case(
        "yoloV5", [out], selected(centered(row[:, :4], WIDTH, HEIGHT), row[:, 5:] * row[:, 4:5]))


def yolo_v8():
    out = uniform(1, 4 + CLASSES, len(cells([8, 16, 32])))
    row = out[0].T
    return case("yoloV8", [out], selected(centered(row[:, :4]), row[:, 4:]))


def yolo_x():
    grid = cells([8, 16, 32])
    out = uniform(1, len(grid), 5 + CLASSES)
    row = out[0].copy()
    row[:, :2] = (row[:, :2] + grid[:, :2]) * grid[:, 2:]
    row[:, 2:4] = np.exp(row[:, 2:4]) * grid[:, 2:]
    return case(
        "yoloX", [out], selected(centered(row[:, :4], WIDTH, HEIGHT), row[:, 5:] * row[:, 4:5]))


def yolo_v4():
    count = 3 * len(cells([8, 16, 32]))
    boxes = np.round(uniform(1, count, 4) * [WIDTH, HEIGHT, WIDTH, HEIGHT], 1)
    scores = uniform(1, count, CLASSES)
    return case("yoloV4", [boxes, scores], selected(centered(boxes[0], WIDTH, HEIGHT), scores[0]))


def detr():
    logits, boxes = normal(1, 30, CLASSES + 1), uniform(1, 30, 4)
    return case("detr", [logits, boxes], selected(centered(boxes[0]), softmax(logits[0])[:, :-1]))


def finished():
    out = uniform(1, 30, 6)
    out[..., :4] = np.sort(out[..., :4].reshape(1, 30, 2, 2), 2).reshape(1, 30, 4)
    out[..., 5] = rng.integers(0, CLASSES, (1, 30))
    return case(
        "finishedRows", [out],
        [[*map(float, r[:5]), int(r[5])] for r in out[0] if r[4] > THRESHOLD])


def anchor_grids(name, anchors, scales, squared, rank5):
    outputs, boxes = [], []
    for stride, sizes, scale in zip([8, 16, 32], anchors, scales):
        rows, columns = HEIGHT // stride, WIDTH // stride
        out = normal(1, rows, columns, 3, 5 + CLASSES)
        y, x = np.mgrid[:rows, :columns]
        xy = sigmoid(out[0, ..., :2]) * scale - (scale - 1) / 2
        xy = (xy + np.stack([x, y], -1)[:, :, None]) / [columns, rows]
        wh = (2 * sigmoid(out[0, ..., 2:4])) ** 2 if squared else np.exp(out[0, ..., 2:4])
        wh = wh * np.array(sizes).reshape(3, 2) / [WIDTH, HEIGHT]
        scores = sigmoid(out[0, ..., 4:5]) * sigmoid(out[0, ..., 5:])
        boxes += selected(
            centered(np.concatenate([xy, wh], -1).reshape(-1, 4)), scores.reshape(-1, CLASSES))
        outputs.append(out if rank5 else out.reshape(1, rows, columns, -1))
    # Outputs may come in any order.
    return case(name, outputs[::-1], boxes)


def distances(name, strides, bins, offset, layout, first, logits):
    outputs, boxes = [], []
    for stride in strides:
        grid = cells([stride])
        out = uniform(1, len(grid), 4 * bins + CLASSES)
        classes = normal(1, len(grid), CLASSES) if logits else uniform(1, len(grid), CLASSES)
        edges = normal(1, len(grid), 4 * bins)
        mean = (softmax(edges[0].reshape(-1, 4, bins)) * np.arange(bins)).sum(-1) * stride
        middle = (grid[:, :2] + offset) * stride
        corners = np.concatenate([middle - mean[:, :2], middle + mean[:, 2:]], 1)
        scores = sigmoid(classes[0]) if logits else classes[0]
        boxes += selected(corners / [WIDTH, HEIGHT, WIDTH, HEIGHT], scores)
        if layout == "separate":
            outputs += [classes, edges]
        else:
            out = np.concatenate([edges, classes] if first else [classes, edges], -1)
            if layout == "perGrid":
                out = out.reshape(1, HEIGHT // stride, WIDTH // stride, -1)
            outputs.append(out)
    if layout == "joined":
        outputs = [np.concatenate(outputs, 1)]
    return case(name, outputs, boxes)


def center_points():
    rows, columns = 8, 16
    heat, size, offset = uniform(1, rows, columns, CLASSES), uniform(1, rows, columns, 2) * 8, \
        uniform(1, rows, columns, 2)
    boxes = []
    padded = np.pad(heat[0], ((1, 1), (1, 1), (0, 0)), constant_values=-1)
    for y in range(rows):
        for x in range(columns):
            for c in range(CLASSES):
                score = heat[0, y, x, c]
                if score > THRESHOLD and score == padded[y:y + 3, x:x + 3, c].max():
                    middle = (np.array([x, y]) + offset[0, y, x]) / [columns, rows]
                    half = size[0, y, x] / [columns, rows] / 2
                    boxes.append([*map(float, [*(middle - half), *(middle + half)]), float(score), c])
    return case("centerPoints", [heat, size, offset], boxes)


def extents(row, angle):
    """Left, top, right, bottom of boxes of fractions [n, 4] turned clockwise, as fractions."""
    x, y, w, h = (row[:, :4] * [WIDTH, HEIGHT, WIDTH, HEIGHT]).T
    across = (np.abs(w * np.cos(angle)) + np.abs(h * np.sin(angle))) / 2
    down = (np.abs(w * np.sin(angle)) + np.abs(h * np.cos(angle))) / 2
    return np.stack([x - across, y - down, x + across, y + down], 1) / [WIDTH, HEIGHT, WIDTH, HEIGHT]


def rotated():
    out = uniform(1, 5 + CLASSES, len(cells([8, 16, 32])))
    out[:, 2:4] = np.maximum(out[:, 2:4], 0.01)
    out[:, -1] = np.round((out[:, -1] - 0.25) * np.pi, 3)
    row = out[0].T
    return case("rotatedRows", [out], selected(extents(row, row[:, -1]), row[:, 4:-1]))


def finished_rotated():
    out = uniform(1, 30, 7)
    out[..., 2:4] = np.maximum(out[..., 2:4], 0.01)
    out[..., 5] = rng.integers(0, CLASSES, (1, 30))
    row = out[0]
    boxes = zip(extents(row, row[:, 6]), row)
    return case(
        "finishedRotatedRows", [out],
        [[*map(float, box), float(r[4]), int(r[5])] for box, r in boxes if r[4] > THRESHOLD])


V3 = [[10, 13, 16, 30, 33, 23], [30, 61, 62, 45, 59, 119], [116, 90, 156, 198, 373, 326]]
V4 = [[12, 16, 19, 36, 40, 28], [36, 75, 76, 55, 72, 146], [142, 110, 192, 243, 459, 401]]
cases = [
    yolo_v5(), yolo_v8(), yolo_x(), yolo_v4(), detr(), finished(),
    anchor_grids("gridsV3", V3, [1, 1, 1], False, False),
    anchor_grids("gridsV4", V4, [1.2, 1.1, 1.05], False, True),
    anchor_grids("gridsV5", V3, [2, 2, 2], True, False),
    distances("nanoDetPlus", [8, 16, 32, 64], 8, 0, "joined", False, False),
    distances("nanoDetSeparate", [8, 16, 32], 8, 0.5, "separate", False, False),
    distances("distancesV8", [8, 16, 32], 16, 0.5, "perGrid", True, True),
    center_points(),
    rotated(),
    finished_rotated(),
]
json.dump(
    {"width": WIDTH, "height": HEIGHT, "threshold": THRESHOLD, "cases": cases}, sys.stdout,
    separators=(",", ":"))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Detection problems drawn at random, and the numbers that pycocotools has for them.

    make_problems.py               writes problem_<n>.json beside this script
    make_problems.py --more N DIR  writes N others to a folder

Made with pycocotools 2.0.11 and NumPy 2. A row of `truths` is image, class, x, y, width, height,
area, crowd (0 or 1); one of `detections` is image, class, x, y, width, height, score.
Coordinates and scores are coarse, so that many overlaps, areas and scores are equal.
"""
import contextlib
import io
import json
import pathlib
import sys

import numpy as np
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

# Images, classes, true boxes and detections for each image and class, part that are crowds.
PROBLEMS = [
    (12, 3, 4, 6, 0.0), (10, 3, 4, 6, 0.3), (15, 2, 2, 9, 0.15), (3, 1, 12, 60, 0.1),
    (2, 1, 30, 130, 0.1), (8, 6, 1, 2, 0.2), (1, 1, 0, 3, 0.0), (3, 2, 3, 0, 0.0),
]


def box(rng):
    """A box whose area is often on the border of two sizes."""
    if rng.random() < 0.3:
        width, height = [(32, 32), (96, 96), (16, 64), (48, 192)][rng.integers(4)]
    else:
        width, height = rng.integers(2, 40, 2) * rng.choice([1, 2, 6])
    x, y = rng.integers(0, 80, 2) * 2
    return [float(x), float(y), float(width), float(height)]


def moved(rng, frame):
    """A box near another, or the same."""
    if rng.random() < 0.2:
        return list(frame)
    shift = rng.integers(-6, 7, 4) * np.array([0.5, 0.5, 1, 1])
    x, y, width, height = np.array(frame) + shift
    return [float(x), float(y), float(max(width, 1)), float(max(height, 1))]


def problem(seed, images, classes, wanted, found, crowds):
    rng = np.random.default_rng(seed)
    truths, detections = [], []
    for image in range(images):
        for kind in range(classes):
            frames = []
            for _ in range(rng.integers(0, wanted + 1) if wanted else 0):
                # Some objects lie on others, and fill their box only in part.
                near = frames and rng.random() < 0.2
                frames.append(moved(rng, frames[-1]) if near else box(rng))
                x, y, width, height = frames[-1]
                area = width * height * rng.choice([1, 1, 0.5])
                truths.append(
                    [image, kind, x, y, width, height, float(area), int(rng.random() < crowds)])
            for _ in range(rng.integers(found // 2, found + 1) if found else 0):
                if frames and rng.random() < 0.7:
                    frame = moved(rng, frames[rng.integers(len(frames))])
                else:
                    frame = box(rng)
                detections.append([image, kind, *frame, float(rng.integers(1, 20) / 20)])
    return truths, detections


def expected(images, classes, truths, detections):
    """What COCOeval makes of a problem; -1 is None."""
    truth = COCO()
    truth.dataset = {
        "images": [{"id": i + 1} for i in range(images)],
        "categories": [{"id": i + 1, "name": str(i)} for i in range(classes)],
        "annotations": [
            {"id": i + 1, "image_id": t[0] + 1, "category_id": t[1] + 1, "bbox": t[2:6],
             "area": t[6], "iscrowd": t[7]} for i, t in enumerate(truths)],
    }
    truth.createIndex()
    found = COCO()
    found.dataset = dict(truth.dataset, annotations=[
        {"id": i + 1, "image_id": d[0] + 1, "category_id": d[1] + 1, "bbox": d[2:6],
         "area": d[4] * d[5], "iscrowd": 0, "score": d[6]} for i, d in enumerate(detections)])
    found.createIndex()
    run = COCOeval(truth, found, "bbox")
    run.evaluate()
    run.accumulate()
    run.summarize()
    precision, recall = run.eval["precision"], run.eval["recall"]

    def mean(values):
        values = values[values > -1]
        return float(values.mean()) if values.size else None

    return {
        "stats": [None if value == -1 else float(value) for value in run.stats],
        "overlaps": [mean(precision[t, :, :, 0, -1]) for t in range(10)],
        "classes": [
            {"ap": mean(precision[:, :, k, 0, -1]), "ap_small": mean(precision[:, :, k, 1, -1]),
             "ar": mean(recall[:, k, 0, -1]), "ar1": mean(recall[:, k, 0, 0])}
            for k in range(classes)],
    }


def write(path, seed, size):
    truths, detections = problem(seed, *size)
    with contextlib.redirect_stdout(io.StringIO()):
        numbers = expected(size[0], size[1], truths, detections)
    rows = {"seed": seed, "images": size[0], "truths": truths, "detections": detections}
    path.write_text(json.dumps({**rows, "expected": numbers}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--more"]:
        for number in range(int(sys.argv[2])):
            size = PROBLEMS[number % len(PROBLEMS)]
            write(pathlib.Path(sys.argv[3]) / f"problem_{number}.json", 1000 + number, size)
    else:
        for number, size in enumerate(PROBLEMS):
            write(pathlib.Path(__file__).parent / f"problem_{number}.json", number, size)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What LiteRT and NumPy make of published models: boxes, cosines, larger images.

    python3 check_published.py MODELS IMAGES

MODELS has yolov8n_int8.tflite, yolo_fastest_person.tflite, nanodet_320.tflite, embedder.tflite and
edsr.tflite, each of them only if there is one; IMAGES has traffic.png, person.jpg, people.jpg,
burger.jpg and burger_crop.jpg. The input of NanoDet has its channels first; its outputs are written
to nanodet.f32 beside the model, for a decoder that takes them as they are.
"""

import os
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter
from PIL import Image

models, images = sys.argv[1:3]


def picture(name):
    return np.array(Image.open(os.path.join(images, name)).convert("RGB")).astype(np.float32)


def resized(image, width, height):
    """Bilinear between the middles of pixels, rounded to bytes, as the Swift code does."""

    def taps(source, target):
        position = ((np.arange(target, dtype=np.float32) + 0.5) * np.float32(source / target)
                    - np.float32(0.5))
        low = np.floor(position)
        weight = position - low
        return (np.clip(low, 0, source - 1).astype(int),
                np.clip(low + 1, 0, source - 1).astype(int), weight)

    y0, y1, wy = taps(image.shape[0], height)
    x0, x1, wx = taps(image.shape[1], width)
    top = image[y0][:, x0] + (image[y0][:, x1] - image[y0][:, x0]) * wx[None, :, None]
    bottom = image[y1][:, x0] + (image[y1][:, x1] - image[y1][:, x0]) * wx[None, :, None]
    return np.floor(top + (bottom - top) * wy[:, None, None] + 0.5)


def run(name, values):
    interpreter = Interpreter(os.path.join(models, name))
    details = interpreter.get_input_details()[0]
    interpreter.resize_tensor_input(details["index"], values.shape)
    interpreter.allocate_tensors()
    scale, zero = details["quantization"]
    if details["dtype"] != np.float32 and scale:
        limits = np.iinfo(details["dtype"])
        values = np.clip(np.round(values / scale) + zero, limits.min, limits.max)
    interpreter.set_tensor(details["index"], values.astype(details["dtype"]))
    interpreter.invoke()
    results = []
    for output in interpreter.get_output_details():
        value = interpreter.get_tensor(output["index"]).astype(np.float32)
        scale, zero = output["quantization"]
        results.append((value - zero) * scale if scale else value)
    return results


def overlap(a, b):
    w = min(a[2], b[2]) - max(a[0], b[0])
    h = min(a[3], b[3]) - max(a[1], b[1])
    common = max(w, 0) * max(h, 0)
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return common / (areas - common)


def show(title, corners, scores, size, threshold=0.3):
    """Corners as fractions and scores of classes, after greedy selection in each class."""
    print(title)
    best, top = scores.argmax(1), scores.max(1)
    kept = []
    for index in np.argsort(-top, kind="stable"):
        if top[index] <= threshold:
            break
        if all(best[index] != best[k] or overlap(corners[index], corners[k]) <= 0.5 for k in kept):
            kept.append(index)
    for index in kept:
        left, top_edge, right, bottom = np.clip(corners[index], 0, 1) * (size * 2)
        print(f"  {top[index]:.5f} class {best[index]} x {left:.2f} y {top_edge:.2f} "
              f"w {right - left:.2f} h {bottom - top_edge:.2f}")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def centered(xywh):
    return np.concatenate([xywh[:, :2] - xywh[:, 2:] / 2, xywh[:, :2] + xywh[:, 2:] / 2], 1)


def has(name):
    return os.path.exists(os.path.join(models, name))


if has("yolov8n_int8.tflite"):
    image = picture("traffic.png")
    rows = run("yolov8n_int8.tflite", resized(image, 640, 640)[None] / 255)[0][0].T
    show("YOLOv8", centered(rows[:, :4]), rows[:, 4:], image.shape[1::-1])

if has("yolo_fastest_person.tflite"):
    anchors = {20: [8, 18, 23, 55, 48, 126], 10: [179, 94, 94, 214, 216, 261]}
    image = picture("person.jpg")
    boxes, scores = [], []
    for out in run("yolo_fastest_person.tflite", resized(image, 320, 320)[None] / 255):
        side = out.shape[1]
        out = out.reshape(side, side, 3, 6)
        y, x = np.mgrid[:side, :side]
        xy = (sigmoid(out[..., :2]) + np.stack([x, y], -1)[:, :, None]) / side
        wh = np.exp(out[..., 2:4]) * np.reshape(anchors[side], (3, 2)) / 320
        boxes.append(np.concatenate([xy, wh], -1).reshape(-1, 4))
        scores.append((sigmoid(out[..., 4:5]) * sigmoid(out[..., 5:])).reshape(-1, 1))
    show("YOLO-Fastest", centered(np.concatenate(boxes)), np.concatenate(scores),
         image.shape[1::-1])

if has("nanodet_320.tflite"):
    image = picture("people.jpg")
    values = (resized(image, 320, 320)[..., ::-1] - [103.53, 116.28, 123.675]) / [
        57.375, 57.12, 58.395]
    out = run("nanodet_320.tflite", values.transpose(2, 0, 1)[None])[0][0]
    out.astype("<f4").tofile(os.path.join(models, "nanodet.f32"))
    cells = np.concatenate([
        np.stack([x.ravel(), y.ravel(), np.full(x.size, s)], 1)
        for s in (8, 16, 32) for y, x in [np.mgrid[:320 // s, :320 // s]]])
    logits = out[:, 80:].reshape(-1, 4, 8)
    parts = np.exp(logits - logits.max(-1, keepdims=True))
    edges = (parts / parts.sum(-1, keepdims=True) * np.arange(8)).sum(-1) * cells[:, 2:]
    middle = (cells[:, :2] + 0.5) * cells[:, 2:]
    corners = np.concatenate([middle - edges[:, :2], middle + edges[:, 2:]], 1) / 320
    show("NanoDet", corners, out[:, :80], image.shape[1::-1])

if has("embedder.tflite"):
    vectors = [
        run("embedder.tflite", (resized(picture(name), 96, 96)[None] - 127.5) / 127.5)[0].ravel()
        for name in ("burger.jpg", "burger_crop.jpg")]
    a, b = (v.astype(np.float64) for v in vectors)
    print("embedder", (a @ b) / np.sqrt((a @ a) * (b @ b)), a[:4])

if has("edsr.tflite"):
    larger = run("edsr.tflite", picture("small.png")[None])[0][0]
    bytes_ = np.floor(np.clip(larger, 0, 255) + 0.5).astype(np.uint8)
    Image.fromarray(bytes_).save(os.path.join(models, "edsr.png"))
    print("EDSR", bytes_.shape)

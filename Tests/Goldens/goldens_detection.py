# SPDX-License-Identifier: Apache-2.0
"""NON_MAX_SUPPRESSION_V4 and V5, and the custom operator TFLite_Detection_PostProcess."""

import numpy as np
from flatbuffers import flexbuffers

from golden_case import Case


def boxes(case, count):
    """Overlapping boxes as y1, x1, y2, x2."""
    corner = case.random.uniform(0, 0.7, (count, 2))
    size = case.random.uniform(0.1, 0.5, (count, 2))
    return np.concatenate([corner, corner + size], axis=1).astype(np.float32)


def suppression(operator, variant, name, count=12, limit=6, overlap=0.4, floor=0.2, sigma=None):
    case = Case(operator, variant, name, "arithmetic")
    case.fed(boxes(case, count))
    scores = case.random.uniform(0, 1, count).astype(np.float32)
    if variant == "f32_ties":
        scores = np.float32(np.round(scores * 4) / 4)
    case.fed(scores)
    case.constant(np.int32(limit))
    case.constant(np.float32(overlap))
    case.constant(np.float32(floor))
    if sigma is not None:
        case.constant(np.float32(sigma))
    case.result("i32")
    if sigma is not None:
        case.result("f32")
    case.result("i32")
    version = operator[-2:]
    return case.options(f"NonMaxSuppression{version}Options")


def suppressions():
    for operator, sigma in (("NON_MAX_SUPPRESSION_V4", None), ("NON_MAX_SUPPRESSION_V5", 0.0)):
        yield suppression(operator, "f32", "typical", sigma=sigma)
        yield suppression(operator, "f32", "few_pass", floor=0.8, sigma=sigma)
        yield suppression(operator, "f32", "none_pass", floor=1.5, sigma=sigma)
        yield suppression(operator, "f32", "strict", overlap=0.05, limit=12, sigma=sigma)
        yield suppression(operator, "f32_ties", "quarters", 16, 9, 0.5, 0.1, sigma)
    for sigma in (0.3, 0.5):
        name = f"soft_{int(sigma * 10)}"
        yield suppression("NON_MAX_SUPPRESSION_V5", "f32", name, limit=8, floor=0.05, sigma=sigma)


SETTINGS = {
    "max_detections": 5,
    "max_classes_per_detection": 1,
    "num_classes": 3,
    "nms_score_threshold": 0.3,
    "nms_iou_threshold": 0.5,
    "y_scale": 10.0,
    "x_scale": 10.0,
    "h_scale": 5.0,
    "w_scale": 5.0,
}


def detection(variant, name, anchors=14, background=1, fed=0, **changes):
    """Box encodings and class scores; `fed` of the anchors score above the threshold."""
    case = Case("TFLite_Detection_PostProcess", variant, name, "arithmetic")
    settings = SETTINGS | changes
    classes = settings["num_classes"] + background
    encodings = case.normal(1, anchors, 4)
    scores = case.random.uniform(0.31, 0.99, (1, anchors, classes)).astype(np.float32)
    if fed:
        scores[0, fed:] *= 0.3
    centers = case.random.uniform(0.1, 0.9, (anchors, 2))
    sizes = case.random.uniform(0.1, 0.4, (anchors, 2))
    anchor_boxes = np.float32(np.concatenate([centers, sizes], axis=1))
    if variant == "u8_q":
        codes = np.clip(np.round(encodings / 0.05) + 128, 0, 255)
        case.fed(codes, "u8", 0.05, 128)
        case.fed(np.round(scores * 255), "u8", 1 / 256, 0)
        case.constant(np.round(anchor_boxes * 255), "u8", 1 / 255, 0)
    else:
        case.fed(encodings)
        case.fed(scores)
        case.constant(anchor_boxes)
    for _ in range(4):
        case.result("f32")
    case.custom = flexbuffers.Dumps(settings)
    return case


def detections():
    for variant in ("f32", "u8_q"):
        yield detection(variant, "fast")
        yield detection(variant, "regular", use_regular_nms=True, detections_per_class=4)
    yield detection("f32", "fast_two_classes", max_classes_per_detection=2)
    yield detection("f32", "fast_no_background", background=0)
    yield detection("f32", "regular_few", fed=2, use_regular_nms=True, nms_iou_threshold=0.3)
    yield detection("f32", "regular_many", 40, use_regular_nms=True, max_detections=12)
    yield detection("f32", "fast_strict", 40, nms_iou_threshold=0.05, max_detections=4)


def cases():
    yield from suppressions()
    yield from detections()

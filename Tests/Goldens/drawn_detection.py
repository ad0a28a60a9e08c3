# SPDX-License-Identifier: Apache-2.0
"""Non-maximum suppression and detection post-processing with everything drawn at random."""

import numpy as np
from flatbuffers import flexbuffers

from goldens_detection import SETTINGS, boxes


def suppression(case, draw):
    count = draw.between(0, 40) if draw.chance(0.9) else draw.between(60, 120)
    corners = boxes(case, count) * np.float32(draw.choice([1, 1, 300]))
    if draw.chance(0.3):
        corners[:, [0, 2]] = corners[:, [2, 0]]
    if draw.chance(0.2) and count:
        corners[case.random.random(count) < 0.3] = corners[0]
    draw.place(case, 0.9)(corners)
    scores = case.random.uniform(-0.2 if draw.chance(0.2) else 0, 1, count)
    if case.variant == "f32_ties":
        steps = draw.choice([1, 2, 4, 16])
        scores = np.round(scores * steps) / steps
    case.fed(np.float32(scores))
    draw.place(case)(np.int32(draw.between(0, 30)))
    draw.place(case)(np.float32(case.random.uniform(0, 1)))
    draw.place(case)(np.float32(draw.choice([-1, 0, 0, 0.1, 0.25, 0.5, 0.9])))
    if case.operator.endswith("V5"):
        draw.place(case)(np.float32(draw.choice([0, 0, 0.1, 0.3, 0.5, 1, 3])))
    case.result("i32")
    if case.operator.endswith("V5"):
        case.result("f32")
    case.result("i32")
    case.tolerance = "exp"
    case.options(f"NonMaxSuppression{case.operator[-2:]}Options")


def settings_of(draw):
    settings = SETTINGS | {
        "max_detections": draw.between(1, 20),
        "max_classes_per_detection": draw.choice([1, 1, 1, 2, 3]),
        "num_classes": draw.between(1, 6),
        "nms_score_threshold": draw.choice([0.0, 0.1, 0.3, 0.5, 0.8, 1e-8]),
        "nms_iou_threshold": draw.choice([0.05, 0.3, 0.5, 0.6, 1.0]),
    }
    if draw.chance(0.3):
        settings |= {f"{axis}_scale": draw.choice([1.0, 4.0, 10.0]) for axis in "yxhw"}
    if draw.chance():
        settings["use_regular_nms"] = draw.chance(0.7)
    if draw.chance():
        settings["detections_per_class"] = draw.between(1, 20)
    return settings


def detection(case, draw):
    settings = settings_of(draw)
    classes = settings["num_classes"] + draw.between(0, 1)
    settings["max_classes_per_detection"] = min(
        settings["max_classes_per_detection"], settings["num_classes"])
    regular = settings.get("use_regular_nms", False)
    # Regular suppression fills max_detections rows, fast one those it reaches: the others are as
    # they were, so that there must be none.
    if regular:
        settings["max_classes_per_detection"] = 1
    anchors = draw.between(1, 40) if regular else 60
    if not regular:
        settings |= {"nms_score_threshold": 0.0, "nms_iou_threshold": 1.0}
    if not regular and draw.chance():
        settings |= {"nms_iou_threshold": 0.6, "max_detections": draw.between(1, 3)}
    coordinates = 4 if draw.chance(0.8) else draw.between(5, 8)
    encodings = case.normal(1, anchors, coordinates)
    scores = case.random.uniform(0, 1, (1, anchors, classes)).astype(np.float32)
    centers = case.random.uniform(0.1, 0.9, (anchors, 2))
    sizes = case.random.uniform(0.02, 0.4, (anchors, 2))
    anchor_boxes = np.float32(np.concatenate([centers, sizes], axis=1))
    if case.variant == "u8_q":
        codes = np.clip(np.round(encodings / 0.05) + 128, 0, 255)
        case.fed(codes, "u8", 0.05, 128)
        case.fed(np.round(scores * 255), "u8", 1 / 256, 0)
        case.constant(np.round(anchor_boxes * 255), "u8", 1 / 255, 0)
    else:
        case.fed(encodings)
        case.fed(scores)
        draw.place(case)(anchor_boxes)
    for _ in range(4):
        case.result("f32")
    case.custom = flexbuffers.Dumps(settings)
    case.tolerance = "exp"


DRAWN = {
    "NON_MAX_SUPPRESSION_V4": ("f32 f32_ties", suppression),
    "NON_MAX_SUPPRESSION_V5": ("f32 f32_ties", suppression),
    "TFLite_Detection_PostProcess": ("f32 u8_q", detection),
}

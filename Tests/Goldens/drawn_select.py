# SPDX-License-Identifier: Apache-2.0
"""SELECT, SELECT_V2 and WHERE with shapes drawn at random."""

import numpy as np

from drawn_binary import spiced
from golden_case import TYPES
from goldens_select import KINDS


def places(case, draw):
    kind, shape = case.kind, draw.shape(1, 6)
    mask = case.random.random(shape) < draw.choice([0.1, 0.5, 0.9])
    mask.reshape(-1)[0] |= draw.chance(0.8)
    values = spiced(case, draw, draw.values(case, kind, shape), kind, 0.1)
    place = case.constant if draw.chance(0.25) else case.fed
    place(np.where(mask, values, 0).astype(TYPES[kind][1]), kind)
    case.result("i64")
    return case.options("WhereOptions")


def shapes_of(operator, draw):
    shape = draw.shape(0, 8 if draw.chance(0.1) else 5, 5)
    if operator == "SELECT_V2" and draw.chance(0.8):
        shapes = [shape] + [draw.broadcast(shape) for _ in range(2)]
        return [shapes[place] for place in draw.random.permutation(3)]
    first = draw.choice([shape, shape, (), shape[:1]]) if operator == "SELECT" else shape
    return [first, shape, shape]


def selection(case, draw):
    kind = case.kind
    case.tolerance = "exact"
    condition, left, right = shapes_of(case.operator, draw)
    draw.place(case)(case.drawn(*condition, kind="bool"), "bool")
    quantized = draw.affine(kind) if kind in ("i8", "u8", "i16") and draw.chance() else ()
    for shape in (left, right):
        values = spiced(case, draw, draw.values(case, kind, shape), kind)
        draw.place(case)(values, kind, *quantized)
    case.result(kind, *quantized)
    return case.options("SelectOptions" if case.operator == "SELECT" else "SelectV2Options")


DRAWN = {
    "SELECT": (" ".join(KINDS), selection),
    "SELECT_V2": (" ".join(KINDS), selection),
    "WHERE": ("bool f32 i32 i64 i8 u8 u32", places),
}

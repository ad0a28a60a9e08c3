# SPDX-License-Identifier: Apache-2.0
"""SLICE, STRIDED_SLICE and DYNAMIC_UPDATE_SLICE, drawn at random."""

import numpy as np

from drawn_layout import begin, whole
from golden_case import TYPES


def slices(case, draw):
    shape = list(draw.shape(1, draw.choice([3, 5, 7]), 6))
    starts = [draw.between(0, d - 1) for d in shape]
    sizes = [draw.between(0 if draw.chance(0.05) else 1, d - s) for d, s in zip(shape, starts)]
    sizes = [-1 if draw.chance(0.2) else size for size in sizes]
    affine = begin(case, draw, shape)
    kind = TYPES[whole(draw)][1]
    draw.place(case)(np.array(starts, kind))
    draw.place(case)(np.array(sizes, kind))
    case.result(case.kind, *affine)
    case.options("SliceOptions")


def bits(draw, count, probability):
    return sum(1 << i for i in range(count) if draw.chance(probability))


def entry(draw, size, shrunk):
    """Begin, end and stride of one axis."""
    if shrunk:
        first = draw.between(-size, size - 1)
        return first, draw.choice([first + 1, 0, 99]), 1
    stride = draw.choice([1, 1, 1, 2, 3, -1, -1, -2])
    far = size + (2 if draw.chance(0.3) else 0)
    return draw.between(-far, far), draw.between(-far, far), stride


def strided(case, draw):
    """Each index is an axis, a new axis or the ellipsis; masks may overlap."""
    shape = draw.shape(1, 5, 5)
    count = draw.between(1, len(shape))
    indices = [("axis", i) for i in range(count)]
    if draw.chance(0.3):
        for _ in range(draw.between(1, 2)):
            indices.insert(draw.between(0, len(indices)), ("new", 0))
    if draw.chance(0.3):
        at = draw.between(0, len(indices))
        before = sum(1 for kind, _ in indices[:at] if kind == "axis")
        after = sum(1 for kind, _ in indices[at:] if kind == "axis")
        if draw.chance() and before + after == len(shape) and after:
            drop = next(i for i in range(at, len(indices)) if indices[i][0] == "axis")
            del indices[drop]
            after -= 1
        head = [(k, n) for k, n in indices[:at]]
        tail = [(k, len(shape) - after + i) for i, (k, _) in enumerate(
            x for x in indices[at:] if x[0] == "axis")]
        rest = iter(tail)
        indices = head + [("ellipsis", 0)] + [
            next(rest) if k == "axis" else (k, n) for k, n in indices[at:]]
    masks = {"beginMask": bits(draw, len(indices), 0.2), "endMask": bits(draw, len(indices), 0.2)}
    shrink = new = ellipsis = 0
    rows = []
    for place, (kind, axis) in enumerate(indices):
        shrunk = kind == "axis" and draw.chance(0.2)
        if shrunk:
            shrink |= 1 << place
            masks["beginMask"] &= ~(1 << place)
        new |= (kind == "new") << place
        ellipsis |= (kind == "ellipsis") << place
        rows.append(entry(draw, shape[axis], shrunk))
    if draw.chance(0.05):
        shrink |= new
    masks |= {"shrinkAxisMask": shrink, "newAxisMask": new, "ellipsisMask": ellipsis}
    if draw.chance(0.1) and not new and not ellipsis:
        rows, masks = offsets(draw, shape[:count]), {"offset": True}
    begin(case, draw, shape)
    for numbers in zip(*rows):
        draw.place(case)(np.array(numbers, np.int32))
    case.result(case.kind)
    case.options("StridedSliceOptions", **{k: v for k, v in masks.items() if v})


def offsets(draw, shape):
    """Begins, lengths and strides: ends count from the begins."""
    rows = []
    for size in shape:
        first = draw.between(0, size - 1)
        rows.append((first, draw.between(1, size - first), draw.choice([1, 1, 2])))
    return rows


def update(case, draw):
    shape = draw.shape(1, draw.choice([3, 5]), 6)
    part = [d if draw.chance(0.3) else draw.between(0 if draw.chance(0.03) else 1, d)
            for d in shape]
    begin(case, draw, shape)
    draw.place(case, 0.8)(draw.values(case, case.kind, part), case.kind)
    starts = [draw.between(-2, d + 1) if draw.chance(0.2) else draw.between(0, d - p)
              for d, p in zip(shape, part)]
    draw.place(case, 0.6)(np.array(starts), whole(draw))
    case.result(case.kind)
    case.options("DynamicUpdateSliceOptions")


DRAWN = {
    "SLICE": ("f32 i8 u8 i16 i32 i64 bool str f16 i4 u32 i8_q", slices),
    "STRIDED_SLICE": ("f32 i8 u8 i16 i32 i64 bool str f16 u32", strided),
    "DYNAMIC_UPDATE_SLICE": ("f32 i8 i16 i32 i64 bool f16 i4 u8", update),
}

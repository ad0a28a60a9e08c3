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


def bits(draw, places, probability):
    return sum(1 << i for i in places if draw.chance(probability))


def entry(draw, size, shrunk):
    """Begin, end and stride of one axis."""
    if shrunk:
        first = draw.between(-size, size - 1)
        return first, draw.choice([first + 1, 0, 99]), 1
    stride = draw.choice([1, 1, 1, 2, 3, -1, -1, -2])
    far = 2 if draw.chance(0.1) else 0
    first, last = draw.between(-far, size - 1), draw.between(1, size + far)
    if stride < 0:
        first, last = last, first - 1 if first > 0 else -size - 1
    first, last = (n - size if n < size and draw.chance(0.2) else n for n in (first, last))
    return first, last, stride


def entries(draw, shape):
    """What each entry of an index is about: an axis' length, a new axis or the ellipsis."""
    indices = list(shape[: draw.between(1, len(shape))])
    if draw.chance(0.3):
        # The runtime lets the ellipsis stand for at least one axis, which it may not find.
        kept = indices[: draw.between(0, len(indices) - 1)]
        tail = draw.between(0, len(shape) - 1 - len(kept))
        indices = [*kept, "ellipsis", *shape[len(shape) - tail :]]
    for _ in range(draw.between(1, 2) if draw.chance(0.3) else 0):
        indices.insert(draw.between(0, len(indices)), "new")
    return indices


def strided(case, draw):
    shape = draw.shape(1, 5, 5)
    indices = entries(draw, shape)
    axes = [place for place, index in enumerate(indices) if isinstance(index, int)]
    shrunk = [place for place in axes if draw.chance(0.2)]
    rows = [entry(draw, index if place in axes else 3, place in shrunk)
            for place, index in enumerate(indices)]
    masks = {
        "beginMask": bits(draw, [i for i in range(len(indices)) if i not in shrunk], 0.2),
        "endMask": bits(draw, range(len(indices)), 0.2),
        "shrinkAxisMask": bits(draw, shrunk, 1),
        "newAxisMask": sum(1 << i for i, index in enumerate(indices) if index == "new"),
        "ellipsisMask": sum(1 << i for i, index in enumerate(indices) if index == "ellipsis"),
    }
    if draw.chance(0.2) and indices == list(shape):
        rows, masks = offsets(draw, indices), {"offset": True}
    begin(case, draw, shape)
    for numbers in zip(*rows):
        # With offsets the runtime reads the ends before they are fed.
        place = case.constant if "offset" in masks else draw.place(case)
        place(np.array(numbers, np.int32))
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

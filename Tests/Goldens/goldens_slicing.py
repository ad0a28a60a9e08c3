# SPDX-License-Identifier: Apache-2.0
"""SLICE and STRIDED_SLICE."""

import numpy as np

from golden_case import Case


def ints(values):
    return np.array(values, np.int32)


# Shape, begin, size.
SLICES = {
    "matrix": ((3, 5), (1, 2), (2, 2)),
    "to_the_end": ((2, 3, 4), (0, 1, 2), (-1, -1, 1)),
    "vector": ((6,), (4,), (2,)),
    "nothing": ((2, 3), (1, 1), (1, 0)),
    "rank_5": ((2, 2, 1, 3, 2), (1, 0, 0, 1, 0), (1, 2, 1, 2, 1)),
}

# Shape, begin, end, strides, masks (by their first letters).
STRIDED = {
    "plain": ((3, 5), (1, 1), (3, 4), (1, 1), {}),
    "steps": ((7,), (1,), (7,), (2,), {}),
    "backwards": ((7,), (5,), (0,), (-2,), {}),
    "reversed": ((2, 4), (0, -1), (2, -6), (1, -1), {}),
    "begin_mask": ((4, 3), (2, 1), (4, 2), (1, 1), {"beginMask": 1}),
    "end_mask": ((4, 3), (1, 1), (2, 2), (1, 1), {"endMask": 3}),
    "both_masks_backwards": ((5,), (1,), (2,), (-1,), {"beginMask": 1, "endMask": 1}),
    "negative_ends": ((5, 4), (-3, -4), (-1, -1), (1, 2), {}),
    "beyond": ((3, 3), (-9, 1), (9, 7), (1, 1), {}),
    "shrink": ((3, 4), (1, 0), (2, 4), (1, 1), {"shrinkAxisMask": 1}),
    "shrink_negative": ((3, 4), (0, -1), (3, 0), (1, 1), {"shrinkAxisMask": 2}),
    "shrink_all": ((3, 4), (2, 1), (3, 2), (1, 1), {"shrinkAxisMask": 3}),
    "new_axis": ((3, 4), (0, 1, 0), (0, 3, 2), (1, 1, 1), {"newAxisMask": 1}),
    "ellipsis": ((2, 3, 4), (0, 1), (0, 3), (1, 1), {"ellipsisMask": 1}),
    "ellipsis_new_axis": (
        (2, 3),
        (0, 0, 1),
        (0, 0, 2),
        (1, 1, 1),
        {"ellipsisMask": 1, "newAxisMask": 2},
    ),
    "fewer_indices": ((2, 3, 2), (1,), (2,), (1,), {}),
    "nothing": ((4,), (3,), (1,), (1,), {}),
    "offset": ((6,), (2,), (3,), (1,), {"offset": True}),
    "rank_5": ((2, 2, 3, 2, 2), (0, 1, 0, 0, 1), (2, 2, 3, 2, 2), (1, 1, 2, 1, 1), {}),
}


def cases():
    for kind in "f32 i8 u8 i16 i32 i64 bool str f16 i4 u32".split():
        for name in SLICES if kind == "f32" else ("to_the_end",):
            shape, begin, size = SLICES[name]
            case = Case("SLICE", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.constant(ints(begin))
            case.constant(ints(size))
            case.result(kind)
            yield case.options("SliceOptions")
    case = Case("SLICE", "f32", "at_run_time", "exact")
    case.fed(case.drawn(3, 4))
    case.fed(np.array([1, 0], np.int64))
    case.fed(np.array([2, -1], np.int64))
    case.result("f32")
    yield case.options("SliceOptions")
    for kind in "f32 i8 u8 i16 i32 i64 bool str f16 u32".split():
        for name in STRIDED if kind == "f32" else ("plain", "reversed"):
            shape, begin, end, strides, masks = STRIDED[name]
            case = Case("STRIDED_SLICE", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            for operand in (begin, end, strides):
                case.constant(ints(operand))
            case.result(kind)
            yield case.options("StridedSliceOptions", **masks)

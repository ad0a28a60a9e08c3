# SPDX-License-Identifier: Apache-2.0
"""Joining, splitting, reshaping and permuting, drawn at random."""

import math

import numpy as np
from ai_edge_litert.schema_py_generated import TensorType

from golden_case import TYPES


def begin(case, draw, shape, fixed=0.1):
    """Adds the operand that is moved about; gives its scale and zero point."""
    case.tolerance = "exact"
    affine = draw.affine(case.kind) if case.variant.endswith("_q") else ((), 0)
    draw.place(case, 1 - fixed)(draw.values(case, case.kind, shape), case.kind, *affine)
    return affine


def axis_of(draw, rank):
    axis = draw.between(0, rank - 1)
    return axis - rank if draw.chance(0.3) else axis


def whole(draw):
    return draw.choice(["i32", "i32", "i64"])


def concatenation(case, draw):
    if draw.chance(0.05):
        shapes, axis = [()] * draw.between(1, 5), 0
    else:
        shape = draw.shape(1, draw.choice([4, 6, 8]), 5)
        axis = axis_of(draw, len(shape))
        shapes = [list(shape) for _ in range(draw.choice([1, 2, 2, 3, 4, 9]))]
        for other in shapes:
            other[axis] = 0 if draw.chance(0.05) else draw.size(5)
    common = begin(case, draw, shapes[0], 1 if shapes[0] == () else 0.1)
    unequal = case.kind == "u8" and draw.chance(0.6)
    for shape in shapes[1:]:
        affine = draw.affine("u8") if unequal else common
        place = draw.place(case, 0 if shape == () else 0.8)
        place(draw.values(case, case.kind, shape), case.kind, *affine)
    case.result(case.kind, *(draw.affine("u8") if unequal and draw.chance(0.8) else common))
    case.options("ConcatenationOptions", axis=axis)


def factors(draw, count):
    """Dimensions whose product is `count`."""
    dims = []
    while count > 1 and draw.chance(0.8):
        dims.append(draw.choice([d for d in range(1, count + 1) if count % d == 0]))
        count //= dims[-1]
    return dims + ([count] if count != 1 or draw.chance(0.3) else [])


def reshape(case, draw):
    shape = () if draw.chance(0.1) else draw.shape(1, 6, 5)
    if draw.chance(0.08):
        shape = (0, *shape)
    target = factors(draw, math.prod(shape)) if math.prod(shape) else draw.choice(
        [[0], [3, 0], [0, -1, 2], [-1, 0], [0, 4, 0]])
    if target and -1 not in target and draw.chance(0.4):
        target[draw.between(0, len(target) - 1)] = -1
    begin(case, draw, shape)
    form = draw.choice(["options", "operand", "operand", "fed", "both"])
    if form != "options":
        (case.fed if form == "fed" else case.constant)(np.array(target, np.int32))
    case.result(case.kind)
    options = {"options": target or [0], "both": [7, 7]}.get(form)
    case.options("ReshapeOptions", **({"newShape": options} if options else {}))


def squeeze(case, draw):
    shape = [1 if draw.chance(0.5) else d for d in draw.shape(1, 8, 3)]
    ones = [i for i, d in enumerate(shape) if d == 1]
    dims = [i - len(shape) if draw.chance(0.3) else i for i in draw.some(ones)]
    begin(case, draw, tuple(shape))
    case.result(case.kind)
    case.options("SqueezeOptions", squeezeDims=dims if draw.chance(0.9) else None)


def expansion(case, draw):
    shape = draw.shape(0, 6, 4)
    begin(case, draw, shape)
    kind = whole(draw)
    axis = np.array(axis_of(draw, len(shape) + 1), TYPES[kind][1])
    draw.place(case)(axis.reshape(1) if draw.chance() else axis)
    case.result(case.kind)
    case.options("ExpandDimsOptions")


def measure(case, draw):
    shape = list(draw.shape(0, 6, 4))
    if shape and draw.chance(0.1):
        shape[0] = 0
    kind = case.kind if case.operator == "RANK" else draw.choice(["f32", "i8", "i64", "bool"])
    case.fed(draw.values(case, kind, shape), kind)
    case.result("i32" if case.operator == "RANK" else case.variant)
    if case.operator == "RANK":
        return case.options("RankOptions")
    code = TensorType.INT64 if case.variant == "i64" else TensorType.INT32
    return case.options("ShapeOptions", outType=code)


def pack(case, draw):
    shape, count = draw.shape(0, 4, 5), draw.choice([1, 2, 3, 5])
    affine = begin(case, draw, shape)
    for _ in range(count - 1):
        draw.place(case, 0.8)(draw.values(case, case.kind, shape), case.kind, *affine)
    case.result(case.kind, *affine)
    case.options("PackOptions", valuesCount=count, axis=axis_of(draw, len(shape) + 1))


def unpack(case, draw):
    shape = draw.shape(1, 5, 5)
    axis = axis_of(draw, len(shape))
    affine = begin(case, draw, shape)
    for _ in range(shape[axis]):
        case.result(case.kind, *affine)
    case.options("UnpackOptions", num=shape[axis], axis=axis)


def split(case, draw):
    shape, count = list(draw.shape(1, 5, 4)), draw.between(1, 4)
    axis = axis_of(draw, len(shape))
    shape[axis] *= count
    draw.place(case)(np.array(axis, np.int32).reshape((1,) * draw.between(0, 1)))
    begin(case, draw, shape)
    for _ in range(count):
        case.result(case.kind)
    case.options("SplitOptions", numSplits=count)


def split_v(case, draw):
    shape = list(draw.shape(1, 5, 4))
    axis = axis_of(draw, len(shape))
    sizes = [draw.between(0, 4) for _ in range(draw.between(1, 4))]
    shape[axis] = sum(sizes)
    if draw.chance(0.4):
        sizes[draw.between(0, len(sizes) - 1)] = -1
    begin(case, draw, shape)
    draw.place(case)(np.array(sizes), whole(draw))
    draw.place(case)(np.array(axis, np.int32).reshape((1,) * draw.between(0, 1)))
    for _ in sizes:
        case.result(case.kind)
    case.options("SplitVOptions", numSplits=len(sizes))


def transpose(case, draw):
    shape = list(draw.shape(1, draw.choice([3, 4, 6, 8]), 5))
    if draw.chance(0.04):
        shape[0] = 0
    order = [i - len(shape) if draw.chance(0.1) else i for i in draw.some(range(len(shape)), 99)]
    begin(case, draw, shape)
    draw.place(case)(np.array(order, np.int32))
    case.result(case.kind)
    case.options("TransposeOptions")


DRAWN = {
    "CONCATENATION": ("f32 i8_q u8_q i16_q i32 i64 bool f16 i4_q u32 bf16", concatenation),
    "RESHAPE": ("f32 i8 u8 i16 i32 i64 bool f16 str bf16 u32 c64 f64 i4 u16 u64", reshape),
    "SQUEEZE": ("f32 i8 i32 bool str i64", squeeze),
    "EXPAND_DIMS": ("f32 i8 i32 u8 i16 bool str i64", expansion),
    "SHAPE": ("i32 i64", measure),
    "RANK": ("f32 i8 i64 bool", measure),
    "PACK": ("f32 i8 u8 i16 i32 i64 u32 i8_q u8_q", pack),
    "UNPACK": ("f32 i8 u8 i16 i32 bool f16 bf16 i8_q u8_q", unpack),
    "SPLIT": ("f32 i8 u8 i16 i32 i64", split),
    "SPLIT_V": ("f32 i8 u8 i16 i32 i64", split_v),
    "TRANSPOSE": ("f32 i8 u8 i16 i32 i64 bool f16 i4 u32 c64", transpose),
}

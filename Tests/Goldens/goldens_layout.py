# SPDX-License-Identifier: Apache-2.0
"""Operators that join, split, reshape, permute, repeat and pad; values are copied."""

import numpy as np
from ai_edge_litert.schema_py_generated import MirrorPadMode, TensorType

from golden_case import AFFINE, Case, rows_for


def ints(*values):
    return np.array(values, np.int32)


def start(operator, variant, name, shape):
    """A case whose first operand has `shape`; its type, scale and zero point come back too."""
    case = Case(operator, variant, name, "exact")
    kind = variant.removesuffix("_q")
    affine = AFFINE[kind] if variant.endswith("_q") else ((), 0)
    case.fed(case.drawn(*shape, kind=kind), kind, *affine)
    return case, kind, affine


def concatenation():
    layouts = {
        "last": (((2, 3), (2, 1), (2, 4)), 1),
        "first": (((1, 3, 2), (2, 3, 2)), 0),
        "negative": (((2, 1, 3), (2, 2, 3)), -2),
    }
    for variant in "f32 i8_q u8_q i16_q i32 i64 bool f16 i4_q u32 bf16".split():
        for name in rows_for(variant.removesuffix("_q"), layouts):
            shapes, axis = layouts[name]
            case, kind, affine = start("CONCATENATION", variant, name, shapes[0])
            for shape in shapes[1:]:
                case.fed(case.drawn(*shape, kind=kind), kind, *affine)
            case.result(kind, *affine)
            yield case.options("ConcatenationOptions", axis=axis)
    case, kind, _ = start("CONCATENATION", "f32", "one", (3, 4))
    case.result("f32")
    yield case.options("ConcatenationOptions", axis=0)
    case = Case("CONCATENATION", "u8_q", "rescaled", "exact")
    for scale, zero in ((0.05, 120), (0.02, 7), (0.11, 200)):
        case.fed(case.codes(4, 9, kind="u8"), "u8", scale, zero)
    case.result("u8", 0.06, 131)
    yield case.options("ConcatenationOptions", axis=1)
    case = Case("CONCATENATION", "u8_q", "scalars", "exact")
    for code, scale, zero in ((7, 0.05, 120), (200, 0.02, 7), (120, 0.11, 200)):
        case.constant(np.uint8(code), "u8", scale, zero)
    case.result("u8", 0.06, 131)
    yield case.options("ConcatenationOptions", axis=0)


def reshape():
    for kind in "f32 i8 u8 i16 i32 i64 bool f16 str bf16 u32 c64 f64 i4 u16 u64".split():
        case, kind, _ = start("RESHAPE", kind, "operand", (2, 3, 4))
        case.constant(ints(4, -1))
        case.result(kind)
        yield case.options("ReshapeOptions", newShape=[4, -1])
    for name, shape, target in (
        ("to_scalar", (1, 1), []),
        ("from_scalar", (), [1, 1, 1]),
        ("rank_5", (24,), [2, 1, 3, 2, 2]),
        ("empty", (0, 3), [3, 0]),
    ):
        case, kind, _ = start("RESHAPE", "f32", name, shape)
        case.constant(ints(*target))
        case.result(kind)
        yield case.options("ReshapeOptions", newShape=target)
    case, kind, _ = start("RESHAPE", "f32", "from_options", (2, 6))
    case.result(kind)
    yield case.options("ReshapeOptions", newShape=[3, -1])
    case, kind, _ = start("RESHAPE", "f32", "shape_at_run_time", (2, 6))
    case.fed(ints(-1, 2))
    case.result(kind)
    yield case.options("ReshapeOptions")


def squeeze_and_expand():
    for kind in "f32 i8 i32 bool str i64".split():
        rows = (("all", (1, 3, 1, 2, 1), []), ("some", (1, 3, 1, 2), [0, -2]))
        for name, shape, dims in rows_for(kind, rows):
            case, kind, _ = start("SQUEEZE", kind, name, shape)
            case.result(kind)
            yield case.options("SqueezeOptions", squeezeDims=dims)
    for kind in "f32 i8 i32 u8 i16 bool str i64".split():
        for name, axis in rows_for(kind, (("first", 0), ("negative", -1))):
            case, kind, _ = start("EXPAND_DIMS", kind, name, (2, 3))
            case.constant(np.int32(axis))
            case.result(kind)
            yield case.options("ExpandDimsOptions")
    for output, code in (("i32", TensorType.INT32), ("i64", TensorType.INT64)):
        for name, shape in (("rank_3", (2, 5, 3)), ("empty", (0, 4))):
            case = Case("SHAPE", output, name)
            case.fed(case.drawn(*shape))
            case.result(output)
            yield case.options("ShapeOptions", outType=code)


def pack_and_unpack():
    for kind in "f32 i8 u8 i16 i32 i64 u32".split():
        rows = (("first", (2, 3), 0), ("scalars", (), 0), ("last", (2, 3), -1))
        for name, shape, axis in rows_for(kind, rows):
            case, kind, _ = start("PACK", kind, name, shape)
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.result(kind)
            yield case.options("PackOptions", valuesCount=3, axis=axis)
    for kind in "f32 i8 u8 i16 i32 bool f16 bf16".split():
        rows = (("first", (3, 2, 2), 0), ("negative", (2, 3, 2), -2))
        for name, shape, axis in rows_for(kind, rows):
            case, kind, _ = start("UNPACK", kind, name, shape)
            for _ in range(3):
                case.result(kind)
            yield case.options("UnpackOptions", num=3, axis=axis)


def split():
    for kind in "f32 i8 u8 i16 i32 i64".split():
        rows = (("last", (2, 6), 1), ("negative", (4, 3, 2), -3))
        for name, shape, axis in rows_for(kind, rows):
            case = Case("SPLIT", kind, name, "exact")
            case.constant(np.int32(axis))
            case.fed(case.drawn(*shape, kind=kind), kind)
            for _ in range(2):
                case.result(kind)
            yield case.options("SplitOptions", numSplits=2)
        rows = (("uneven", (1, 4, 2), 1), ("inferred", (2, -1, 1), -1))
        for name, sizes, axis in rows_for(kind, rows):
            case, kind, _ = start("SPLIT_V", kind, name, (2, 7))
            case.constant(ints(*sizes))
            case.constant(np.int32(axis))
            for _ in range(3):
                case.result(kind)
            yield case.options("SplitVOptions", numSplits=3)


def transpose():
    orders = {
        "matrix": ((3, 5), (1, 0)),
        "reversed": ((2, 3, 4), (2, 1, 0)),
        "channels_first": ((1, 3, 2, 4), (0, 3, 1, 2)),
    }
    for kind in "f32 i8 u8 i16 i32 i64 bool f16 i4 u32 c64".split():
        for name in rows_for(kind, orders):
            shape, order = orders[name]
            case, kind, _ = start("TRANSPOSE", kind, name, shape)
            case.constant(ints(*order))
            case.result(kind)
            yield case.options("TransposeOptions")
    for name, shape, order in (
        ("rank_5", (2, 1, 3, 2, 2), (4, 2, 0, 3, 1)),
        ("rank_6", (2, 1, 3, 1, 2, 2), (5, 0, 4, 1, 3, 2)),
        ("negative", (2, 3, 4), (-1, 0, 1)),
        ("empty", (0, 3), (1, 0)),
        ("vector", (4,), (0,)),
    ):
        case, kind, _ = start("TRANSPOSE", "f32", name, shape)
        case.constant(ints(*order))
        case.result(kind)
        yield case.options("TransposeOptions")


def pads():
    rank_4 = ints([0, 0], [1, 2], [0, 1], [2, 0])
    for variant in "f32 i8_q u8_q i16_q i32 i64 bool f16 bf16 i8".split():
        for operator in ("PAD", "PADV2"):
            table = "PadOptions" if operator == "PAD" else "PadV2Options"
            case, kind, affine = start(operator, variant, "rank_4", (1, 2, 3, 2))
            case.constant(rank_4)
            if operator == "PADV2":
                case.constant(case.drawn(kind=kind).reshape(1), kind, *affine)
            case.result(kind, *affine)
            yield case.options(table)
    for kind in ("i32", "i64", "i8", "i16"):
        case, _, _ = start("PAD", "f32", f"paddings_{kind}", (2, 3))
        case.constant(np.array([[1, 0], [2, 1]]), kind)
        case.result("f32")
        yield case.options("PadOptions")
    for name, shape, paddings in (
        ("vector", (3,), [[2, 1]]),
        ("rank_5", (1, 2, 1, 2, 1), [[0, 1], [1, 0], [0, 0], [1, 1], [0, 2]]),
        ("none", (2, 2), [[0, 0], [0, 0]]),
        ("empty", (0, 2), [[1, 1], [0, 1]]),
    ):
        case, kind, _ = start("PAD", "f32", name, shape)
        case.constant(ints(*paddings))
        case.result(kind)
        yield case.options("PadOptions")
    case, kind, _ = start("PAD", "f32", "paddings_at_run_time", (2, 3))
    case.fed(ints([1, 0], [0, 2]))
    case.result(kind)
    yield case.options("PadOptions")
    for kind in "f32 i8 u8 i16 i32 i64 bool".split():
        rows = (
            ("reflect", MirrorPadMode.REFLECT, ([1, 2], [3, 0])),
            ("symmetric", MirrorPadMode.SYMMETRIC, ([2, 1], [0, 4])),
        )
        for name, mode, paddings in rows_for(kind, rows):
            case, kind, _ = start("MIRROR_PAD", kind, name, (3, 4))
            case.constant(ints(*paddings))
            case.result(kind)
            yield case.options("MirrorPadOptions", mode=mode)
    case, kind, _ = start("MIRROR_PAD", "f32", "rank_4", (1, 3, 3, 2))
    case.constant(ints([0, 0], [2, 1], [1, 2], [0, 1]))
    case.result(kind)
    yield case.options("MirrorPadOptions", mode=MirrorPadMode.REFLECT)


def tile_and_fill():
    for kind in "f32 i8 u8 i32 i64 bool str i16".split():
        rows = (("matrix", (2, 3), (2, 1)), ("rank_3", (1, 2, 2), (3, 1, 2)))
        for name, shape, times in rows_for(kind, rows):
            case, kind, _ = start("TILE", kind, name, shape)
            case.constant(ints(*times))
            case.result(kind)
            yield case.options("TileOptions")
    case, _, _ = start("TILE", "f32", "zero_times", (2, 3))
    case.constant(np.array([0, 2], np.int64))
    case.result("f32")
    yield case.options("TileOptions")
    for kind in "f32 i8 i16 i32 i64 bool str f16 u8".split():
        rows = (("scalar", ()), ("empty", (2, 0)), ("matrix", (2, 3)))
        for name, dims in rows_for(kind, rows):
            case = Case("FILL", kind, name, "exact")
            place = case.constant if dims else case.fed
            place(np.array(dims, np.int64 if name == "empty" else np.int32))
            case.fed(case.drawn(1, kind=kind).reshape(()), kind)
            case.result(kind)
            yield case.options("FillOptions")


def blocks():
    for kind in "f32 i8 u8 i32 i64".split():
        for name, shape, block in (("two", (1, 4, 6, 2), 2), ("three", (2, 3, 6, 1), 3)):
            case, kind, _ = start("SPACE_TO_DEPTH", kind, name, shape)
            case.result(kind)
            yield case.options("SpaceToDepthOptions", blockSize=block)
        for name, shape, block in (("two", (1, 2, 3, 8), 2), ("three", (2, 1, 2, 9), 3)):
            case, kind, _ = start("DEPTH_TO_SPACE", kind, name, shape)
            case.result(kind)
            yield case.options("DepthToSpaceOptions", blockSize=block)
    for kind in "f32 i8 u8 i16 i32 i64".split():
        rows = (
            ("even", (1, 4, 6, 2), (2, 3), ([0, 0], [0, 0])),
            ("rank_3", (1, 5, 2), (2,), ([1, 2],)),
            ("padded", (2, 3, 5, 1), (2, 2), ([1, 0], [0, 1])),
        )
        for name, shape, block, paddings in rows_for(kind, rows):
            case, kind, _ = start("SPACE_TO_BATCH_ND", kind, name, shape)
            case.constant(ints(*block))
            case.constant(ints(*paddings))
            case.result(kind)
            yield case.options("SpaceToBatchNDOptions")
        rows = (
            ("even", (6, 2, 2, 2), (2, 3), ([0, 0], [0, 0])),
            ("rank_3", (4, 3, 2), (2,), ([1, 2],)),
            ("cropped", (4, 2, 3, 1), (2, 2), ([1, 0], [0, 2])),
        )
        for name, shape, block, crops in rows_for(kind, rows):
            case, kind, _ = start("BATCH_TO_SPACE_ND", kind, name, shape)
            case.constant(ints(*block))
            case.constant(ints(*crops))
            case.result(kind)
            yield case.options("BatchToSpaceNDOptions")


def cases():
    yield from concatenation()
    yield from reshape()
    yield from squeeze_and_expand()
    yield from pack_and_unpack()
    yield from split()
    yield from transpose()
    yield from pads()
    yield from tile_and_fill()
    yield from blocks()

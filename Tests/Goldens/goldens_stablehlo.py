# SPDX-License-Identifier: Apache-2.0
"""The StableHLO operators that the runtime has kernels for, but control flow and random bits."""

import numpy as np

from golden_case import Case, code_range

ALL = "f32 f16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool".split()
WHOLE = "i8 u8 i16 u16 i32 u32 i64 u64 bool".split()
FLOATS = ("f32", "f16", "f64")


def binary(operator, kind, name, left, right, kernels="BUILTIN_REF"):
    case = Case(operator, kind, name, "exact", kernels)
    case.fed(left, kind)
    case.fed(right, kind)
    case.result(kind)
    return case


def operands(operator, kind, name, shape):
    case = Case(operator, kind, name)
    return case.drawn(*shape, kind=kind), case.drawn(*shape, kind=kind)


def elementwise():
    for operator in ("ADD", "MULTIPLY", "MAXIMUM", "MINIMUM", "AND"):
        operator = f"STABLEHLO_{operator}"
        logic = operator.endswith("AND")
        kernels = "BUILTIN_WITHOUT_DEFAULT_DELEGATES" if logic else "BUILTIN_REF"
        for kind in WHOLE if logic else ALL:
            for name, shape in {"matrix": (3, 7), "scalar": (), "rank_4": (2, 1, 3, 2)}.items():
                if kind in ("f32", "i32") or name == "matrix":
                    left, right = operands(operator, kind, name, shape)
                    yield binary(operator, kind, name, left, right, kernels)
            if kind in FLOATS and not logic:
                values = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.5]
                left, right = (grid.ravel() for grid in np.meshgrid(values, values))
                yield binary(operator, kind, "special", left, right)
            elif kind != "bool":
                low, high = code_range(kind)
                values = np.array([low, high, 0, 1, 3], np.uint64 if kind == "u64" else np.int64)
                left, right = (grid.ravel() for grid in np.meshgrid(values, values))
                yield binary(operator, kind, "extremes", left, right, kernels)


def shifts():
    operator = "STABLEHLO_SHIFT_LEFT"
    for kind, width in {"i8": 8, "i16": 16, "i32": 32}.items():
        case = Case(operator, kind, "all_counts")
        values = case.codes(3, width, kind=kind)
        counts = np.tile(np.arange(width), (3, 1))
        yield binary(
            operator, kind, "all_counts", values, counts, "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
        )


# Shape, low, high, interior.
PADS = {
    "edges": ((2, 3), (1, 0), (0, 2), (0, 0)),
    "interior": ((3, 2), (0, 0), (0, 0), (1, 2)),
    "all": ((2, 3), (2, 1), (1, 3), (2, 1)),
    "crop": ((4, 5), (-1, -2), (-2, 0), (0, 0)),
    "crop_interior": ((5, 4), (-1, -3), (-2, -1), (1, 2)),
    "crop_and_pad": ((4, 4), (-1, 3), (2, -2), (1, 0)),
    "crop_all_elements": ((2,), (-1,), (-1,), (3,)),
    "nothing_left": ((2, 3), (-2, 0), (0, 1), (0, 0)),
    "less_than_nothing": ((2, 3), (-2, 1), (-3, 1), (0, 0)),
    "empty": ((0, 2), (1, 0), (2, 1), (0, 1)),
    "vector": ((5,), (3,), (1,), (1,)),
    "rank_4": ((2, 1, 2, 3), (0, 1, 0, -1), (1, 0, 0, 1), (0, 2, 1, 1)),
}


def pads():
    for kind in "f32 i32 i8 i64 bool f16 u8 i16".split():
        for name, (shape, low, high, interior) in PADS.items():
            if kind not in ("f32", "i8") and name not in ("all", "crop_interior"):
                continue
            case = Case("STABLEHLO_PAD", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.constant(case.drawn(kind=kind), kind)
            case.result(kind)
            yield case.options(
                "StablehloPadOptions",
                edgePaddingLow=low,
                edgePaddingHigh=high,
                interiorPadding=interior,
            )


# Shape, indices, offset axes, collapsed axes, index map, vector axis, slice sizes, output shape.
GATHERS = {
    "rows": ((4, 3), [[2], [0], [3]], (1,), (0,), (0,), 1, (1, 3), (3, 3)),
    "columns": ((4, 3), [[2], [1]], (0,), (1,), (1,), 1, (4, 1), (4, 2)),
    "blocks": ((5, 6), [[0, 1], [2, 3], [1, 0]], (1, 2), (), (0, 1), 1, (2, 3), (3, 2, 3)),
    "beyond": ((5, 6), [[9, -4], [4, 5], [-1, 2]], (1, 2), (), (0, 1), 1, (2, 3), (3, 2, 3)),
    "swapped_map": ((5, 6), [[0, 4], [5, 1]], (1,), (0,), (1, 0), 1, (1, 2), (2, 2)),
    "vector_axis_first": ((4, 5), [[0, 3, 2], [1, 0, 4]], (1,), (0,), (0, 1), 0, (1, 2), (3, 2)),
    "mixed_axes": (
        (3, 4, 2),
        [[[0, 0], [0, 1]], [[2, 1], [1, 2]]],
        (1, 3),
        (0,),
        (0, 1),
        2,
        (1, 2, 2),
        (2, 2, 2, 2),
    ),
    "elements": ((3, 3), [[1, 2], [0, 0]], (), (0, 1), (0, 1), 1, (1, 1), (2,)),
    "no_indices": ((3, 2), np.zeros((0, 1)), (1,), (0,), (0,), 1, (1, 2), (0, 2)),
}


def gathers():
    for kind in "f32 i32 i8 i64 bool f16 u8 i16".split():
        for name, row in GATHERS.items():
            if kind not in ("f32", "i8") and name not in ("blocks", "beyond"):
                continue
            shape, indices, offsets, collapsed, index_map, axis, sizes, output = row
            for index in ("i32", "i64") if kind == "f32" else ("i32",):
                case = Case("STABLEHLO_GATHER", kind, f"{name}_{index}", "exact")
                case.fed(case.drawn(*shape, kind=kind), kind)
                case.fed(np.array(indices), index)
                case.result(kind, shape=output)
                yield case.options(
                    "StablehloGatherOptions",
                    offsetDims=offsets,
                    collapsedSliceDims=collapsed,
                    startIndexMap=index_map,
                    indexVectorDim=axis,
                    sliceSizes=sizes,
                )


# Shape, indices, updates' shape, window axes, inserted axes, operand axes, vector axis.
SCATTERS = {
    "rows": ((4, 3), [[2], [0], [2]], (3, 3), (1,), (0,), (0,), 1),
    "elements": ((3, 4), [[0, 1], [2, 3], [0, 1], [1, 0]], (4,), (), (0, 1), (0, 1), 1),
    "blocks": ((4, 5), [[0, 1], [2, 2], [1, 0]], (3, 2, 3), (1, 2), (), (0, 1), 1),
    "beyond": ((4, 5), [[3, 3], [-1, 1], [9, 9]], (3, 2, 3), (1, 2), (), (0, 1), 1),
    "swapped": ((3, 4), [[3, 0], [1, 2]], (2,), (), (0, 1), (1, 0), 1),
    "vector_axis_first": ((4, 3), [[0, 2, 0]], (3, 3), (1,), (0,), (0,), 0),
    "window_first": ((4, 3), [[1], [2]], (4, 2), (0,), (1,), (1,), 1),
}
COMPUTATIONS = {
    "update": [],
    "add": ["STABLEHLO_ADD"],
    "multiply": ["STABLEHLO_MULTIPLY"],
    "maximum": ["STABLEHLO_MAXIMUM"],
    "minimum": ["STABLEHLO_MINIMUM"],
}


def scatters():
    for kind in "f32 i32 i64 i8 f16 i16 u8 bool".split():
        for computation, operators in COMPUTATIONS.items():
            for name, row in SCATTERS.items():
                rare = kind != "f32" or computation not in ("update", "add")
                if rare and name not in ("blocks", "beyond")[kind != "f32" :]:
                    continue
                shape, indices, updates, windows, inserted, axes, axis = row
                for index in ("i32", "i64") if kind == "f32" else ("i32",):
                    path = f"{computation}_{name}_{index}"
                    case = Case("STABLEHLO_SCATTER", kind, path, "exact")
                    case.fed(case.drawn(*shape, kind=kind), kind)
                    case.fed(np.array(indices), index)
                    case.fed(case.drawn(*updates, kind=kind), kind)
                    case.result(kind)
                    case.computation = operators
                    yield case.options(
                        "StablehloScatterOptions",
                        updateWindowDims=windows,
                        insertedWindowDims=inserted,
                        scatterDimsToOperandDims=axes,
                        indexVectorDim=axis,
                        updateComputationSubgraphIndex=1,
                    )


# Shape, window, strides, base dilations, window dilations, padding.
WINDOWS = {
    "plain": ((5, 4), (2, 2), (1, 1), (1, 1), (1, 1), (0, 0, 0, 0)),
    "strides": ((7,), (3,), (2,), (1,), (1,), (0, 0)),
    "padded": ((4, 3), (2, 3), (1, 1), (1, 1), (1, 1), (1, 0, 1, 1)),
    "cropped": ((6, 5), (2, 2), (1, 2), (1, 1), (1, 1), (-1, 0, 1, -2)),
    "base_dilated": ((3, 3), (2, 2), (1, 1), (2, 3), (1, 1), (0, 0, 0, 0)),
    "window_dilated": ((6, 7), (2, 3), (1, 2), (1, 1), (3, 2), (0, 0, 0, 0)),
    "all": ((4, 3), (2, 2), (2, 1), (2, 2), (2, 1), (1, 2, -1, 1)),
    "defaults": ((4, 3), (2, 2), None, None, None, None),
    "too_wide": ((2, 3), (3, 1), (1, 1), (1, 1), (1, 1), (0, 0, 0, 0)),
    "rank_4": ((1, 4, 4, 2), (1, 2, 2, 1), (1, 2, 2, 1), (1,) * 4, (1,) * 4, (0,) * 8),
}
BODIES = {
    "add": ["STABLEHLO_ADD"],
    "mul": ["MUL"],
    "max": ["STABLEHLO_MAXIMUM"],
    "min": ["MINIMUM"],
    "all": ["LOGICAL_AND"],
    "any": ["LOGICAL_OR"],
}
STARTS = {"add": 0, "mul": 1, "max": -100, "min": 100, "all": 1, "any": 0}


def window(kind, body, name, start):
    shape, size, strides, base, dilation, padding = WINDOWS[name]
    path = f"{body}_{name}_{start}".replace("-", "m")
    case = Case("STABLEHLO_REDUCE_WINDOW", kind, path, "exact")
    values = case.drawn(*shape, kind=kind)
    if body == "mul" and kind != "bool":
        values = values % 5
    case.fed(values, kind)
    case.constant(np.array(start), kind)
    case.result(kind)
    case.computation = BODIES[body]
    return case.options(
        "StablehloReduceWindowOptions",
        windowDimensions=size,
        windowStrides=strides,
        baseDilations=base,
        windowDilations=dilation,
        padding=padding,
        bodySubgraphIndex=1,
    )


def windows():
    for kind in "f32 i32 i8 i64 bool u8 i16".split():
        bodies = ("all", "any") if kind == "bool" else ("add", "mul", "max", "min")
        for body in bodies:
            for name in WINDOWS:
                if kind in ("f32", "i8") and body == "add" or name in ("plain", "all"):
                    start = STARTS[body] % 256 if kind == "u8" else STARTS[body]
                    yield window(kind, body, name, start)
    yield window("f32", "add", "padded", 3)
    yield window("i32", "max", "padded", 2)


def cases():
    yield from elementwise()
    yield from shifts()
    yield from pads()
    yield from gathers()
    yield from scatters()
    yield from windows()

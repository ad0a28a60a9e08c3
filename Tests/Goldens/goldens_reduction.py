# SPDX-License-Identifier: Apache-2.0
"""Reductions over axes, ARG_MAX, ARG_MIN and TOPK_V2."""

import numpy as np
from ai_edge_litert.schema_py_generated import TensorType

from golden_case import Case, rows_for

DEFAULT = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"

KINDS = {
    "MEAN": "f32 i32 i64 u8_q i8_q i16_q",
    "SUM": "f32 i32 i64 u8_q i8_q i16_q",
    "REDUCE_PROD": "f32 i32 i64 i8_q i16_q",
    "REDUCE_MAX": "f32 i32 i64 bool u8_q i8_q i16_q",
    "REDUCE_MIN": "f32 i32 i64 bool u8_q i8_q i16_q",
    "REDUCE_ANY": "bool",
    "REDUCE_ALL": "bool",
}

# Shape, axes, keep_dims.
CORE = {
    "rows": ((3, 4, 5), [2], False),
    "spatial": ((2, 3, 4, 5), [1, 2], True),
    "all": ((2, 3, 4), [0, 1, 2], False),
}
MORE = {
    "first": ((4, 3, 2), [0], False),
    "negative": ((2, 3, 4), [-1, -3], True),
    "repeated": ((2, 3, 4), [1, 1, -2], False),
    "scalar_axis": ((3, 5), 1, False),
    "vector": ((7,), [0], False),
    "rank_5": ((2, 1, 3, 2, 2), [1, 3], False),
    "one_long": ((2, 1, 3), [1], False),
}
SCALES = {"u8": ((0.04, 121), (0.05, 130)), "i8": ((0.04, -9), (0.05, 4)), "i16": None}
SCALES["i16"] = ((0.0002, 0), (0.00025, 0))


def values(case, kind, shape):
    if case.operator == "REDUCE_PROD" and kind in ("f32", "i32", "i64"):
        if kind == "f32":
            return case.normal(*shape)
        return case.codes(*shape, kind=kind, low=-7, high=7)
    return case.drawn(*shape, kind=kind)


def kernels_of(operator, variant):
    if operator == "SUM" and variant in ("i8_q", "i16_q"):
        return DEFAULT, "the reference kernel reads the values as uint8"
    return "BUILTIN_REF", ""


def output_scale(operator, kind, count):
    """Scales and zero points of input and output, so that results fill the range."""
    source, target = SCALES[kind]
    if operator in ("REDUCE_MAX", "REDUCE_MIN"):
        return source, source
    if operator == "SUM":
        return source, (target[0] * np.sqrt(count), target[1])
    if operator == "REDUCE_PROD":
        narrow = 0.02 if kind == "i8" else 0.00008
        return (narrow, source[1]), (1.3 ** min(count, 200) * narrow, target[1])
    return source, (target[0] * 0.6, target[1])


def reduce(operator, variant, name, shape, axes, keep, fed_axes=False):
    kernels, note = kernels_of(operator, variant)
    exact = operator[-3:] in ("MAX", "MIN")
    case = Case(operator, variant, name, "exact" if exact else "sum", kernels, note)
    kind = variant.removesuffix("_q")
    source = target = ((), 0)
    if variant.endswith("_q"):
        count = int(np.prod([shape[axis] for axis in set(np.ravel(axes) % len(shape))]))
        source, target = output_scale(operator, kind, count)
    case.fed(values(case, kind, shape), kind, *source)
    place = case.fed if fed_axes else case.constant
    place(np.array(axes, np.int32))
    case.result(kind, *target)
    return case.options("ReducerOptions", keepDims=keep)


def reductions():
    for operator, variants in KINDS.items():
        for variant in variants.split():
            for name, settings in CORE.items():
                if operator == "REDUCE_PROD" and variant.endswith("_q") and name != "rows":
                    continue
                yield reduce(operator, variant, name, *settings)
        first = variants.split()[0]
        for name, settings in MORE.items():
            yield reduce(operator, first, name, *settings)
        yield reduce(operator, first, "axes_at_run_time", (2, 3, 4), [1], False, True)
        yield reduce(operator, first, "no_elements", (0, 3), [0], False)
        if "i8_q" in variants:
            yield reduce(operator, "i8_q", "negative", (2, 3, 4), [-1, -3], True)
    for variant in ("i8_q", "i16_q"):
        yield reduce("REDUCE_PROD", variant, "pairs", (2, 3, 4), [0], True)
    yield from mean_ties()
    yield sums_of_low_zero_points()


def sums_of_low_zero_points():
    """Sums over three axes of few values above the lowest one, as after a ReLU."""
    case = Case("SUM", "i8_q", "three_axes", "sum", *kernels_of("SUM", "i8_q"))
    shape = (1, 1, 6, 6, 12)
    codes = np.where(case.random.random(shape) < 0.1, case.codes(*shape), -128)
    case.fed(codes.astype(np.int8), "i8", 0.023529412, -128)
    case.constant(np.array([1, 2, 3], np.int32))
    case.result("i8", 0.84705883, -128)
    return case.options("ReducerOptions")


def mean_ties():
    """Means that lie halfway between two quantized values, of both signs."""
    for kind in ("u8", "i8", "i16"):
        case = Case("MEAN", f"{kind}_q", "ties")
        case.fed(case.codes(24, 2, kind=kind), kind, 0.5, 128 if kind == "u8" else 0)
        case.constant(np.array([1], np.int32))
        case.result(kind, 0.5, 128 if kind == "u8" else 0)
        yield case.options("ReducerOptions")
    for kind in ("i32", "i64"):
        case = Case("MEAN", kind, "truncates")
        case.fed(np.array([[-7, 0], [-8, 1], [7, 0], [8, 1], [-1, 0]]), kind)
        case.constant(np.array([1], np.int32))
        case.result(kind)
        yield case.options("ReducerOptions")


def arg():
    for operator, table in (("ARG_MAX", "ArgMaxOptions"), ("ARG_MIN", "ArgMinOptions")):
        for kind in ("f32", "i8", "u8", "i32", "bool"):
            rows = (
                ("last", (3, 7), 1, "i32"),
                ("first", (4, 2, 3), 0, "i64"),
                ("negative", (2, 5, 3), -2, "i32"),
            )
            for name, shape, axis, output in rows_for(kind, rows):
                case = Case(operator, kind, name)
                case.fed(case.drawn(*shape, kind=kind), kind)
                case.constant(np.int32(axis))
                case.result(output)
                kind_code = TensorType.INT64 if output == "i64" else TensorType.INT32
                yield case.options(table, outputType=kind_code)
        for name, numbers in (
            ("ties", [[1, 3, 3, 1], [2, 2, 2, 2], [-1, -5, -5, -1]]),
            ("nan", [[np.nan, 1, 2], [1, np.nan, 0], [2, 1, np.nan], [np.nan] * 3]),
            ("infinite", [[np.inf, -np.inf, 0.0], [-0.0, 0.0, -0.0]]),
        ):
            case = Case(operator, "f32", name)
            case.fed(np.float32(numbers))
            case.constant(np.array([1], np.int64))
            case.result("i32")
            yield case.options(table, outputType=TensorType.INT32)


def top():
    for kind in ("f32", "i8", "u8", "i16", "i32", "i64"):
        for name, shape, count in rows_for(kind, (("rank_3", (2, 2, 5), 5), ("rows", (3, 9), 4))):
            case = Case("TOPK_V2", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.constant(np.int32(count))
            case.result(kind)
            case.result("i32")
            yield case.options("TopKV2Options")
    for name, count, fed in (("ties", 4, False), ("k_at_run_time", 3, True), ("none", 0, False)):
        case = Case("TOPK_V2", "f32", name, "exact")
        case.fed(np.float32([[1, 3, 3, 1, 3], [2, 2, 2, 2, 2], [0, -0.0, 1, -1, 0]]))
        (case.fed if fed else case.constant)(np.int32(count))
        case.result("f32")
        case.result("i32")
        yield case.options("TopKV2Options")


def cases():
    yield from reductions()
    yield from arg()
    yield from top()

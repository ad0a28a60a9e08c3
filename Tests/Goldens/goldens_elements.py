# SPDX-License-Identifier: Apache-2.0
"""ADD_N, ATAN2, BITWISE_XOR, RIGHT_SHIFT, BUCKETIZE, COMPLEX_ABS, REAL and IMAG."""

import numpy as np

from golden_case import TYPES, Case, code_range

INTEGERS = "i8 u8 i16 u16 i32 u32".split()
HALVES = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan])


def sums():
    for kind in ("f32", "i32"):
        for name, count, shape in (
            ("two", 2, (2, 3)), ("five", 5, (7,)), ("scalars", 3, ()), ("empty", 2, (0, 2)),
        ):
            case = Case("ADD_N", kind, name)
            for index in range(count):
                values = case.drawn(*shape, kind=kind)
                if index == 1:
                    case.constant(values, kind)
                else:
                    case.fed(values, kind)
            case.result(kind)
            yield case.options("AddNOptions")
    case = Case("ADD_N", "f32", "overflow")
    case.fed(np.array([3e38, -3e38, np.inf, np.nan, 1e8], np.float32))
    case.fed(np.array([3e38, -3e38, 1, 1, 1], np.float32))
    case.fed(np.array([-3e38, 3e38, -np.inf, 1, -1e8], np.float32))
    case.result("f32")
    yield case.options("AddNOptions")


def angles():
    for kind in ("f32", "f64", "f16"):
        case = Case("ATAN2", kind, "normal", "exp")
        case.fed(case.drawn(3, 4, kind=kind), kind)
        case.fed(case.drawn(3, 4, kind=kind), kind)
        case.result(kind)
        yield case.options("ATan2Options")
        case = Case("ATAN2", kind, "special", "exp")
        case.fed(np.repeat(HALVES, 7).astype(TYPES[kind][1]), kind)
        case.constant(np.tile(HALVES, 7).astype(TYPES[kind][1]), kind)
        case.result(kind)
        yield case.options("ATan2Options")


def bits():
    tables = {"BITWISE_XOR": "BitwiseXorOptions", "RIGHT_SHIFT": "RightShiftOptions"}
    for operator, table in tables.items():
        for kind in INTEGERS:
            for name, left, right in (
                ("same", (4, 5), (4, 5)), ("row", (2, 1, 3), (4, 1)), ("scalar", (6,), ()),
                ("five_axes", (2, 1, 2, 1, 3), (1, 2, 1, 2, 1)), ("empty", (0, 3), (3,)),
            ):
                if name == "five_axes" and kind not in ("i8", "u32"):
                    continue
                case = Case(operator, kind, name)
                case.fed(case.codes(*left, kind=kind), kind)
                shifts = {} if operator == "BITWISE_XOR" else {"low": 0, "high": 12}
                case.constant(case.codes(*right, kind=kind, **shifts), kind)
                case.result(kind)
                yield case.options(table)
    for kind in INTEGERS:
        width = np.dtype(TYPES[kind][1]).itemsize * 8
        least, greatest = code_range(kind)
        shifts = [0, 1, width - 2, width - 1, width, greatest, least, max(least, -1)]
        case = Case("RIGHT_SHIFT", kind, "limits")
        case.fed(np.array([[least], [greatest], [least // 3 + 5]]), kind)
        case.fed(np.array([shifts]), kind)
        case.result(kind)
        yield case.options("RightShiftOptions")


def buckets():
    limits = [-10.5, 0.0, 0.0, 3.0, 16777216.0]
    for kind in ("f32", "f64", "i32", "i64"):
        edges = np.array([-11, -10.5, -1, -0.0, 0, 1, 3, 4, 16777215, 16777217, 2**31 - 1])
        for name, bounds in (("edges", limits), ("one", [1.0]), ("none", [])):
            case = Case("BUCKETIZE", kind, name)
            case.fed(edges.astype(TYPES[kind][1]), kind)
            case.result("i32")
            yield case.options("BucketizeOptions", boundaries=bounds)
        case = Case("BUCKETIZE", kind, "matrix")
        case.fed(case.drawn(3, 5, kind=kind), kind)
        case.result("i32")
        yield case.options("BucketizeOptions", boundaries=[-1e9, -2.0, -0.5, 0.25, 1.0, 1e9])
        case = Case("BUCKETIZE", kind, "empty")
        case.fed(np.zeros((0, 2)), kind)
        case.result("i32")
        yield case.options("BucketizeOptions", boundaries=[1.0])
    case = Case("BUCKETIZE", "f32", "infinite")
    case.fed(np.array([np.nan, np.inf, -np.inf, 5.0], np.float32))
    case.result("i32")
    yield case.options("BucketizeOptions", boundaries=[-np.inf, 5.0, np.inf])


def complex_numbers():
    pairs = [(0, 0), (3, 4), (-5, 12), (np.inf, np.nan), (np.nan, 1), (3e38, 3e38), (1e-30, 0)]
    tolerances = {"REAL": "exact", "IMAG": "exact", "COMPLEX_ABS": "arithmetic"}
    for operator, tolerance in tolerances.items():
        for kind, real in (("c64", "f32"), ("c128", "f64")):
            for name, shape in (("matrix", (3, 4)), ("scalar", ()), ("empty", (0,))):
                case = Case(operator, kind, name, tolerance)
                case.fed(case.drawn(*shape, kind=kind), kind)
                case.result(real)
                yield case
            case = Case(operator, kind, "special", tolerance)
            case.fed(np.array([complex(a, b) for a, b in pairs]), kind)
            case.result(real)
            yield case


def cases():
    for family in (sums, angles, bits, buckets, complex_numbers):
        yield from family()

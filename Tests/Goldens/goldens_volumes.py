# SPDX-License-Identifier: Apache-2.0
"""CONV_3D, CONV_3D_TRANSPOSE, DILATE and REDUCE_WINDOW."""

import numpy as np

from golden_case import NONE, RELU, RELU6, RELU_N1_TO_1, SAME, VALID, Case

# Volume without channels, filter, padding, strides, dilations (depth, height, width), activation.
CONVOLUTIONS = {
    "valid": ((2, 4, 5, 6), (2, 3, 2), VALID, (1, 1, 1), (1, 1, 1), NONE),
    "same": ((1, 3, 4, 5), (2, 3, 4), SAME, (1, 1, 1), (1, 1, 1), RELU),
    "strides": ((1, 5, 6, 7), (3, 2, 3), SAME, (2, 3, 2), (1, 1, 1), RELU6),
    "dilated": ((1, 6, 7, 5), (2, 3, 2), VALID, (1, 1, 1), (3, 2, 1), RELU_N1_TO_1),
    "dilated_same": ((2, 4, 4, 5), (2, 2, 3), SAME, (1, 2, 1), (2, 1, 2), NONE),
    "one_tap": ((1, 2, 3, 3), (1, 1, 1), SAME, (1, 1, 1), (1, 1, 1), NONE),
    "one_tap_strides": ((1, 3, 4, 5), (1, 1, 1), VALID, (2, 2, 3), (1, 1, 1), NONE),
    "no_batch": ((0, 2, 2, 2), (1, 2, 1), SAME, (1, 1, 1), (1, 1, 1), NONE),
}


def positions(length, window, padding, stride, dilation):
    """How often a window fits."""
    reach = (window - 1) * dilation + 1
    return -(-length // stride) if padding == SAME else (length - reach + stride) // stride


def convolutions():
    for operator in ("CONV_3D", "CONV_3D_TRANSPOSE"):
        for name, (volume, window, padding, strides, dilations, activation) in CONVOLUTIONS.items():
            for bias in (True, False):
                case = Case(operator, "f32", name + ("" if bias else "_no_bias"), "sum")
                inner = [
                    positions(length, *rest)
                    for length, *rest in zip(volume[1:], window, [padding] * 3, strides, dilations)
                ]
                role = case.constant if bias else case.fed
                if operator == "CONV_3D":
                    case.fed(case.normal(*volume, 3))
                    role(case.normal(*window, 3, 2))
                else:
                    role(np.array([*volume, 2], np.int32))
                    role(case.normal(*window, 2, 3))
                    case.fed(case.normal(volume[0], *inner, 3))
                if bias:
                    case.constant(case.normal(2))
                case.result("f32")
                yield case.options(
                    "Conv3DOptions", padding=padding, fusedActivationFunction=activation,
                    strideD=strides[0], strideH=strides[1], strideW=strides[2],
                    dilationDFactor=dilations[0], dilationHFactor=dilations[1],
                    dilationWFactor=dilations[2])


def dilations():
    rows = {
        "vector": ((5,), [3]),
        "matrix": ((3, 4), [2, 3]),
        "outer": ((3, 2, 2), [2, 1, 1]),
        "inner": ((2, 1, 3), [1, 4, 2]),
        "none": ((2, 3), [1, 1]),
    }
    for kind in "f32 i8 u8 i16 i32 i64 f64 bool f16".split():
        for name, (shape, distances) in rows.items():
            if kind not in ("f32", "i8") and name not in ("matrix", "outer"):
                continue
            for role in ("constant", "fed") if name == "matrix" else ("constant",):
                case = Case("DILATE", kind, name + ("_fed" if role == "fed" else ""), "exact")
                case.fed(case.drawn(*shape, kind=kind), kind)
                getattr(case, role)(np.array(distances, np.int32))
                case.fed(case.drawn(kind=kind), kind)
                case.result(kind)
                yield case.options("DilateOptions")


def windows():
    # Shape, window, steps, distances.
    rows = {
        "vector": ((7,), [3], [2], [1]),
        "matrix": ((4, 6), [2, 2], [1, 1], [2, 3]),
        "volume": ((3, 4, 5), [1, 2, 3], [2, 1, 1], [1, 2, 1]),
        "too_small": ((2, 3), [3, 1], [1, 1], [1, 1]),
        "whole": ((3, 3), [3, 3], [5, 9], [1, 1]),
        "six_axes": ((2, 1, 2, 1, 3, 2), [2, 1, 1, 1, 2, 1], [1] * 6, [1] * 6),
    }
    functions = {"add": 1, "mul": 2, "minimum": 3, "maximum": 4, "all": 5, "any": 6}
    for kind in "f32 i32 i64 i8 u8 i16 bool f64".split():
        for function, code in functions.items():
            if kind == "bool" and function in ("add", "mul"):
                continue
            for name in rows if (kind, function) == ("f32", "add") else ("matrix",):
                shape, window, steps, distances = rows[name]
                case = Case("REDUCE_WINDOW", kind, f"{function}_{name}", "sum")
                values = case.drawn(*shape, kind=kind)
                if function in ("all", "any") and kind != "bool":
                    values[values > 0] = 0
                case.fed(values, kind)
                case.fed(np.array(case.random.integers(0, 3)), kind)
                for numbers in (window, steps, distances):
                    case.constant(np.array(numbers, np.int64))
                case.result(kind)
                yield case.options("ReduceWindowOptions", reduceFunction=code)
    for function in ("minimum", "maximum", "all", "any"):
        case = Case("REDUCE_WINDOW", "f32", f"{function}_nan", "sum")
        case.fed(np.array([np.nan, 1, 2, np.nan, 0, -0.0, np.inf, -np.inf], np.float32))
        case.fed(np.array(1, np.float32))
        for number in (2, 1, 1):
            case.constant(np.array([number], np.int64))
        case.result("f32")
        yield case.options("ReduceWindowOptions", reduceFunction=functions[function])


def cases():
    for family in (convolutions, dilations, windows):
        yield from family()

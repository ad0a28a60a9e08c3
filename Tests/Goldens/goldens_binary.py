# SPDX-License-Identifier: Apache-2.0
"""Element-wise operators of two operands: arithmetic with broadcasting."""

import numpy as np

from golden_case import NONE, RELU, RELU6, RELU_N1_TO_1, TYPES, Case

OPTIONS = {
    "ADD": "AddOptions",
    "SUB": "SubOptions",
    "MUL": "MulOptions",
    "DIV": "DivOptions",
    "MAXIMUM": "MaximumMinimumOptions",
    "MINIMUM": "MaximumMinimumOptions",
    "SQUARED_DIFFERENCE": "SquaredDifferenceOptions",
    "FLOOR_DIV": "FloorDivOptions",
}

FUSED = ("ADD", "SUB", "MUL", "DIV")

PLAIN = {
    "ADD": "f32 f16 i16 i32 i64",
    "SUB": "f32 i32 i64",
    "MUL": "f32 f16 i16 i32 u32 i64 c64",
    "DIV": "f32 i32",
    "MAXIMUM": "f32 f16 bf16 i8 u8 i16 i32 i64",
    "MINIMUM": "f32 f16 bf16 i8 u8 i16 i32 i64",
    "SQUARED_DIFFERENCE": "f32 i32",
    "FLOOR_DIV": "f32 i8 i16 i32",
}

QUANTIZED = {
    "ADD": "i8 u8 i16",
    "SUB": "i8 u8 i16",
    "MUL": "i8 u8 i16",
    "DIV": "i8 u8 i16",
    "SQUARED_DIFFERENCE": "i8",
}

SHAPES = {
    "same": ((2, 3, 5), (2, 3, 5)),
    "channels": ((1, 3, 2, 5), (5,)),
    "both": ((4, 1, 3), (2, 1)),
    "scalar": ((), (3, 4)),
}


def values(case, kind, shape, divisor):
    """Values of a plain type; divisors are never zero."""
    drawn = case.drawn(*shape, kind=kind)
    if not divisor:
        return drawn
    if kind == "f32":
        return np.sign(drawn) * (np.abs(drawn) + 0.25)
    drawn = case.codes(*shape, kind=kind, low=-9, high=9)
    return np.where(drawn == 0, 4, drawn)


def finish(case, activation=NONE, **fields):
    if case.operator in FUSED:
        fields["fusedActivationFunction"] = activation
    return case.options(OPTIONS[case.operator], **fields)


def plain(operator, kind, name, left, right, activation=NONE):
    case = Case(operator, kind, name)
    if operator in ("MAXIMUM", "MINIMUM"):
        case.tolerance = "exact"
    divides = operator in ("DIV", "FLOOR_DIV")
    case.fed(values(case, kind, left, False), kind)
    case.fed(values(case, kind, right, divides), kind)
    case.result(kind)
    fields = {"potScaleInt16": False} if operator in ("ADD", "SUB") else {}
    return finish(case, activation, **fields)


# Scales and zero points of left, right and output.
SCALES = {
    "i8": ((0.05, -7), (0.031, 12), (0.062, 3)),
    "u8": ((0.05, 120), (0.031, 140), (0.062, 131)),
    "i16": ((0.00031, 0), (0.00017, 0), (0.0004, 0)),
}
TIES = {
    "i8": ((0.25, -1), (0.5, 2), (1.0, 0)),
    "u8": ((0.25, 127), (0.5, 130), (1.0, 128)),
    "i16": ((0.25, 0), (0.5, 0), (1.0, 0)),
}


def output_scale(operator, scales):
    """The output's scale, so that results fill the range."""
    (left, _), (right, _), (output, zero) = scales
    if operator == "MUL":
        output = left * right * (30000 if output < 0.001 else 80)
    if operator == "DIV":
        output = 0.04 if output > 0.001 else 0.0004
    if operator == "SQUARED_DIFFERENCE":
        output *= 3
    return output, zero


def quantized(operator, kind, name, left, right, scales, activation=NONE, **fields):
    case = Case(operator, f"{kind}_q", name)
    (s0, z0), (s1, z1), (s2, z2) = scales
    case.fed(case.codes(*left, kind=kind), kind, s0, z0)
    divisor = case.codes(*right, kind=kind)
    if operator == "DIV":
        divisor = np.where(divisor == z1, z1 + 5, divisor)
    case.fed(divisor, kind, s1, z1)
    case.result(kind, s2, z2)
    return finish(case, activation, **fields)


def quantized_cases(operator, kind):
    plain_scales = SCALES[kind]
    scales = (plain_scales[0], plain_scales[1], output_scale(operator, plain_scales))
    fields = {"potScaleInt16": False} if operator in ("ADD", "SUB") else {}
    for name, (left, right) in SHAPES.items():
        yield quantized(operator, kind, name, left, right, scales, **fields)
    ties = TIES[kind]
    if operator == "SQUARED_DIFFERENCE":
        ties = (ties[0], (0.25, ties[1][1]), ties[2])
    yield quantized(operator, kind, "ties", (128,), (128,), ties, **fields)
    narrow = (scales[0], scales[1], (scales[2][0] / 3, scales[2][1]))
    yield quantized(operator, kind, "saturated", (64,), (64,), narrow, **fields)
    for name, activation in (("relu", RELU), ("relu6", RELU6), ("relu_n1_to_1", RELU_N1_TO_1)):
        if operator in FUSED:
            yield quantized(operator, kind, name, (48,), (48,), scales, activation, **fields)


def special_floats(operator):
    """Infinities, NaN and signed zeros against each other."""
    numbers = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -2.25, 1e-3], np.float32)
    case = Case(operator, "f32", "special")
    if operator in ("MAXIMUM", "MINIMUM"):
        case.tolerance = "exact"
    case.fed(numbers[:, None])
    case.fed(numbers[None, :])
    case.result("f32")
    return finish(case)


def wide_products(kind):
    """MUL of int16 operands with an 8-bit output."""
    case = Case("MUL", f"i16_to_{kind}_q", "same")
    case.fed(case.codes(4, 9, kind="i16"), "i16", 0.0003)
    case.fed(case.codes(4, 9, kind="i16"), "i16", 0.0002)
    case.result(kind, 0.3, -5 if kind == "i8" else 121)
    return finish(case)


def power_of_two(operator):
    """int16 with scales that are powers of two: the path that only shifts."""
    for name, scales in (
        ("pot", ((2**-9, 0), (2**-12, 0), (2**-9, 0))),
        ("pot_right", ((2**-13, 0), (2**-11, 0), (2**-11, 0))),
    ):
        yield quantized(operator, "i16", name, (6, 9), (6, 9), scales, potScaleInt16=True)
    # Without a table of options, the flag that the schema sets by default counts as not set.
    scales = ((2**-13, 0), (2**-11, 0), (2**-11, 0))
    yield quantized(operator, "i16", "pot_no_options", (6, 9), (6, 9), scales).options("")


def extremes(operator, kind):
    """Wrap-around at both ends of an integer type."""
    info = np.iinfo(TYPES[kind][1])
    numbers = np.array([info.min, info.min + 1, -1, 0, 1, 2, info.max], TYPES[kind][1])
    case = Case(operator, kind, "wraps")
    case.fed(numbers[:, None])
    case.fed(numbers[None, :])
    case.result(kind)
    fields = {"potScaleInt16": False} if operator in ("ADD", "SUB") else {}
    return finish(case, **fields)


def beyond(operator):
    """Half-precision results too large for the type, which become its greatest number."""
    numbers = np.array([np.inf, -np.inf, np.nan, 65504, -65504, 600, -600, 1], np.float16)
    for name, activation in (("beyond", NONE), ("beyond_relu", RELU)):
        case = Case(operator, "f16", name)
        case.fed(numbers[:, None])
        case.fed(numbers[None, :])
        case.result("f16")
        fields = {"potScaleInt16": False} if operator == "ADD" else {}
        yield finish(case, activation, **fields)


def unsigned_activations():
    """uint32, whose RELU_N1_TO_1 has no -1."""
    for name, activation in (("relu", RELU), ("relu6", RELU6), ("relu_n1_to_1", RELU_N1_TO_1)):
        case = Case("MUL", "u32", name)
        case.fed(np.array([0, 1, 2, 7, 2**31, 2**32 - 1])[:, None], "u32")
        case.fed(np.array([0, 1, 3, 2**32 - 1])[None, :], "u32")
        case.result("u32")
        yield finish(case, activation)


def signs(operator, kind):
    """Every combination of signs, so that truncation and flooring differ."""
    case = Case(operator, kind, "signs", "exact")
    case.fed(np.array([7, -7, 8, -8, 0, 1, -1])[:, None], kind)
    case.fed(np.array([2, -2, 3, -3, 7])[None, :], kind)
    case.result(kind)
    return finish(case)


def cases():
    for operator, kinds in PLAIN.items():
        for kind in kinds.split():
            for name in SHAPES if kind in ("f32", "i32") else ("same", "both"):
                yield plain(operator, kind, name, *SHAPES[name])
        yield plain(operator, "f32", "empty", (0, 3), (3,))
        yield plain(operator, "f32", "rank_5", (2, 1, 2, 1, 3), (1, 2, 1, 2, 3))
        if operator != "FLOOR_DIV":
            yield special_floats(operator)
        for name, activation in (("relu", RELU), ("relu6", RELU6), ("relu_n1_to_1", RELU_N1_TO_1)):
            if operator in FUSED:
                yield plain(operator, "f32", name, (24,), (24,), activation)
        if operator in ("ADD", "SUB", "MUL"):
            yield plain(operator, "i32", "relu6", (24,), (24,), RELU6)
            yield extremes(operator, "i32")
            yield extremes(operator, "i64")
    for operator, kinds in QUANTIZED.items():
        for kind in kinds.split():
            yield from quantized_cases(operator, kind)
    for kind in ("i8", "u8", "i16"):
        for operator in ("MAXIMUM", "MINIMUM"):
            scale, zero = SCALES[kind][0]
            same = ((scale, zero),) * 3
            yield quantized(operator, kind, "channels", (2, 3, 5), (5,), same)
    yield wide_products("i8")
    yield wide_products("u8")
    yield from power_of_two("ADD")
    yield from power_of_two("SUB")
    for kind in ("f32", "i8", "i16", "i32"):
        yield signs("FLOOR_DIV", kind)
    yield signs("DIV", "i32")
    yield from beyond("ADD")
    yield from beyond("MUL")
    yield from unsigned_activations()

# SPDX-License-Identifier: Apache-2.0
"""Element-wise operators of one operand: activations and elementary functions.

8-bit cases feed every quantized value once, so that they show the whole table that an
implementation may use.
"""

import numpy as np

from golden_case import Case, code_range

DEFAULT = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"

TABLES = {
    "EXP": "ExpOptions",
    "ABS": "AbsOptions",
    "NEG": "NegOptions",
    "SQUARE": "SquareOptions",
    "HARD_SWISH": "HardSwishOptions",
}

# Plain types, and how much float results may differ.
PLAIN = {
    "RELU": ("f32", "exact"),
    "RELU6": ("f32", "exact"),
    "RELU_N1_TO_1": ("f32", "exact"),
    "RELU_0_TO_1": ("f32", "exact"),
    "ABS": ("f32 i16 i32", "exact"),
    "NEG": ("f32 f16 bf16 i8 i16 i32 i64", "exact"),
    "FLOOR": ("f32 f16 bf16", "exact"),
    "CEIL": ("f32", "exact"),
    "ROUND": ("f32 f16 bf16", "exact"),
    "SQUARE": ("f32", "arithmetic"),
    "SQRT": ("f32", "arithmetic"),
    "RSQRT": ("f32", "arithmetic"),
    "EXP": ("f32", "exp"),
    "LOG": ("f32", "exp"),
    "SIN": ("f32 f16", "exp"),
    "COS": ("f32 f16", "exp"),
    "ELU": ("f32", "exp"),
    "HARD_SWISH": ("f32", "arithmetic"),
    "LOGISTIC": ("f32 f16 bf16", "exp"),
    "TANH": ("f32 f16 bf16", "exp"),
}

# The output's scale and zero point: a fixed one, or by the function's range.
FIXED_OUTPUT = {
    "LOGISTIC": {"i8": (1 / 256, -128), "u8": (1 / 256, 0), "i16": (1 / 32768, 0)},
    "TANH": {"i8": (1 / 128, 0), "u8": (1 / 128, 128), "i16": (1 / 32768, 0)},
}
INPUT = {"i8": (0.05, -7), "u8": (0.05, 120), "i16": (0.00021, 0)}
OUTPUT = {"i8": (0.031, 3), "u8": (0.031, 131), "i16": (0.00013, 0)}

# Types, then cases: input scale and zero point, output scale and zero point of int8.
RELUS = ("RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1")
QUANTIZED = {
    **{name: "u8 i8 i16" for name in RELUS[:2]},
    **{name: "u8 i8" for name in RELUS[2:]},
    "LOGISTIC": "u8 i8 i16",
    "TANH": "u8 i8 i16",
    "HARD_SWISH": "u8 i8",
    "ELU": "i8",
    "ABS": "i8 i16",
    "NEG": "i8 i16",
    "EXP": "i8 i16",
    "LOG": "i8 i16",
    "SQRT": "i8 i16",
    "RSQRT": "i8 i16",
}
POSITIVE = ("SQRT", "RSQRT")


def kernels_of(operator):
    return DEFAULT if operator in ("CEIL", "ELU", "ROUND") else "BUILTIN_REF"


def typical(case, kind):
    """Values with halves, zeros and both signs; positive ones where the function asks."""
    if kind[0] in "iu":
        return case.codes(2, 12, kind=kind)
    drawn = case.normal(2, 16, spread=3)
    drawn[0, :8] = [0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.0, -0.0]
    if case.operator in ("SQRT", "RSQRT", "LOG"):
        drawn = np.abs(drawn) + 0.01
    return drawn


def plain():
    for operator, (kinds, tolerance) in PLAIN.items():
        for kind in kinds.split():
            case = Case(operator, kind, "typical", tolerance, kernels_of(operator))
            case.fed(typical(case, kind), kind)
            case.result(kind)
            yield case.options(TABLES.get(operator, ""))
        case = Case(operator, "f32", "special", tolerance, kernels_of(operator))
        numbers = [np.nan, np.inf, -np.inf, 0.0, -0.0, 20.0, -20.0, 0.75, 1e-41, 8388609.5]
        if tolerance != "exact":
            numbers = numbers[:8]
        case.fed(np.float32(numbers))
        case.result("f32")
        yield case.options(TABLES.get(operator, ""))


def shapes():
    """No elements, and no dimensions."""
    for operator in ("RELU", "ABS", "SQUARE", "EXP", "LOGISTIC", "TANH"):
        for name, values in (("empty", np.zeros((2, 0, 3))), ("scalar", 0.7)):
            case = Case(operator, "f32", name, PLAIN[operator][1])
            case.fed(np.float32(values))
            case.result("f32")
            yield case.options(TABLES.get(operator, ""))


def every_code(kind, zero=None):
    """All 8-bit values, or int16 values at even steps with both ends; from `zero` on if given."""
    low, high = code_range(kind)
    low = low if zero is None else zero
    if kind == "i16":
        return np.unique(np.concatenate([np.linspace(low, high, 150), [low, high, 0, 1]]).round())
    return np.arange(low, high + 1)


def quantized(operator, kind, name, source, target):
    case = Case(operator, f"{kind}_q", name, kernels=kernels_of(operator))
    zero = None
    if operator in POSITIVE:
        zero = source[1] + (1 if operator == "RSQRT" and kind == "i16" else 0)
    case.fed(every_code(kind, zero), kind, *source)
    case.result(kind, *target)
    return case.options(TABLES.get(operator, ""))


def quantized_cases():
    for operator, kinds in QUANTIZED.items():
        for kind in kinds.split():
            fixed = FIXED_OUTPUT.get(operator, {}).get(kind)
            source, target = INPUT[kind], fixed or OUTPUT[kind]
            if operator == "HARD_SWISH":
                target = (target[0] * 2, target[1])
            yield quantized(operator, kind, "codes", source, target)
            if operator in RELUS + ("ABS",) and kind != "i16":
                target = (source[0] * 2, target[1])
                yield quantized(operator, kind, "ties", source, target)
            if operator in ("LOGISTIC", "TANH", "EXP", "LOG", "ELU"):
                factor = 1.5 if operator == "EXP" else 3
                steep = (source[0] * factor, source[1] + (9 if kind != "i16" else 0))
                yield quantized(operator, kind, "steep", steep, target)
            if operator in ("LOGISTIC", "TANH") and kind == "i16":
                yield quantized(operator, kind, "pot_12", (2**-12, 0), target)
                yield quantized(operator, kind, "pot_11", (2**-11, 0), target)
                yield quantized(operator, kind, "pot_15", (2**-15, 0), target)
            if operator == "HARD_SWISH":
                yield quantized(operator, kind, "wide", (0.1, source[1] + 40), (0.1, target[1]))
            if operator == "NEG":
                same = (0.05 if kind == "i8" else 0.0002, 0)
                yield quantized(operator, kind, "same_scale", same, same)


def leaky_relu():
    for name, alpha in (("alpha_02", 0.2), ("negative_alpha", -0.3), ("alpha_2", 2.0)):
        case = Case("LEAKY_RELU", "f32", name)
        case.fed(case.normal(3, 8))
        case.result("f32")
        yield case.options("LeakyReluOptions", alpha=alpha)
        for kind in ("u8", "i8", "i16"):
            case = Case("LEAKY_RELU", f"{kind}_q", name)
            case.fed(every_code(kind), kind, *INPUT[kind])
            case.result(kind, *OUTPUT[kind])
            yield case.options("LeakyReluOptions", alpha=alpha)


def prelu():
    for name, shape, slope in (
        ("channels", (2, 3, 2, 5), (1, 1, 5)),
        ("scalar", (3, 4), (1,)),
        ("same", (2, 7), (2, 7)),
    ):
        case = Case("PRELU", "f32", name)
        case.fed(case.normal(*shape))
        case.constant(case.normal(*slope))
        case.result("f32")
        yield case
        for kind in ("u8", "i8", "i16"):
            case = Case("PRELU", f"{kind}_q", name)
            case.fed(case.codes(*shape, kind=kind), kind, *INPUT[kind])
            slopes = {"u8": (0.01, 99), "i8": (0.01, -20), "i16": (0.00004, 0)}
            case.constant(case.codes(*slope, kind=kind), kind, *slopes[kind])
            case.result(kind, *OUTPUT[kind])
            yield case


def gelu():
    for name, approximate in (("exact", False), ("approximate", True)):
        for kind in ("f32", "f16"):
            case = Case("GELU", kind, name, "exp")
            case.fed(typical(case, kind), kind)
            case.result(kind)
            yield case.options("GeluOptions", approximate=approximate)
        for kind in ("u8", "i8", "i16"):
            case = Case("GELU", f"{kind}_q", name)
            case.fed(every_code(kind), kind, *INPUT[kind])
            case.result(kind, *OUTPUT[kind])
            yield case.options("GeluOptions", approximate=approximate)
    case = Case("GELU", "f32", "special", "exp")
    case.fed(np.float32([np.nan, np.inf, -np.inf, 0.0, -0.0, 9.0, -9.0, 1e-30]))
    case.result("f32")
    yield case.options("GeluOptions")


def cases():
    yield from plain()
    yield from shapes()
    yield from quantized_cases()
    yield from leaky_relu()
    yield from prelu()
    yield from gelu()

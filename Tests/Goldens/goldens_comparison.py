# SPDX-License-Identifier: Apache-2.0
"""EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL and the LOGICAL_ operators.

The runtime leaves the result of NOT_EQUAL of plain int16 undefined, and has no LESS_EQUAL and
GREATER_EQUAL of bfloat16.
"""

import numpy as np

from golden_case import TYPES, Case, code_range

ORDERED = "f32 i32 i64 i16 f16 bf16"
COMPARISONS = {
    "EQUAL": "f32 i32 i64 bool i16 str f16",
    "NOT_EQUAL": "f32 i32 i64 bool str f16",
    "GREATER": ORDERED,
    "GREATER_EQUAL": ORDERED.removesuffix(" bf16"),
    "LESS": ORDERED,
    "LESS_EQUAL": ORDERED.removesuffix(" bf16"),
}
SHAPES = {
    "same": ((3, 4), (3, 4)),
    "both": ((4, 1, 3), (2, 1)),
    "scalar": ((), (6,)),
    "empty": ((0, 3), (3,)),
    "rank_5": ((2, 1, 2, 1, 3), (1, 2, 1, 2, 1)),
}
# Scale and zero point of left and right: equal ones, unlike ones, and far apart.
PARAMETERS = {
    "i8": {
        "same": ((0.05, -7), (0.05, -7)),
        "unlike": ((0.05, -7), (0.031, 12)),
        "halves": ((0.25, 3), (0.5, -1)),
        "far": ((0.002, -128), (1.5, 127)),
    },
    "u8": {
        "same": ((0.05, 120), (0.05, 120)),
        "unlike": ((0.05, 120), (0.031, 140)),
        "halves": ((0.25, 131), (0.5, 127)),
        "far": ((0.002, 0), (1.5, 255)),
    },
    "i16": {
        "same": ((0.0003, 0), (0.0003, 0)),
        "unlike": ((0.0003, 0), (0.0002, 0)),
        "halves": ((0.25, 0), (0.5, 0)),
        "far": ((0.00001, 0), (0.4, 0)),
    },
}
WORDS = [b"", b"a", b"b", b"ab", b"\xc3\xa9", b"a longer word", b"a longer worD"]


def camel(operator):
    return "".join(part.capitalize() for part in operator.split("_")) + "Options"


def few(case, kind, shape):
    """Values with many repetitions."""
    if kind == "str":
        # An empty scalar becomes a NUL in the runtime's Python interface.
        words = np.array(WORDS if shape else [word for word in WORDS if word], object)
        return words[case.random.integers(0, len(words), shape)]
    if kind == "bool":
        return case.random.random(shape) < 0.5
    return np.asarray(case.random.integers(-2, 3, shape)).astype(TYPES[kind][1])


def limits(kind):
    """Numbers that are easily taken for one another."""
    if kind in ("f32", "f16", "bf16"):
        return [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, 1.0 + 2.0**-7, 6e-8]
    least, greatest = code_range(kind)
    return [least, least + 1, -1, 0, 1, greatest - 1, greatest]


def plain(operator, kind):
    for name, shapes in SHAPES.items():
        if name in ("scalar", "rank_5") and kind not in ("f32", "i32", "str"):
            continue
        case = Case(operator, kind, name)
        left, right = (few(case, kind, shape) for shape in shapes)
        case.fed(left, kind)
        place = case.constant if kind in ("f32", "i64") and name == "both" else case.fed
        place(right, kind)
        case.result("bool")
        yield case.options(camel(operator))
    if kind in ("bool", "str"):
        return
    case = Case(operator, kind, "limits")
    numbers = np.array(limits(kind)).astype(TYPES[kind][1])
    case.fed(numbers[:, None], kind)
    case.fed(numbers[None, :], kind)
    case.result("bool")
    yield case.options(camel(operator))


def quantized(operator, kind):
    for name, (left, right) in PARAMETERS[kind].items():
        case = Case(operator, f"{kind}_q", name)
        reach = {"low": -40, "high": 40} if kind == "i16" else {}
        case.fed(case.codes(80, kind=kind, **reach), kind, *left)
        case.fed(case.codes(80, kind=kind, **reach), kind, *right)
        case.result("bool")
        yield case.options(camel(operator))
    case = Case(operator, f"{kind}_q", "both")
    case.fed(case.codes(4, 1, 3, kind=kind), kind, *PARAMETERS[kind]["unlike"][0])
    case.constant(case.codes(2, 1, kind=kind), kind, *PARAMETERS[kind]["unlike"][1])
    case.result("bool")
    yield case.options(camel(operator))


def logical():
    for operator in ("LOGICAL_AND", "LOGICAL_OR"):
        for name, shapes in SHAPES.items():
            case = Case(operator, "bool", name)
            for shape in shapes:
                case.fed(case.drawn(*shape, kind="bool"), "bool")
            case.result("bool")
            yield case.options(camel(operator))
        case = Case(operator, "bool", "table")
        case.fed(np.array([[False], [True]]))
        case.constant(np.array([[False, True]]))
        case.result("bool")
        yield case.options(camel(operator))
    for name, shape in (("matrix", (3, 5)), ("scalar", ()), ("empty", (0, 2)), ("one", (1,))):
        case = Case("LOGICAL_NOT", "bool", name)
        case.fed(case.drawn(*shape, kind="bool"), "bool")
        case.result("bool")
        yield case.options("LogicalNotOptions")


def cases():
    for operator, kinds in COMPARISONS.items():
        for kind in kinds.split():
            yield from plain(operator, kind)
        for kind in PARAMETERS:
            yield from quantized(operator, kind)
    yield from logical()

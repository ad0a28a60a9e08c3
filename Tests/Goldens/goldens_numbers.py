# SPDX-License-Identifier: Apache-2.0
"""FLOOR_MOD, POW, SIGN, CUMSUM, ZEROS_LIKE, RANK, RANGE, BROADCAST_ARGS and BROADCAST_TO."""

import numpy as np

from golden_case import TYPES, Case, code_range

SHAPES = {
    "same": ((3, 4), (3, 4)),
    "both": ((4, 1, 3), (2, 1)),
    "scalar": ((), (6,)),
    "empty": ((0, 3), (3,)),
}
SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.5, -2.0, 3.0, 1e-30, 1e30])


def remainders():
    for kind in "f32 i32 i64 i8 i16".split():
        for name, (left, right) in SHAPES.items():
            case = Case("FLOOR_MOD", kind, name)
            divisor = case.codes(*right, low=1, high=9) * case.random.choice([-1, 1], right)
            case.fed(case.drawn(*left, kind=kind), kind)
            case.fed(divisor * (0.75 if kind == "f32" else 1), kind)
            case.result(kind)
            yield case.options("FloorModOptions")
        case = Case("FLOOR_MOD", kind, "signs")
        case.fed(np.array([7, -7, 8, -8, 0, 1, -1, 6])[:, None], kind)
        case.fed(np.array([2, -2, 3, -3, 7, 100])[None, :], kind)
        case.result(kind)
        yield case.options("FloorModOptions")
        if kind == "f32":
            continue
        least, greatest = code_range(kind)
        case = Case("FLOOR_MOD", kind, "limits")
        case.fed(np.array([least, least + 1, -1, 0, 1, greatest])[:, None], kind)
        case.fed(np.array([least, 1, 3, -3, greatest])[None, :], kind)
        case.result(kind)
        yield case.options("FloorModOptions")
    case = Case("FLOOR_MOD", "f32", "special")
    case.fed(np.float32(SPECIAL)[:, None])
    case.fed(np.float32(SPECIAL)[None, :])
    case.result("f32")
    yield case.options("FloorModOptions")


def powers():
    for kind in ("f32", "i32"):
        for name, (left, right) in SHAPES.items():
            case = Case("POW", kind, name, "exp")
            if kind == "f32":
                case.fed(np.abs(case.normal(*left, spread=3)))
                case.fed(case.normal(*right, spread=2))
            else:
                case.fed(case.codes(*left, kind=kind, low=-9, high=9))
                case.fed(case.codes(*right, kind=kind, low=0, high=9))
            case.result(kind)
            yield case.options("PowOptions")
    case = Case("POW", "f32", "special", "exp")
    case.fed(np.float32(SPECIAL)[:, None])
    case.fed(np.float32(SPECIAL)[None, :])
    case.result("f32")
    yield case.options("PowOptions")
    for exponent in (2.0, 3.0, 0.5, -1.0, 0.0):
        case = Case("POW", "f32", f"constant_{exponent}".replace("-", "minus_"), "exp")
        case.fed(np.abs(case.normal(2, 5)) + 0.1)
        case.constant(np.array(exponent, np.float32))
        case.result("f32")
        yield case.options("PowOptions")
    case = Case("POW", "i32", "limits", "exp")
    case.fed(np.array([-(2**31), -3, -2, -1, 0, 1, 2, 7, 46340])[:, None], "i32")
    case.fed(np.array([0, 1, 2])[None, :], "i32")
    case.result("i32")
    yield case.options("PowOptions")


def signs():
    for kind in ("f32", "f64", "i32"):
        for name, shape in (("matrix", (3, 5)), ("scalar", ()), ("empty", (0, 2))):
            case = Case("SIGN", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.result(kind)
            yield case.options("SignOptions")
        case = Case("SIGN", kind, "limits", "exact")
        numbers = [-(2**31), -1, 0, 1, 2**31 - 1] if kind == "i32" else [*SPECIAL, 1e-45, -1e-45]
        case.fed(np.array(numbers), kind)
        case.result(kind)
        yield case.options("SignOptions")


def running_sums():
    rows = {
        "vector": ((7,), 0), "rows": ((3, 4), 1), "columns": ((3, 4), 0), "negative": ((3, 4), -2),
        "middle": ((2, 3, 4), 1), "rank_5": ((2, 1, 3, 2, 2), 2), "empty": ((0, 3), 1),
        "one": ((4, 1), -1),
    }
    ways = {"": {}, "_exclusive": {"exclusive": True}, "_reverse": {"reverse": True},
            "_both": {"exclusive": True, "reverse": True}}
    for kind in ("f32", "i32", "i64"):
        for name, (shape, axis) in rows.items():
            for suffix, fields in ways.items():
                if kind != "f32" and name not in ("vector", "middle"):
                    continue
                case = Case("CUMSUM", kind, name + suffix, "sum")
                case.fed(case.drawn(*shape, kind=kind), kind)
                case.constant(np.array(axis, np.int32))
                case.result(kind)
                yield case.options("CumsumOptions", **fields)
    case = Case("CUMSUM", "f32", "run_time_axis", "sum")
    case.fed(case.normal(2, 3))
    case.fed(np.array([-1], np.int32))
    case.result("f32")
    yield case.options("CumsumOptions")


def shapes_only():
    for kind in ("f32", "i32", "i64"):
        for name, shape in (("matrix", (2, 3)), ("scalar", ()), ("empty", (0, 2))):
            case = Case("ZEROS_LIKE", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.result(kind)
            yield case.options("ZerosLikeOptions")
    for kind in ("f32", "i8", "i64", "bool"):
        for name, shape in (("scalar", ()), ("matrix", (2, 3)), ("rank_6", (1, 2, 1, 1, 2, 1)),
                            ("empty", (0, 2, 2))):
            case = Case("RANK", kind, name)
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.result("i32")
            yield case.options("RankOptions")


def ranges():
    rows = {
        "up": (0, 10, 3), "down": (10, -4, -3), "exact_end": (1, 9, 2), "one": (-5, -4, 100),
    }
    floats = {"tenths": (0, 1, 0.1), "thirds": (-1, 1, 1 / 3), "down_halves": (2, -2.25, -0.5)}
    for kind in ("i32", "i64", "f32"):
        for name, numbers in (rows | (floats if kind == "f32" else {})).items():
            for role in ("fed", "constant") if name in ("up", "tenths") else ("fed",):
                case = Case("RANGE", kind, name + ("_constant" if role == "constant" else ""))
                for number in numbers:
                    getattr(case, role)(np.array(number), kind)
                case.result(kind)
                yield case.options("RangeOptions")
    far = {"i32": (2**31 - 4, 2**31 - 1, 2), "i64": (-(2**63), -(2**63) + 5, 2)}
    for kind, numbers in far.items():
        case = Case("RANGE", kind, "far")
        for number in numbers:
            case.fed(np.array(number), kind)
        case.result(kind)
        yield case.options("RangeOptions")


def broadcast_args():
    rows = {
        "same": ([2, 3], [2, 3]), "ones": ([4, 1, 3], [1, 2, 1]), "shorter": ([3], [2, 4, 3]),
        "longer": ([5, 2, 1], [7]), "scalar": ([], [2, 3]), "scalars": ([], []),
        "zero": ([0, 1], [3]), "zeros": ([1, 0], [4, 1]),
    }
    for kind in ("i32", "i64"):
        for name, (left, right) in rows.items():
            case = Case("BROADCAST_ARGS", kind, name)
            case.fed(np.array(left), kind)
            place = case.constant if name == "longer" else case.fed
            place(np.array(right), kind)
            case.result(kind)
            yield case
        case = Case("BROADCAST_ARGS", kind, "constants")
        case.constant(np.array([3, 1]), kind)
        case.constant(np.array([4]), kind)
        case.result(kind)
        yield case


def broadcast_to():
    rows = {
        "rows": ((3,), [2, 3]), "columns": ((2, 1), [2, 4]), "scalar": ((), [2, 3]),
        "same": ((2, 3), [2, 3]), "inside": ((2, 1, 3), [2, 2, 3]), "one": ((1,), [5]),
        "rank_6": ((2, 1, 1, 2), [1, 2, 2, 3, 1, 2]), "empty": ((1, 3), [0, 3]),
        "rank_8": ((2,), [1, 2, 1, 1, 2, 1, 1, 2]), "to_scalar": ((), []),
    }
    for kind in "f32 i8 u8 i16 i32 i64 bool f16 u32".split():
        for name, (shape, target) in rows.items():
            if kind != "f32" and name not in ("inside", "scalar"):
                continue
            case = Case("BROADCAST_TO", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.constant(np.array(target, np.int32))
            case.result(kind)
            yield case.options("BroadcastToOptions")
    for kind in ("i32", "i64"):
        case = Case("BROADCAST_TO", "f32", f"run_time_{kind}", "exact")
        case.fed(case.normal(2, 1, 2))
        case.fed(np.array([3, 2, 2, 2], TYPES[kind][1]))
        case.result("f32")
        yield case.options("BroadcastToOptions")


def cases():
    for family in (remainders, powers, signs, running_sums, shapes_only, ranges, broadcast_args,
                   broadcast_to):
        yield from family()

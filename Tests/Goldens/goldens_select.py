# SPDX-License-Identifier: Apache-2.0
"""SELECT, SELECT_V2, WHERE and ONE_HOT."""

import numpy as np

from golden_case import TYPES, Case

KINDS = "f32 i8 u8 i16 i32 i64 bool u32 f16".split()

# Shapes of the condition and both choices.
SELECTIONS = {
    "same": ((3, 4), (3, 4), (3, 4)),
    "scalar": ((), (2, 3), (2, 3)),
    "rows": ((4,), (4, 2, 3), (4, 2, 3)),
    "scalars": ((), (), ()),
    "empty": ((0, 3), (0, 3), (0, 3)),
    "rank_5": ((2, 1, 2, 1, 3),) * 3,
}
BROADCAST = {
    "same": ((3, 4), (3, 4), (3, 4)),
    "condition": ((3, 1), (3, 4), (3, 4)),
    "first": ((2, 3), (3,), (2, 3)),
    "second": ((2, 3), (2, 3), ()),
    "all": ((4, 1, 1), (2, 1), (3,)),
    "last_axis": ((3,), (2, 3), (2, 3)),
    "scalar": ((), (2, 1), (3,)),
    "scalars": ((), (), ()),
    "one": ((1,), (2, 2), (2, 2)),
    "empty": ((0, 3), (3,), (1, 1)),
    "rank_4": ((2, 1, 2, 1), (1, 3, 1, 2), (2, 3, 2, 1)),
    "rank_5": ((2, 1, 2, 1, 2), (1, 2, 1, 2, 1), (2, 2, 2, 2, 2)),
}


def selections():
    for operator, rows in (("SELECT", SELECTIONS), ("SELECT_V2", BROADCAST)):
        table = "SelectOptions" if operator == "SELECT" else "SelectV2Options"
        for kind in KINDS:
            for name, shapes in rows.items():
                if kind != "f32" and name not in ("same", "rows", "all", "scalar"):
                    continue
                case = Case(operator, kind, name, "exact")
                case.fed(case.drawn(*shapes[0], kind="bool"), "bool")
                case.fed(case.drawn(*shapes[1], kind=kind), kind)
                place = case.constant if name == "second" else case.fed
                place(case.drawn(*shapes[2], kind=kind), kind)
                case.result(kind)
                yield case.options(table)
        case = Case(operator, "f32", "special", "exact")
        numbers = np.array([np.nan, np.inf, -0.0, 1.0], np.float32)
        case.fed(np.array([True, False, True, False]))
        case.fed(numbers)
        case.fed(-numbers)
        case.result("f32")
        yield case.options(table)


def places():
    shapes = {
        "vector": (9,), "matrix": (3, 4), "rank_4": (2, 2, 1, 3), "rank_5": (2, 1, 2, 2, 2),
    }
    for kind in "bool f32 i32 i64 i8 u8 u32".split():
        for name, shape in shapes.items():
            if kind not in ("bool", "f32") and name not in ("matrix", "vector"):
                continue
            case = Case("WHERE", kind, name)
            mask = case.random.random(shape) < 0.5
            mask[0] = True
            case.fed(np.where(mask, case.drawn(*shape, kind=kind), 0), kind)
            case.result("i64")
            yield case.options("WhereOptions")
        case = Case("WHERE", kind, "all")
        case.fed(np.full((2, 3), 1), kind)
        case.result("i64")
        yield case.options("WhereOptions")
    case = Case("WHERE", "f32", "special")
    case.fed(np.array([np.nan, 0.0, -0.0, np.inf, 1e-45, -1e-38], np.float32))
    case.result("i64")
    yield case.options("WhereOptions")
    case = Case("WHERE", "bool", "constant")
    case.constant(np.array([[True, False, True], [False, False, True]]))
    case.result("i64")
    yield case.options("WhereOptions")


# Indices, depth, axis.
ONE_HOTS = {
    "vector": ([0, 2, 1, 3], 4, -1),
    "outside": ([-1, 5, 3, -7, 2], 3, -1),
    "matrix": ([[0, 2], [1, 1], [2, 0]], 3, -1),
    "first_axis": ([[0, 2], [1, 1], [2, 0]], 3, 0),
    "middle_axis": ([[0, 2], [1, 1], [2, 0]], 4, 1),
    "last_axis": ([[0, 2], [1, 1]], 3, 2),
    "volume": ([[[0, 1], [1, 0]], [[2, 1], [0, 2]]], 3, 1),
    "depth_1": ([0, 1, 0], 1, -1),
    "depth_0": ([0, 1], 0, -1),
    "scalar": (2, 4, -1),
    "empty": (np.zeros((0, 2)), 3, -1),
}


def one_hots():
    for kind in "f32 i32 i64 i8 u8 bool".split():
        for name, (indices, depth, axis) in ONE_HOTS.items():
            if kind != "f32" and name not in ("outside", "middle_axis", "first_axis"):
                continue
            case = Case("ONE_HOT", kind, name, "exact")
            on, off = (True, False) if kind == "bool" else (7, 3)
            case.fed(np.array(indices, np.int32))
            case.constant(np.array(depth, np.int32))
            case.constant(np.array(on), kind)
            case.constant(np.array(off), kind)
            case.result(kind)
            yield case.options("OneHotOptions", axis=axis)
    for name, indices in (("wide_indices", [0, 3, 1, 100]),
                          ("far_indices", [2**32 + 1, -(2**32), 2**63 - 1, 1])):
        case = Case("ONE_HOT", "f32", name, "exact")
        case.fed(np.array(indices, np.int64))
        case.constant(np.array(4, np.int32))
        case.constant(np.array(1, np.float32))
        case.constant(np.array(0, np.float32))
        case.result("f32")
        yield case.options("OneHotOptions", axis=-1)
    for kind in ("f32", "i8"):
        case = Case("ONE_HOT", kind, "at_run_time", "exact")
        case.fed(np.array([[1, 0], [4, 2]], np.int32))
        case.fed(np.array(5, np.int32))
        case.fed(np.array(-3, TYPES[kind][1]))
        case.fed(np.array(9, TYPES[kind][1]))
        case.result(kind)
        yield case.options("OneHotOptions", axis=0)


def cases():
    for family in (selections, places, one_hots):
        yield from family()

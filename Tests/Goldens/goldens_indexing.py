# SPDX-License-Identifier: Apache-2.0
"""GATHER and GATHER_ND."""

import numpy as np

from golden_case import Case, rows_for

# Shape, axis, batch_dims, indices.
GATHERS = {
    "first": ((4, 3), 0, 0, [2, 0, 3, 3]),
    "negative": ((2, 3, 4), -2, 0, [2, 1]),
    "matrix_of_indices": ((3, 5), 1, 0, [[4, 0], [1, 1]]),
    "one_index": ((3, 2), 0, 0, 1),
    "batch": ((2, 4, 3), 1, 1, [[3, 0], [1, 1]]),
    "batch_inner_axis": ((2, 2, 3, 2), -2, 1, [[2], [0]]),
    "two_batches": ((2, 2, 3), 2, 2, [[[1], [0]], [[2], [2]]]),
    "none": ((3, 2), 0, 0, np.zeros((0,))),
}

# Shape, indices.
NESTED = {
    "elements": ((3, 4), [[0, 1], [2, 3], [1, 0]]),
    "rows": ((3, 4), [[2], [0]]),
    "blocks": ((2, 3, 2), [[[1, 0]], [[0, 2]]]),
    "rank_4": ((2, 2, 2, 2), [[1, 0, 1], [0, 1, 1]]),
}


def cases():
    for kind in "f32 i8 u8 i16 i32 i64 bool f16 i4".split():
        for name in GATHERS if kind == "f32" else ("negative",):
            shape, axis, batches, indices = GATHERS[name]
            case = Case("GATHER", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.fed(np.array(indices, np.int32))
            case.result(kind)
            yield case.options("GatherOptions", axis=axis, batchDims=batches)
    case = Case("GATHER", "str", "vector", "exact")
    case.fed(case.drawn(5, kind="str"), "str")
    case.fed(np.array([4, 0, 0, 2], np.int32))
    case.result("str")
    yield case.options("GatherOptions")
    for index in ("i16", "i64"):
        for operator, table in (("GATHER", "GatherOptions"), ("GATHER_ND", "GatherNdOptions")):
            case = Case(operator, "f32", f"indices_{index}", "exact")
            case.fed(case.drawn(4, 2))
            case.constant(np.array([[3], [1]]), index)
            case.result("f32")
            yield case.options(table)
    for kind in "f32 i8 u8 i16 i32 i64 bool str f16".split():
        for name in rows_for(kind, NESTED):
            shape, indices = NESTED[name]
            case = Case("GATHER_ND", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.fed(np.array(indices, np.int32))
            case.result(kind)
            yield case.options("GatherNdOptions")

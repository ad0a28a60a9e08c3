# SPDX-License-Identifier: Apache-2.0
"""SEGMENT_SUM, UNSORTED_SEGMENT_*, SPARSE_TO_DENSE and UNIQUE."""

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from golden_case import TYPES, Case

# Shape of the data, segments.
SORTED = {
    "vector": ((6,), [0, 0, 1, 2, 2, 2]),
    "matrix": ((4, 3), [0, 1, 1, 2]),
    "one": ((3, 2, 2), [0, 0, 0]),
}

# Shape of the data, segments, how many there are.
UNSORTED = {
    "vector": ((6,), [2, 0, 2, 1, 0, 2], 4),
    "matrix": ((4, 3), [3, 0, 3, 0], 4),
    "prefix": ((2, 3, 2), [[1, 0, 1], [2, 2, 1]], 3),
    "all_axes": ((2, 2), [[0, 1], [1, 1]], 2),
    "negative": ((4, 2), [-1, 1, -7, 0], 3),
    "scalar": ((2, 2), 1, 3),
    "no_slices": ((0, 2), [], 2),
    "no_segments": ((2, 2), [-1, -1], 0),
}

# Shape, places, whether the value is a scalar.
PLACES = {
    "vector": ((6,), [1, 4, 1], False),
    "rows": ((3, 4), [[0, 1], [2, 3], [1, 0]], False),
    "scalar_value": ((2, 3), [[0, 2], [1, 1]], True),
    "one_place": ((5,), 3, True),
    "four_axes": ((2, 1, 2, 3), [[1, 0, 1, 2], [0, 0, 0, 0]], False),
    "none": ((3, 2), np.zeros((0, 2)), False),
    "empty": ((0, 2), np.zeros((0, 2)), False),
}


def integers(case, kind, *shape):
    """Values whose products and sums show wrapping now and then."""
    if kind == "f32":
        return case.normal(*shape, spread=2)
    return case.codes(*shape, kind=kind, low=-90000, high=90000)


def segments():
    for kind in ("f32", "i32"):
        for name, (shape, ids) in SORTED.items():
            for role in ("fed", "constant") if name == "matrix" else ("fed",):
                case = Case("SEGMENT_SUM", kind, name if role == "fed" else f"{name}_{role}", "sum")
                case.kernels = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
                case.fed(integers(case, kind, *shape), kind)
                getattr(case, role)(np.array(ids, np.int32))
                case.result(kind)
                yield case.options("SegmentSumOptions")
        for combination in ("Sum", "Prod", "Max", "Min"):
            for name, (shape, ids, count) in UNSORTED.items():
                for role in ("fed", "constant") if name == "matrix" else ("constant",):
                    title = name if role == "constant" else f"{name}_{role}"
                    case = Case(f"UNSORTED_SEGMENT_{combination.upper()}", kind, title, "sum")
                    case.fed(integers(case, kind, *shape), kind)
                    getattr(case, role)(np.array(ids, np.int32))
                    getattr(case, role)(np.array([count] if role == "fed" else count, np.int32))
                    case.result(kind)
                    yield case.options(f"UnsortedSegment{combination}Options")
    for combination in ("Sum", "Prod", "Max", "Min"):
        case = Case(f"UNSORTED_SEGMENT_{combination.upper()}", "f32", "special", "sum")
        case.fed(np.array([np.nan, 1, np.inf, -np.inf, -0.0, 0.0], np.float32))
        case.fed(np.array([0, 0, 1, 2, 3, 3], np.int32))
        case.constant(np.array(5, np.int32))
        case.result("f32")
        yield case.options(f"UnsortedSegment{combination}Options")


def places():
    for kind in "f32 i32 i64 i8 u8".split():
        for name, (shape, indices, scalar) in PLACES.items():
            if kind not in ("f32", "i8") and name not in ("rows", "one_place"):
                continue
            indices = np.array(indices)
            for index, role in (("i32", "constant"), ("i64", "fed")):
                if name not in ("rows", "vector") and index == "i64":
                    continue
                case = Case("SPARSE_TO_DENSE", kind, f"{name}_{index}", "exact")
                case.fed(indices, index)
                getattr(case, role)(np.array(shape), index)
                count = () if scalar else (indices.shape[0],)
                case.fed(case.drawn(*count, kind=kind), kind)
                case.constant(case.drawn(*(() if role == "fed" else (1,)), kind=kind), kind)
                case.result(kind)
                yield case.options("SparseToDenseOptions", validateIndices=role == "fed")


def distinct():
    for kind in "f32 i32 i64 i8 u8 i16".split():
        for index in ("i32", "i64"):
            case = Case("UNIQUE", kind, f"repeated_{index}", "exact")
            values = case.drawn(7, kind=kind)
            case.fed(np.concatenate([values[:5], values[2:], values[:1]]), kind)
            case.result(kind)
            case.result(index)
            yield case.options("UniqueOptions", idxOutType=schema_index(index))
        case = Case("UNIQUE", kind, "constant", "exact")
        case.constant(np.array([5, 5, 1, 5, 0, 1]), kind)
        case.result(kind)
        case.result("i32")
        yield case.options("UniqueOptions", idxOutType=schema_index("i32"))
    nan = np.nan
    for name, values in (
        ("nan", [4, nan, 2, nan, 7, 1, nan, 4, nan, -0.0, 0.0, -np.inf, nan]),
        ("nan_first", [nan, 3, nan, 1]),
    ):
        case = Case("UNIQUE", "f32", name, "exact")
        case.fed(np.array(values, np.float32))
        case.result("f32")
        case.result("i32")
        yield case.options("UniqueOptions", idxOutType=schema_index("i32"))


def schema_index(kind):
    """The schema's code of an element type."""
    return getattr(schema.TensorType, TYPES[kind][0])


def cases():
    for family in (segments, places, distinct):
        yield from family()

# SPDX-License-Identifier: Apache-2.0
"""BITCAST, DYNAMIC_UPDATE_SLICE, MATRIX_DIAG, MATRIX_SET_DIAG, REVERSE_SEQUENCE, REVERSE_V2 and
SCATTER_ND."""

import numpy as np

from golden_case import TYPES, Case

BITCASTS = """f32_to_i32 i32_to_f32 f32_to_u32 i64_to_i32 i32_to_i64 u8_to_i8 i8_to_u8 i16_to_i8
    i8_to_i16 f32_to_u8 u8_to_f32 i32_to_i16 f32_to_f32 f16_to_u16 i64_to_f32 u32_to_i32""".split()


def width(kind):
    return np.dtype(TYPES[kind][1]).itemsize


def bitcasts():
    for pair in BITCASTS:
        source, target = pair.split("_to_")
        ratio = width(target) // width(source)
        tail = (ratio,) if ratio > 1 else ()
        for name, shape in (("vector", (5,)), ("volume", (2, 1, 3)), ("scalar", ()),
                            ("empty", (0, 2))):
            case = Case("BITCAST", pair, name, "exact")
            case.fed(case.drawn(*shape, *tail, kind=source), source)
            case.result(target)
            yield case.options("BitcastOptions")
    case = Case("BITCAST", "f32_to_i32", "special", "exact")
    case.fed(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, 3.4e38], np.float32))
    case.result("i32")
    yield case.options("BitcastOptions")


# Shape, shape of the update, start.
UPDATES = {
    "vector": ((6,), (2,), [3]),
    "matrix": ((3, 5), (2, 2), [1, 2]),
    "beyond": ((3, 5), (2, 2), [7, 4]),
    "negative": ((3, 5), (2, 2), [-3, 1]),
    "whole": ((2, 3), (2, 3), [1, 1]),
    "volume": ((2, 3, 4), (1, 2, 4), [1, 0, 0]),
    "rank_5": ((2, 1, 2, 3, 2), (1, 1, 2, 1, 2), [0, 0, 0, 2, 0]),
    "nothing": ((2, 3), (0, 3), [1, 0]),
    "scalar": ((), (), []),
}


def updates():
    for kind in "f32 i8 i16 i32 i64 bool f16 i4 u8".split():
        for name, (shape, update, start) in UPDATES.items():
            if kind != "f32" and name not in ("matrix", "beyond", "volume"):
                continue
            case = Case("DYNAMIC_UPDATE_SLICE", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.fed(case.drawn(*update, kind=kind), kind)
            place = case.constant if name == "volume" else case.fed
            place(np.array(start, np.int64 if name == "negative" else np.int32))
            case.result(kind)
            yield case.options("DynamicUpdateSliceOptions")
    case = Case("DYNAMIC_UPDATE_SLICE", "f32", "far", "exact")
    case.fed(case.normal(3, 4))
    case.fed(case.normal(1, 2))
    case.fed(np.array([2**62, -(2**62)], np.int64))
    case.result("f32")
    yield case.options("DynamicUpdateSliceOptions")


def diagonals():
    for kind in "f32 i8 u8 i16 i32 i64".split():
        for name, shape in (("vector", (4,)), ("batch", (2, 3)), ("volume", (2, 1, 3)),
                            ("one", (1,)), ("column", (3, 1))):
            case = Case("MATRIX_DIAG", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.result(kind)
            yield case.options("MatrixDiagOptions")
        for name, shape, length in (("square", (3, 3), 3), ("wide", (2, 5), 2), ("tall", (4, 2), 2),
                                    ("batch", (2, 3, 4), 3), ("rank_4", (2, 2, 3, 2), 2),
                                    ("one", (1, 1), 1)):
            case = Case("MATRIX_SET_DIAG", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            place = case.constant if name == "wide" else case.fed
            place(case.drawn(*shape[:-2], length, kind=kind), kind)
            case.result(kind)
            yield case.options("MatrixSetDiagOptions")


# Shape, lengths, axis of the sequence, axis of the batch.
SEQUENCES = {
    "rows": ((3, 5), [2, 5, 0], 1, 0),
    "columns": ((4, 3), [1, 4, 3], 0, 1),
    "volume": ((2, 4, 3), [3, 4], 1, 0),
    "volume_last": ((2, 3, 4), [1, 3, 4], 2, 1),
    "batch_last": ((4, 2, 3), [2, 4, 1], 0, 2),
    "batch_last_next": ((2, 4, 3), [2, 4, 1], 1, 2),
    "rank_5": ((2, 2, 3, 2, 2), [3, 2], 2, 0),
    "apart": ((2, 2, 4), [4, 2], 2, 0),
}


def sequences():
    for kind in "f32 u8 i16 i32 i64".split():
        for name, (shape, lengths, sequence, batch) in SEQUENCES.items():
            if kind != "f32" and name not in ("rows", "volume", "batch_last"):
                continue
            case = Case("REVERSE_SEQUENCE", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            place = case.constant if name == "volume" else case.fed
            place(np.array(lengths, np.int64 if name == "columns" else np.int32))
            case.result(kind)
            yield case.options("ReverseSequenceOptions", seqDim=sequence, batchDim=batch)


# Shape, axes.
REVERSALS = {
    "vector": ((5,), [0]),
    "rows": ((3, 4), [1]),
    "columns": ((3, 4), [0]),
    "negative": ((2, 3, 4), [-2]),
    "last": ((2, 3, 4), [-1]),
    "two": ((2, 3, 4), [1, 2]),
    "two_first": ((2, 3, 4), [0, 1]),
    "unordered": ((2, 3, 4), [-1, 1]),
    "all": ((2, 3, 2), [0, 1, 2]),
    "one": ((1, 1), [0]),
    "empty": ((0, 3), [1]),
    "rank_5": ((2, 1, 3, 2, 2), [2, 3]),
}


def reversals():
    for kind in "f32 i8 u8 i16 i32 i64 bool f16 bf16".split():
        for name, (shape, axes) in REVERSALS.items():
            if kind != "f32" and name not in ("rows", "two"):
                continue
            case = Case("REVERSE_V2", kind, name, "exact")
            case.fed(case.drawn(*shape, kind=kind), kind)
            case.constant(np.array(axes, np.int32))
            case.result(kind)
            yield case.options("ReverseV2Options")
    case = Case("REVERSE_V2", "f32", "run_time_axis", "exact")
    case.fed(case.normal(2, 3))
    case.fed(np.array([1], np.int32))
    case.result("f32")
    yield case.options("ReverseV2Options")


# Indices, shape of the updates, shape of the result.
SCATTERS = {
    "vector": ([[4], [1], [3]], (3,), [6]),
    "added": ([[1], [1], [0], [1]], (4,), [3]),
    "rows": ([[2], [0]], (2, 3), [4, 3]),
    "elements": ([[0, 1], [2, 0], [1, 1]], (3,), [3, 2]),
    "slices": ([[0, 1], [1, 0]], (2, 4), [2, 2, 4]),
    "batches": ([[[0], [1]], [[2], [0]]], (2, 2, 2), [3, 2]),
    "none": (np.zeros((0, 1)), (0, 2), [3, 2]),
    "rank_4": ([[1, 0, 1, 1], [0, 0, 0, 0]], (2,), [2, 1, 2, 2]),
}


def scatters():
    for kind in "f32 i32 i64 i8 u8 bool".split():
        for name, (indices, updates_shape, shape) in SCATTERS.items():
            if kind != "f32" and name not in ("vector", "added", "rows"):
                continue
            if kind == "bool" and name == "added":
                continue
            case = Case("SCATTER_ND", kind, name, "sum")
            place = case.constant if name == "elements" else case.fed
            place(np.array(indices, np.int32))
            case.fed(case.drawn(*updates_shape, kind=kind), kind)
            case.constant(np.array(shape, np.int32))
            case.result(kind)
            yield case.options("ScatterNdOptions")
    case = Case("SCATTER_ND", "bool", "added", "sum")
    case.fed(np.array([[0], [0], [1], [2], [2]], np.int32))
    case.fed(np.array([True, True, False, False, True]))
    case.constant(np.array([4], np.int32))
    case.result("bool")
    yield case.options("ScatterNdOptions")
    case = Case("SCATTER_ND", "f32", "run_time_shape", "sum")
    case.fed(np.array([[1], [0]], np.int32))
    case.fed(case.normal(2, 2))
    case.fed(np.array([3, 2], np.int32))
    case.result("f32")
    yield case.options("ScatterNdOptions")


def cases():
    for family in (bitcasts, updates, diagonals, sequences, reversals, scatters):
        yield from family()

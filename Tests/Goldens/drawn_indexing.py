# SPDX-License-Identifier: Apache-2.0
"""Gathering, scattering, reversing, diagonals, segments and the like, drawn at random."""

import math

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from drawn_layout import axis_of, begin, whole
from golden_case import TYPES


def schema_kind(kind):
    return getattr(schema.TensorType, TYPES[kind][0])


def gather(case, draw):
    shape = draw.shape(1, 1 if case.kind == "str" else 5, 5)
    axis = draw.between(0, len(shape) - 1)
    if case.kind == "i4":  # The runtime copies whole bytes.
        shape = (*shape, 2 * draw.between(1, 4))
    batch_dims = draw.between(0, axis) if draw.chance(0.4) else 0
    inner = draw.shape(0, 2, 4) if draw.chance(0.95) else (0,)
    affine = begin(case, draw, shape)
    kind = draw.choice(["i32", "i32", "i64", "i16"])
    indices = case.codes(*shape[:batch_dims], *inner, kind="i32", low=0, high=shape[axis] - 1)
    draw.place(case, 0.7)(indices, kind)
    case.result(case.kind, *affine)
    if batch_dims and draw.chance(0.3):
        batch_dims -= batch_dims + len(inner)
    axis -= len(shape) if draw.chance(0.3) else 0
    case.options("GatherOptions", axis=axis, batchDims=batch_dims)


def gather_nested(case, draw):
    shape = draw.shape(1, 5, 4)
    depth = draw.between(0 if draw.chance(0.1) else 1, len(shape))
    outer = draw.shape(0, 3, 4)
    affine = begin(case, draw, shape)
    indices = np.stack([case.codes(*outer, kind="i32", low=0, high=d - 1) for d in shape[:depth]],
                       -1) if depth else np.zeros((*outer, 0))
    draw.place(case, 0.7)(indices, draw.choice(["i32", "i32", "i64", "i16"]))
    case.result(case.kind, *affine)
    case.options("GatherNdOptions")


def scatter(case, draw):
    shape = draw.shape(1, 4, 4)
    depth = draw.between(1, len(shape))
    outer = draw.shape(1, 2, 4)
    case.tolerance = "sum"
    indices = np.stack([case.codes(*outer, kind="i32", low=0, high=d - 1) for d in shape[:depth]],
                       -1)
    draw.place(case, 0.7)(indices, "i32")
    updates = draw.values(case, case.kind, outer + shape[depth:])
    draw.place(case, 0.8)(updates, case.kind)
    draw.place(case)(np.array(shape, np.int32))
    case.result(case.kind)
    case.options("ScatterNdOptions")


def dense(case, draw):
    shape = draw.shape(1, 4, 5)
    kind = whole(draw)
    count = draw.between(0 if draw.chance(0.1) else 1, 5)
    places = sorted(draw.between(0, math.prod(shape) - 1) for _ in range(count))
    indices = np.stack(np.unravel_index(np.array(places, np.int64), shape), -1)
    if len(shape) == 1 and draw.chance():
        indices = indices.ravel()
    if len(shape) == 1 and count and draw.chance(0.2):
        indices, count = indices.ravel()[0], 1
    scalar = draw.chance(0.3)
    case.tolerance = "exact"
    draw.place(case, 0.7)(indices, kind)
    draw.place(case)(np.array(shape), kind)
    draw.place(case, 0.7)(draw.values(case, case.kind, () if scalar else (count,)), case.kind)
    draw.place(case, 0.3)(draw.values(case, case.kind, (1,) * draw.between(0, 1)), case.kind)
    case.result(case.kind)
    case.options("SparseToDenseOptions", validateIndices=draw.chance())


def one_hot(case, draw):
    case.tolerance = "exact"
    shape = draw.shape(0, 3, 5) if draw.chance(0.95) else (0, 2)
    depth = draw.between(0 if draw.chance(0.1) else 1, 9)
    draw.place(case, 0.8)(case.codes(*shape, kind="i32", low=-2, high=depth + 1), whole(draw))
    draw.place(case)(np.array(depth, np.int32).reshape((1,) * draw.between(0, 1)))
    for _ in range(2):
        draw.place(case)(draw.values(case, case.kind, (1,) * draw.between(0, 1)), case.kind)
    case.result(case.kind)
    case.options("OneHotOptions", axis=-1 if draw.chance(0.5) else draw.between(0, len(shape)))


def reverse(case, draw):
    shape = draw.shape(1, draw.choice([4, 6, 8]), 5)
    first = draw.between(0, len(shape) - 1)
    axes = list(range(first, draw.between(first, len(shape) - 1) + 1))
    axes = [a - len(shape) if draw.chance(0.3) else a for a in draw.some(axes, 99)]
    affine = begin(case, draw, shape)
    draw.place(case)(np.array(axes, np.int32))
    case.result(case.kind, *affine)
    case.options("ReverseV2Options")


def sequence(case, draw):
    shape = draw.shape(2, 5, 6)
    sequence, batch = draw.some(range(len(shape)), 99)[:2]
    begin(case, draw, shape)
    lengths = case.codes(shape[batch], kind="i32", low=0, high=shape[sequence])
    draw.place(case, 0.6)(lengths, whole(draw))
    case.result(case.kind)
    case.options("ReverseSequenceOptions", seqDim=sequence, batchDim=batch)


def diagonal(case, draw):
    setting = case.operator == "MATRIX_SET_DIAG"
    shape = draw.shape(2 if setting else 1, 4, 5)
    begin(case, draw, shape)
    if setting:
        diagonal = draw.values(case, case.kind, (*shape[:-2], min(shape[-2:])))
        draw.place(case, 0.7)(diagonal, case.kind)
    case.result(case.kind)
    case.options("MatrixSetDiagOptions" if setting else "MatrixDiagOptions")


def segments(case, draw):
    shape = draw.shape(1, 4, 5)
    case.tolerance = "sum"
    case.fed(draw.values(case, case.kind, shape), case.kind)
    if case.operator == "SEGMENT_SUM":
        case.kernels = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
        steps = [0] + [draw.between(0, 1) for _ in range(shape[0] - 1)]
        draw.place(case)(np.cumsum(steps).astype(np.int32))
        case.result(case.kind)
        return case.options("SegmentSumOptions")
    count = draw.between(1, 6)
    prefix = shape[: draw.between(1, len(shape))]
    ids = case.codes(*prefix, kind="i32", low=-1 if draw.chance(0.3) else 0, high=count - 1)
    draw.place(case)(ids)
    draw.place(case)(np.array(count, np.int32).reshape((1,) * draw.between(0, 1)))
    case.result(case.kind)
    return case.options(f"UnsortedSegment{case.operator[17:].capitalize()}Options")


def unique(case, draw):
    case.tolerance = "exact"
    values = draw.values(case, case.kind, (draw.between(1, 6),))
    kind = whole(draw)
    repeated = values[case.codes(draw.between(0 if draw.chance(0.1) else 1, 20), kind="i32", low=0,
                                 high=len(values) - 1)]
    draw.place(case, 0.8)(repeated, case.kind)
    case.result(case.kind)
    case.result(kind)
    case.options("UniqueOptions", idxOutType=schema_kind(kind))


def extreme_place(case, draw):
    """ARG_MAX and ARG_MIN."""
    shape = draw.shape(1, 5, 6)
    begin(case, draw, shape)
    kind = draw.choice(["i32", "i64"])
    axis = np.array(axis_of(draw, len(shape)), TYPES[whole(draw)][1])
    draw.place(case)(axis.reshape((1,) * draw.between(0, 1)))
    case.result(kind)
    table = "ArgMaxOptions" if case.operator == "ARG_MAX" else "ArgMinOptions"
    case.options(table, outputType=schema_kind(kind))


def top(case, draw):
    shape = draw.shape(1, 4, 9)
    begin(case, draw, shape)
    count = draw.between(0 if draw.chance(0.05) else 1, shape[-1])
    kind = draw.choice(["i32", "i32", "i16"])
    draw.place(case)(np.array(count, TYPES[kind][1]).reshape((1,) * draw.between(0, 1)))
    case.result(case.kind)
    case.result(draw.choice(["i32", "i32", "i16"]))
    case.options("TopKV2Options")


DRAWN = {
    "GATHER": ("f32 i8 u8 i16 i32 i64 bool str f16 i4 i8_q", gather),
    "GATHER_ND": ("f32 i8 u8 i16 i32 i64 bool str f16 bf16", gather_nested),
    "SCATTER_ND": ("f32 i32 i64 i8 u8 bool", scatter),
    "SPARSE_TO_DENSE": ("f32 i32 i64 i8 u8", dense),
    "ONE_HOT": ("f32 i32 i64 i8 u8 bool", one_hot),
    "REVERSE_V2": ("f32 i8 u8 i16 i32 i64 bool f16 bf16", reverse),
    "REVERSE_SEQUENCE": ("f32 u8 i16 i32 i64", sequence),
    "MATRIX_DIAG": ("f32 i8 u8 i16 i32 i64", diagonal),
    "MATRIX_SET_DIAG": ("f32 i8 u8 i16 i32 i64", diagonal),
    "SEGMENT_SUM": ("f32 i32", segments),
    "UNSORTED_SEGMENT_PROD": ("f32 i32", segments),
    "UNSORTED_SEGMENT_MAX": ("f32 i32", segments),
    "UNSORTED_SEGMENT_SUM": ("f32 i32", segments),
    "UNSORTED_SEGMENT_MIN": ("f32 i32", segments),
    "UNIQUE": ("f32 i32 i64 i8 u8 i16", unique),
    "ARG_MAX": ("f32 i8 u8 i32 bool i8_q u8_q", extreme_place),
    "ARG_MIN": ("f32 i8 u8 i32 bool i8_q u8_q", extreme_place),
    "TOPK_V2": ("f32 i8 u8 i16 i32 i64", top),
}

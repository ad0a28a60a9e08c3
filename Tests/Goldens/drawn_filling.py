# SPDX-License-Identifier: Apache-2.0
"""Padding, repeating, filling, broadcasting and blocks, drawn at random."""

import math

import numpy as np
from ai_edge_litert.schema_py_generated import MirrorPadMode

from drawn_layout import begin, whole


def pad(case, draw):
    shape = list(draw.shape(1, 5, 4))
    if draw.chance(0.05):
        shape[0] = 0
    paddings = [[0, 0] if draw.chance(0.3) else [draw.between(0, 3), draw.between(0, 3)]
                for _ in shape]
    if len(shape) == 4 and draw.chance():
        paddings[0] = paddings[3] = [0, 0]
    affine = begin(case, draw, shape)
    draw.place(case)(np.array(paddings), draw.choice("i32 i32 i64 i8 i16".split()))
    if case.operator == "PADV2":
        value = draw.values(case, case.kind, (1,) * draw.between(0, 1))
        draw.place(case)(value, case.kind, *affine)
    case.result(case.kind, *affine)
    case.options("PadOptions" if case.operator == "PAD" else "PadV2Options")


def mirror(case, draw):
    shape = draw.shape(1, 5, 5)
    symmetric = draw.chance()
    most = [d if symmetric else d - 1 for d in shape]
    paddings = [[draw.between(0, m), draw.between(0, m)] if draw.chance(0.8) else [0, 0]
                for m in most]
    begin(case, draw, shape)
    draw.place(case)(np.array(paddings), whole(draw))
    case.result(case.kind)
    mode = MirrorPadMode.SYMMETRIC if symmetric else MirrorPadMode.REFLECT
    case.options("MirrorPadOptions", mode=mode)


def tile(case, draw):
    shape = draw.shape(0 if draw.chance(0.1) else 1, 5, 4)
    least = 0 if draw.chance(0.05) and case.kind != "str" else 1
    begin(case, draw, shape, 0 if case.kind == "str" else 0.1)
    draw.place(case)(np.array([draw.between(least, 3) for _ in shape]), whole(draw))
    case.result(case.kind)
    case.options("TileOptions")


def fill(case, draw):
    case.tolerance = "exact"
    shape = [0 if draw.chance(0.05) else d for d in draw.shape(0, 5, 4)]
    draw.place(case)(np.array(shape), whole(draw))
    draw.place(case, 0.7)(draw.values(case, case.kind, ()), case.kind)
    case.result(case.kind)
    case.options("FillOptions")


def depth(case, draw):
    block = draw.between(1, 4)
    rows, columns, channels = draw.between(1, 4), draw.between(1, 4), draw.between(1, 4)
    if case.operator == "SPACE_TO_DEPTH":
        shape, table = (rows * block, columns * block, channels), "SpaceToDepthOptions"
    else:
        shape, table = (rows, columns, channels * block * block), "DepthToSpaceOptions"
    affine = begin(case, draw, (draw.between(1, 3), *shape))
    case.result(case.kind, *affine)
    case.options(table, blockSize=block)


def batches(case, draw):
    axes = draw.choice([1, 2, 2])
    block = [draw.between(1, 3) for _ in range(axes)]
    batch, channels = draw.between(1, 3), [draw.between(1, 4)]
    edges = [[draw.between(0, 2), draw.between(0, 2)] for _ in range(axes)]
    if case.operator == "SPACE_TO_BATCH_ND":
        middle = [max(1, draw.between(1, 4) * b - sum(e)) for b, e in zip(block, edges)]
        edges = [[e[0], -(m + e[0]) % b + (b if draw.chance(0.2) else 0)]
                 for b, e, m in zip(block, edges, middle)]
    else:
        middle = [-(-(sum(e) + draw.between(1, 6)) // b) for b, e in zip(block, edges)]
        batch *= math.prod(block)
    affine = begin(case, draw, [batch, *middle, *channels])
    draw.place(case)(np.array(block, np.int32))
    draw.place(case)(np.array(edges, np.int32))
    case.result(case.kind, *affine)
    case.options("SpaceToBatchNDOptions" if case.operator[0] == "S" else "BatchToSpaceNDOptions")


def spread(case, draw):
    target = draw.shape(1, draw.choice([4, 5, 8]), 4)
    begin(case, draw, draw.broadcast(target))
    draw.place(case)(np.array(target), whole(draw))
    case.result(case.kind)
    case.options("BroadcastToOptions")


def common_shape(case, draw):
    target = draw.shape(0, 6)
    for place in (0, 1):
        shape = target if place == 0 and draw.chance() else draw.broadcast(target)
        draw.place(case)(np.array(shape), case.kind)
    case.result(case.kind)


def number_range(case, draw):
    case.tolerance = "arithmetic"
    if case.kind == "f32":
        first, last = case.normal(2, spread=draw.choice([1, 10, 100]))
        step = np.float32(draw.choice([0.1, 0.3, 1, 2.5, 7, abs(float(last - first)) or 1]))
    else:
        first, last = draw.between(-50, 50), draw.between(-50, 50)
        step = draw.choice([1, 1, 2, 3, 7, 200])
    for number in (first, last, step if last >= first else -step):
        draw.place(case)(np.array(number), case.kind)
    case.result(case.kind)
    case.options("RangeOptions")


DRAWN = {
    "PAD": ("f32 i8_q u8_q i16_q i32 i64 bool f16 bf16 i8", pad),
    "PADV2": ("f32 i8_q u8_q i16_q i32 i64 bool f16 bf16 i8", pad),
    "MIRROR_PAD": ("f32 i8 u8 i16 i32 i64 bool", mirror),
    "TILE": ("f32 i8 u8 i32 i64 bool str i16", tile),
    "FILL": ("f32 i8 i16 i32 i64 bool str f16 u8", fill),
    "SPACE_TO_DEPTH": ("f32 i8 u8 i32 i64 i8_q", depth),
    "DEPTH_TO_SPACE": ("f32 i8 u8 i32 i64 i8_q", depth),
    "SPACE_TO_BATCH_ND": ("f32 i8 u8 i16 i32 i64 i8_q", batches),
    "BATCH_TO_SPACE_ND": ("f32 i8 u8 i16 i32 i64", batches),
    "BROADCAST_TO": ("f32 i8 u8 i16 i32 i64 bool f16 u32", spread),
    "BROADCAST_ARGS": ("i32 i64", common_shape),
    "RANGE": ("i32 i64 f32", number_range),
}

# SPDX-License-Identifier: Apache-2.0
"""StableHLO's padding, gathering, scattering and windows, DILATE and REDUCE_WINDOW, at random."""

import numpy as np

from drawn_layout import begin, whole
from golden_case import code_range
from goldens_random import ALGORITHMS, bits
from goldens_stablehlo import BODIES, COMPUTATIONS, FLOATS

REDUCTIONS = {"add": 1, "mul": 2, "min": 3, "max": 4, "all": 5, "any": 6}


def elementwise(case, draw):
    shape = draw.shape(0, draw.choice([3, 6]), 6)
    left, right = (draw.values(case, case.kind, shape) for _ in range(2))
    if case.kind in FLOATS and draw.chance(0.1) and shape:
        left.flat[0], right.flat[-1] = draw.choice([np.nan, np.inf, -0.0]), np.nan
    logic = case.operator in ("STABLEHLO_AND", "STABLEHLO_SHIFT_LEFT")
    if case.operator == "STABLEHLO_SHIFT_LEFT":
        width = left.itemsize * 8
        right = case.codes(*shape, kind=case.kind, low=0, high=width - 1)
    case.tolerance = "exact"
    if logic:
        case.kernels = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
    case.fed(left, case.kind)
    draw.place(case, 0.7)(right, case.kind)
    case.result(case.kind)


def pad(case, draw):
    shape = draw.shape(1, 5, 4)
    least = -2 if draw.chance(0.4) else 0
    begin(case, draw, shape)
    draw.place(case)(draw.values(case, case.kind, ()), case.kind)
    case.result(case.kind)
    edges = [[draw.between(least, 3) for _ in shape] for _ in range(2)]
    case.options("StablehloPadOptions", edgePaddingLow=edges[0], edgePaddingHigh=edges[1],
                 interiorPadding=[draw.between(0, draw.choice([0, 2])) for _ in shape])


def index_vectors(case, draw, shape, axes, sizes):
    """Places of windows of these sizes, and the axis that has the vectors."""
    outer = draw.shape(1, 2, 4)
    far = 2 if draw.chance(0.3) else 0
    rows = [case.codes(*outer, kind="i32", low=-far, high=shape[a] - sizes[a] + far) for a in axes]
    axis = len(outer) if draw.chance(0.7) else draw.between(0, len(outer))
    return outer, np.stack(rows, axis), axis


def mixed(draw, outer, inner):
    """Positions of the window's axes among all, and the whole shape."""
    rank = len(outer) + len(inner)
    places = sorted(draw.some(range(rank), 99)[: len(inner)])
    if draw.chance(0.6):
        places = list(range(len(outer), rank))
    left, right = iter(outer), iter(inner)
    return places, tuple(next(right) if i in places else next(left) for i in range(rank))


def gather(case, draw):
    shape = draw.shape(1, 4, 6)
    axes = draw.some(range(len(shape)), 1)
    sizes = [draw.between(1, d) if i in axes else d for i, d in enumerate(shape)]
    collapsed = sorted(draw.some(axes)) if draw.chance(0.8) else []
    for axis in collapsed:
        sizes[axis] = 1
    outer, indices, axis = index_vectors(case, draw, shape, axes, sizes)
    places, output = mixed(draw, outer, [s for i, s in enumerate(sizes) if i not in collapsed])
    begin(case, draw, shape)
    draw.place(case, 0.7)(indices, whole(draw))
    case.result(case.kind, shape=output)
    case.options("StablehloGatherOptions", offsetDims=places, collapsedSliceDims=collapsed,
                 startIndexMap=axes, indexVectorDim=axis, sliceSizes=sizes)


def scatter(case, draw):
    shape = draw.shape(1, 4, 5)
    axes = draw.some(range(len(shape)), 1)
    sizes = [draw.between(1, d) for d in shape]
    inserted = sorted(draw.some(axes)) if draw.chance(0.8) else []
    for axis in inserted:
        sizes[axis] = 1
    outer, indices, axis = index_vectors(case, draw, shape, axes, sizes)
    places, updates = mixed(draw, outer, [s for i, s in enumerate(sizes) if i not in inserted])
    begin(case, draw, shape, 0)
    draw.place(case, 0.7)(indices, whole(draw))
    draw.place(case, 0.7)(draw.values(case, case.kind, updates), case.kind)
    case.result(case.kind)
    case.computation = COMPUTATIONS[draw.choice(COMPUTATIONS)]
    case.options("StablehloScatterOptions", updateWindowDims=places, insertedWindowDims=inserted,
                 scatterDimsToOperandDims=axes, indexVectorDim=axis,
                 updateComputationSubgraphIndex=1)


def window_values(case, draw, shape, body):
    values = draw.values(case, case.kind, shape)
    if body == "mul" and case.kind != "bool":
        return values / 4 if case.kind in FLOATS else values % 5
    return values * (values % 3 < 1) if body in ("all", "any") and case.kind != "bool" else values


def stablehlo_window(case, draw):
    shape = draw.shape(1, draw.choice([2, 4, 5]), 6)
    body = draw.choice(["all", "any"] if case.kind == "bool" else ["add", "mul", "max", "min"])
    values = window_values(case, draw, shape, body)
    case.fed(values, case.kind)
    neutral = {"add": 0, "mul": 1, "all": 1, "any": 0}.get(body)
    low, high = code_range(case.kind) if case.kind not in ("f32", "bool") else (-9e9, 9e9)
    start = {"max": low, "min": high}.get(body, neutral)
    start = draw.between(0, 1 if case.kind == "bool" else 3) if draw.chance(0.2) else start
    draw.place(case)(np.array(start), case.kind)
    case.result(case.kind)
    case.computation = BODIES[body]
    case.tolerance = "sum"
    padding = [draw.between(-1 if draw.chance(0.2) else 0, 2) for _ in range(2 * len(shape))]
    case.options(
        "StablehloReduceWindowOptions", bodySubgraphIndex=1,
        windowDimensions=[draw.between(1, 3) for _ in shape],
        windowStrides=[draw.between(1, 2) for _ in shape] if draw.chance(0.8) else None,
        baseDilations=[draw.between(1, 2) for _ in shape] if draw.chance(0.4) else None,
        windowDilations=[draw.between(1, 2) for _ in shape] if draw.chance(0.5) else None,
        padding=padding if draw.chance(0.6) else None)


def reduce_window(case, draw):
    shape = draw.shape(1, draw.choice([2, 4, 6]), 6)
    body = draw.choice(list(REDUCTIONS)[2:] if case.kind == "bool" else REDUCTIONS)
    case.tolerance = "sum"
    case.fed(window_values(case, draw, shape, body), case.kind)
    draw.place(case)(np.array(draw.between(0, 1 if case.kind == "bool" else 3)), case.kind)
    sizes = [draw.between(1, min(d, 3)) for d in shape]
    gaps = [draw.between(1, (d - 1) // (s - 1)) if s > 1 and d > s else 1
            for d, s in zip(shape, sizes)]
    for numbers in (sizes, [draw.between(1, 3) for _ in shape], gaps):
        case.constant(np.array(numbers, np.int64))
    case.result(case.kind)
    case.options("ReduceWindowOptions", reduceFunction=REDUCTIONS[body])


def dilate(case, draw):
    shape = draw.shape(1, 5, 4)
    begin(case, draw, shape)
    draw.place(case)(np.array([draw.between(1, draw.choice([1, 4])) for _ in shape], np.int32))
    draw.place(case)(draw.values(case, case.kind, ()), case.kind)
    case.result(case.kind)
    case.options("DilateOptions")


def random_bits(case, draw):
    algorithm, kind = case.variant.split("_")
    words = 2 if algorithm == "threefry" else draw.choice([2, 3])
    state = [int(w) for w in case.codes(words, kind="u64")]
    made = bits(algorithm, kind, "drawn", state, draw.shape(1, 3, 9))
    made.name, made.seed = case.name, case.seed
    return made


WIDE = "f32 f16 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool"
ELEMENTWISE = {name: WIDE for name in ("ADD", "MULTIPLY", "MAXIMUM", "MINIMUM")}
ELEMENTWISE |= {"AND": "i32 bool i8 i16 i64", "SHIFT_LEFT": "i32 i8 i16"}
BITS = " ".join(f"{a}_{k}" for a in ALGORITHMS for k in ("u32", "i32", "u64", "i64"))
DRAWN = {f"STABLEHLO_{name}": (kinds, elementwise) for name, kinds in ELEMENTWISE.items()} | {
    "STABLEHLO_PAD": ("f32 i32 i8 i64 bool f16 u8 i16", pad),
    "STABLEHLO_GATHER": ("f32 i32 i8 i64 bool f16 u8 i16", gather),
    "STABLEHLO_SCATTER": ("f32 i32 i64 i8 f16 i16 u8 bool", scatter),
    "STABLEHLO_REDUCE_WINDOW": ("f32 i32 i8 i64 bool u8 i16", stablehlo_window),
    "STABLEHLO_RNG_BIT_GENERATOR": (BITS, random_bits),
    "REDUCE_WINDOW": ("f32 i32 i64 i8 u8 i16 bool f64", reduce_window),
    "DILATE": ("f32 i8 u8 i16 i32 i64 f64 bool f16", dilate),
}

# SPDX-License-Identifier: Apache-2.0
"""EMBEDDING_LOOKUP, EMBEDDING_LOOKUP_SPARSE and DENSIFY with everything drawn at random."""

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from goldens_tables import QUANTIZED

VECTORS = {
    "Int32": (schema.Int32VectorT, 2**31),
    "Uint16": (schema.Uint16VectorT, 2**16),
    "Uint8": (schema.Uint8VectorT, 2**8),
}


def lookup(case, draw):
    kind, per_row, output = QUANTIZED.get(case.variant, (case.kind, False, case.kind))
    blockwise = case.variant.startswith("blockwise")
    shape = draw.shape(2, 4)
    if blockwise:
        kind = case.variant.removeprefix("blockwise_")
        length = draw.choice([4, 8, 16, 32])
        shape = (draw.size(9), length * draw.between(1, 4))
    if case.variant in QUANTIZED or blockwise:
        output = draw.choice(["f32", "f16"]) if case.variant != "hybrid_i8_f16" else "f16"
    scale = ((), 0)
    if case.variant == "i8_q":
        scale = draw.affine("i8")
    elif case.variant in QUANTIZED:
        scale = [draw.scale(1e-4, 2) for _ in range(shape[0] if per_row else 1)], 0
    indices = case.codes(draw.between(0, 12), kind="i32", low=0, high=shape[0] - 1)
    draw.place(case, 0.8)(indices)
    plain = case.variant in ("f32", "i32", "i8_q")
    place = draw.place(case) if plain else case.constant
    table = place(draw.values(case, kind, shape), kind, *scale)
    if blockwise:
        table.block_length = length
        scales = case.random.uniform(0.001, 4, (shape[0], shape[1] // length))
        table.block_scales = scales.astype(np.float16)
    case.result(output, *(scale if case.variant == "i8_q" else ((), 0)))
    case.tolerance = "exact" if plain else "arithmetic"


def sparse_lookup(case, draw):
    rank = draw.between(1, 4)
    shape = [draw.between(1, 4) for _ in range(rank)]
    table = draw.shape(2, 4, largest=5)
    count = draw.between(0, 12)
    indices = np.array([[draw.between(0, n - 1) for n in shape] for _ in range(count)], np.int32)
    indices = indices.reshape(count, rank)
    if draw.chance(0.8):
        indices = indices[np.lexsort(indices.T[::-1])]
    place = draw.place(case)
    case.fed(case.codes(count, kind="i32", low=0, high=table[0] - 1), "i32")
    place(indices, "i32")
    draw.place(case)(np.array(shape), "i32")
    case.fed(case.random.uniform(-1 if draw.chance(0.2) else 0.1, 2, count), "f32")
    draw.place(case)(draw.values(case, "f32", table))
    case.result("f32")
    case.tolerance = "sum"
    case.options("EmbeddingLookupSparseOptions", combiner=draw.between(0, 2))


def dense(size):
    """The table of a dense dimension."""
    dimension = schema.DimensionMetadataT()
    dimension.format, dimension.denseSize = schema.DimensionType.DENSE, int(size)
    return dimension


def compressed(draw, kept):
    """The table of a compressed dimension; `kept` are the positions of each segment."""
    segments = np.concatenate([[0], np.cumsum([len(each) for each in kept])])
    indices = np.array([k for each in kept for k in each], np.int64)
    dimension = schema.DimensionMetadataT()
    dimension.format = schema.DimensionType.SPARSE_CSR
    for field, numbers in (("arraySegments", segments), ("arrayIndices", indices)):
        fitting = [n for n, (_, limit) in VECTORS.items() if np.max(numbers, initial=0) < limit]
        width = draw.choice(fitting)
        vector = VECTORS[width][0]()
        vector.values = numbers.astype(width.lower())
        setattr(dimension, field, vector)
        setattr(dimension, field + "Type", getattr(schema.SparseIndexVector, width + "Vector"))
    return dimension


def densify(case, draw):
    """Blocks of a tensor in some order of its dimensions, some of them compressed."""
    rank = draw.between(1, 4)
    grid = [draw.between(1, 5) for _ in range(rank)]
    blocked = sorted(draw.some(range(rank))) if draw.chance() else []
    block = [draw.choice([1, 2, 3, 4]) for _ in blocked]
    shape = list(grid)
    for axis, size in zip(blocked, block):
        shape[axis] *= size
    order = [int(axis) for axis in case.random.permutation(rank)]
    sizes = [grid[axis] for axis in order]
    dimensions, prefixes = [], [()]
    for size in sizes:
        if draw.chance():
            dimensions.append(dense(size))
            kept = [range(size)] * len(prefixes)
        else:
            # One position at least: a tensor without any values is no constant.
            kept = [sorted(draw.some(range(size), least=p == prefixes[0])) for p in prefixes]
            dimensions.append(compressed(draw, kept))
        prefixes = [(*p, k) for p, ks in zip(prefixes, kept) for k in ks]
    table = schema.SparsityParametersT()
    table.traversalOrder = order + list(range(rank, rank + len(blocked)))
    table.blockMap = blocked
    table.dimMetadata = dimensions + [dense(size) for size in block]
    operand = case.constant(case.drawn(len(prefixes) * int(np.prod(block)), kind=case.kind))
    operand.shape, operand.sparsity = tuple(shape), table
    case.result(case.kind)
    case.tolerance = "exact"
    case.options("DensifyOptions")


DRAWN = {
    "EMBEDDING_LOOKUP": (
        "f32 i8_q i32 blockwise_i4 blockwise_i2 " + " ".join(QUANTIZED), lookup),
    "EMBEDDING_LOOKUP_SPARSE": ("f32", sparse_lookup),
    "DENSIFY": ("f32 f16 i8", densify),
}

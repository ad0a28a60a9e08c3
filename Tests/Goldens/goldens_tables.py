# SPDX-License-Identifier: Apache-2.0
"""EMBEDDING_LOOKUP, EMBEDDING_LOOKUP_SPARSE, HASHTABLE_LOOKUP, LSH_PROJECTION and SKIP_GRAM."""

import numpy as np

from golden_case import Case

# Shape of the table, indices.
LOOKUPS = {
    "matrix": ((5, 6), [4, 0, 4, 2]),
    "volume": ((3, 2, 4), [1, 2]),
    "odd": ((4, 3), [3, 1, 0]),
    "none": ((3, 4), []),
}

# Variant: type of the table, scales for each row, type of the output.
QUANTIZED = {
    "hybrid_i8": ("i8", False, "f32"),
    "hybrid_u8": ("u8", False, "f32"),
    "hybrid_i8_pc": ("i8", True, "f32"),
    "hybrid_i4": ("i4", False, "f32"),
    "hybrid_i4_pc": ("i4", True, "f32"),
    "hybrid_i2_pc": ("i2", True, "f32"),
    "hybrid_i8_f16": ("i8", True, "f16"),
}


def embeddings():
    for variant in ("f32", "i8_q", "i32"):
        kind = variant.removesuffix("_q")
        for name, (shape, indices) in LOOKUPS.items():
            case = Case("EMBEDDING_LOOKUP", variant, name, "exact")
            scale = (0.25, 3) if variant == "i8_q" else ((), 0)
            case.fed(np.array(indices, np.int32))
            case.constant(case.drawn(*shape, kind=kind), kind, *scale)
            case.result(kind, *scale)
            yield case
    case = Case("EMBEDDING_LOOKUP", "f32", "run_time_table", "exact")
    case.constant(np.array([1, 1, 0], np.int32))
    case.fed(case.normal(2, 3))
    case.result("f32")
    yield case
    for variant, (kind, per_row, output) in QUANTIZED.items():
        for name, (shape, indices) in LOOKUPS.items():
            case = Case("EMBEDDING_LOOKUP", variant, name, "arithmetic")
            case.fed(np.array(indices, np.int32))
            scale = case.random.uniform(0.001, 0.1, shape[0]) if per_row else 0.037
            case.constant(case.codes(*shape, kind=kind), kind, scale)
            case.result(output)
            yield case
    for kind in ("i4", "i2"):
        for name, columns, length, output in (
            ("one_block", 8, 8, "f32"), ("blocks", 16, 4, "f32"), ("half", 16, 8, "f16"),
        ):
            case = Case("EMBEDDING_LOOKUP", f"blockwise_{kind}", name, "arithmetic")
            case.fed(np.array([2, 0, 2], np.int32))
            table = case.constant(case.codes(3, columns, kind=kind), kind)
            table.block_length = length
            scales = case.random.uniform(0.01, 2, (3, columns // length))
            table.block_scales = scales.astype(np.float16)
            case.result(output)
            yield case


def sparse_embeddings():
    rows = {
        "matrix": ([3, 5], [[0, 0], [0, 1], [2, 0]], (4, 3)),
        "volume": ([2, 2, 3], [[0, 1, 0], [1, 0, 0], [1, 0, 2]], (4, 2)),
        "returning": ([2, 4], [[0, 0], [1, 0], [0, 1], [0, 2]], (3, 2, 2)),
        "none": ([2, 3], np.zeros((0, 2)), (3, 2)),
        "vector": ([4], [[0], [3]], (3, 2)),
    }
    for combiner, name in enumerate(("sum", "mean", "sqrtn")):
        for place, (shape, indices, table) in rows.items():
            for role in ("fed", "constant") if place == "matrix" else ("constant",):
                title = f"{name}_{place}" + ("_fed" if role == "fed" else "")
                case = Case("EMBEDDING_LOOKUP_SPARSE", "f32", title, "sum")
                indices = np.array(indices)
                count = indices.shape[0]
                case.fed(case.codes(count, kind="i32", low=0, high=table[0] - 1), "i32")
                case.fed(indices, "i32")
                getattr(case, role)(np.array(shape), "i32")
                case.fed(case.random.uniform(-1, 2, count), "f32")
                case.fed(case.normal(*table))
                case.result("f32")
                yield case.options("EmbeddingLookupSparseOptions", combiner=combiner)


def tables():
    keys = [-40, -3, 0, 7, 7, 12, 100]
    lookups = [7, -40, 5, 100, 0, 101, -41, 12]
    for kind in ("f32", "i32", "i8"):
        for name, shape in (("vector", (7,)), ("matrix", (7, 3))):
            case = Case("HASHTABLE_LOOKUP", kind, name, "exact")
            case.fed(np.array(lookups, np.int32))
            case.constant(np.array(keys, np.int32))
            case.constant(case.drawn(*shape, kind=kind), kind)
            case.result(kind)
            case.result("u8")
            yield case
    case = Case("HASHTABLE_LOOKUP", "f32", "far_keys", "exact")
    case.fed(np.array([2**31 - 1, -(2**31), 5, 1], np.int32))
    case.fed(np.array([-(2**31), -5, 1, 2**31 - 1], np.int32))
    case.fed(case.normal(4, 2))
    case.result("f32")
    case.result("u8")
    yield case
    case = Case("HASHTABLE_LOOKUP", "str", "words", "exact")
    case.fed(np.array([3, 1, 2, 9, 3], np.int32))
    case.fed(np.array([1, 3, 9], np.int32))
    case.fed(np.array([b"one", b"three", b"nine"]), "str")
    case.result("str")
    case.result("u8")
    yield case


def projections():
    widths = {
        "f32": (1, 2, 3, 4, 7, 9, 15, 16, 17, 31, 33, 48, 65),
        "i8": (1, 5, 60, 61, 124, 125, 200),
    }
    for kind in ("f32", "i32", "i64", "i8"):
        for width in widths.get(kind, (1, 2, 5)):
            for form, code in (("sparse", 1), ("dense", 2)):
                case = Case("LSH_PROJECTION", kind, f"{form}_{width}", "exact")
                case.constant(case.random.uniform(-1, 1, (5, 11)), "f32")
                case.fed(case.drawn(4, width, kind=kind), kind)
                if width % 2 == 1:
                    case.fed(case.random.uniform(-1, 3, 4), "f32")
                case.result("i32")
                yield case.options("LSHProjectionOptions", type=code)
    for bits in (31, 32):
        case = Case("LSH_PROJECTION", "i32", f"sparse_{bits}_bits", "exact")
        case.constant(case.random.uniform(-1, 1, (3, bits)), "f32")
        case.fed(case.codes(3, kind="i32"), "i32")
        case.result("i32")
        yield case.options("LSHProjectionOptions", type=1)


def grams():
    sentences = {
        "plain": b"The quick brown fox jumps",
        "spaces": b"a  b \t c\nd ",
        "leading": b" a b c",
        "leading_twice": b"  a b c d",
        "short": b"one",
        "empty": b"",
        "blank": b" ",
        "bytes": b"\xc3\xa9t\xc3\xa9 \xe2\x80\x94 x",
    }
    options = {
        "pairs": (2, 0, False),
        "skips": (2, 1, False),
        "all": (3, 2, True),
        "single": (1, 5, False),
        "wide": (3, 10, False),
        "zero": (0, 1, True),
        "negative_skip": (2, -1, True),
    }
    for sentence, text in sentences.items():
        for name, (size, skip, every) in options.items():
            if sentence not in ("plain", "spaces") and name not in ("skips", "all"):
                continue
            case = Case("SKIP_GRAM", "str", f"{sentence}_{name}", "exact")
            case.fed(np.array([text], object), "str")
            case.result("str")
            yield case.options(
                "SkipGramOptions", ngramSize=size, maxSkipSize=skip, includeAllNgrams=every)


def cases():
    for family in (embeddings, sparse_embeddings, tables, projections, grams):
        yield from family()

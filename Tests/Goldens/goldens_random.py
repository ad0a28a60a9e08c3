# SPDX-License-Identifier: Apache-2.0
"""RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL, MULTINOMIAL and STABLEHLO_RNG_BIT_GENERATOR.

Without a seed the runtime's numbers differ each time, so that those goldens have no elements.
"""

import numpy as np

from golden_case import Case
from goldens_control import ModelCase

SEEDS = {
    "small": (1, 2),
    "first_only": (87654321, 0),
    "second_only": (0, 5),
    "wide": (0x1234567890ABCDEF, -0x0FEDCBA987654321),
    "negative": (-1, -1),
}


def random(operator, name, shape, seeds, at_run_time=False):
    case = Case(operator, "f32" if any(seeds) else "f32_unseeded", name, "arithmetic")
    shape = np.array(shape, np.int32)
    if at_run_time:
        case.fed(shape)
    else:
        case.constant(shape)
    case.result("f32")
    return case.options("RandomOptions", seed=seeds[0], seed2=seeds[1])


def randoms():
    for operator in ("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL"):
        for name, seeds in SEEDS.items():
            yield random(operator, name, (3, 4, 5), seeds)
        for count in (1, 2, 3, 6):
            yield random(operator, f"count_{count}", (count,), (3, count))
        yield random(operator, "scalar", (), (4, 4))
        yield random(operator, "empty", (2, 0), (4, 4))
        yield random(operator, "empty", (3, 0), (0, 0))
        yield invocations(operator, 6)
        yield invocations(operator, 8)
        yield invocations(operator, 5, at_run_time=True)
        yield random(operator, "many", (1000,), (9, 10))
        yield random(operator, "at_run_time", (2, 5), (11, 12), at_run_time=True)


def invocations(operator, count, at_run_time=False):
    """Three invocations, each of which goes on where the one before it ended."""
    name = f"invocations_{count}" + ("_at_run_time" if at_run_time else "")
    case = ModelCase(operator, "f32", name)
    case.steps = [[np.int32([count])]] * 3 if at_run_time else [[], [], []]
    result = case.value("f32", count)
    shape = case.input("i32", 1) if at_run_time else case.constant(np.int32([count]))
    case.op(operator, [shape], [result], "RandomOptions", seed=3, seed2=8)
    case.outputs(result)
    return case


def draws_in_turn(variant):
    case = ModelCase("MULTINOMIAL", variant, "invocations")
    logits = np.random.default_rng(case.seed).standard_normal((2, 4)).astype(np.float32)
    case.steps = [[logits]] * 3
    result = case.value(variant, 2, 9)
    inputs = [case.input("f32", 2, 4), case.constant(np.int32(9))]
    case.op("MULTINOMIAL", inputs, [result], "RandomOptions", seed=3, seed2=8)
    case.outputs(result)
    return case


def multinomial(variant, name, logits, draws, seeds, at_run_time=False):
    case = Case("MULTINOMIAL", variant, name)
    case.fed(np.float32(logits))
    if at_run_time:
        case.fed(np.int32(draws))
    else:
        case.constant(np.int32(draws))
    case.result(variant)
    return case.options("RandomOptions", seed=seeds[0], seed2=seeds[1])


def multinomials():
    draw = np.random.default_rng(149)
    for variant in ("i32", "i64"):
        for name, seeds in SEEDS.items():
            yield multinomial(variant, name, draw.standard_normal((2, 5)), 20, seeds)
        yield multinomial(variant, "odd", draw.standard_normal((3, 4)), 7, (5, 6))
        yield multinomial(variant, "even", [[0, 0, 0, 0]], 40, (7, 7))
        yield multinomial(variant, "one_class", [[3.5]], 4, (7, 7))
        yield draws_in_turn(variant)
        yield multinomial(variant, "unlikely", [[80, 0, -80, 79]], 30, (8, 7))
        infinite = [[0, np.inf, 1, -np.inf], [np.nan, 1, 2, 1], [np.inf, np.nan, np.inf, np.inf]]
        yield multinomial(variant, "infinite", infinite, 10, (8, 7))
        yield multinomial(
            variant, "at_run_time", draw.standard_normal((2, 3)), 6, (1, 3), at_run_time=True
        )


ALGORITHMS = {"default": 0, "philox": 1, "threefry": 2}


def bits(algorithm, kind, name, state, shape):
    case = Case("STABLEHLO_RNG_BIT_GENERATOR", f"{algorithm}_{kind}", name)
    case.fed(np.array(state, np.uint64))
    case.result("u64", shape=(len(state),))
    case.result(kind, shape=shape)
    return case.options("StablehloRngBitGeneratorOptions", algorithm=ALGORITHMS[algorithm])


def bit_cases():
    for algorithm in ALGORITHMS:
        for kind in ("u32", "i32", "u64", "i64"):
            yield bits(algorithm, kind, "small", (1, 2), (2, 4))
            yield bits(algorithm, kind, "odd", (0xFEDCBA9876543210, 77), (3, 3))
            yield bits(algorithm, kind, "carry", (9, 0xFFFFFFFE), (13,))
            yield bits(algorithm, kind, "overflow", (9, 0xFFFFFFFFFFFFFFFF), (11,))
            yield bits(algorithm, kind, "one", (3, 0), (1,))
            if algorithm != "threefry":
                yield bits(algorithm, kind, "three", (5, 6, 0x7000000008), (10,))


def cases():
    yield from randoms()
    yield from multinomials()
    yield from bit_cases()

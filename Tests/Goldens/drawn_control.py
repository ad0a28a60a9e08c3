# SPDX-License-Identifier: Apache-2.0
"""Branches, loops, variables and tables of strings, drawn at random and invoked several times."""

import numpy as np
from flatbuffers import flexbuffers

from golden_case import TYPES
from goldens_control import ModelCase, counted, scalar, variable
from goldens_hashtable import NUMBERS, WORDS, fed, filled, found

DEFAULT = "BUILTIN_WITHOUT_DEFAULT_DELEGATES"
OPERATORS = ("ADD", "MUL", "SUB", "MAXIMUM", "MINIMUM")
TABLES = {name: f"{name.capitalize()}Options" for name in ("ADD", "MUL", "SUB")}
TABLES |= {name: "MaximumMinimumOptions" for name in ("MAXIMUM", "MINIMUM")}


def model(case, tolerance="arithmetic", kernels="BUILTIN_REF"):
    made = ModelCase(case.operator, case.variant, case.name, kernels, tolerance)
    made.seed = case.seed
    return made


def numbers(case, kind, shape):
    return case.normal(*shape) if kind == "f32" else case.codes(*shape, kind=kind, low=-9, high=9)


def chain(made, draw, case, kind, shape, first, second, least=1):
    """Some operators of two operands, each of which may be what an earlier one gave."""
    values = [first, second]
    for _ in range(draw.between(least, 4)):
        operator = draw.choice(OPERATORS)
        right = draw.choice(values)
        if draw.chance(0.3):
            right = made.constant(numbers(case, kind, shape if draw.chance() else shape[-1:]))
        values.append(made.op(operator, [draw.choice(values), right], [made.value(kind, *shape)],
                              TABLES[operator]))
    return values


def computation(made, draw, case, kind, shape, results):
    """A subgraph of two inputs and that many outputs, which may be its inputs.

    No tensor is two of the outputs: the runtime then leaves one of the operator's unwritten.
    """
    index = made.subgraph("computation")
    inputs = [made.input(kind, *shape), made.input(kind, *shape)]
    values = chain(made, draw, case, kind, shape, *inputs)
    made.outputs(*draw.some(values, 99)[:results])
    return index


def branch(case, draw):
    kind = case.variant
    shape, results = draw.shape(1, 3, 4), draw.between(1, 2)
    made = model(case, kernels=DEFAULT if case.operator == "STABLEHLO_CASE" else "BUILTIN_REF")
    which = made.input("i32" if made.operator == "STABLEHLO_CASE" else "bool")
    inputs = [which, made.input(kind, *shape), made.input(kind, *shape)]
    outs = [made.value(kind, *shape) for _ in range(results)]
    made.outputs(*outs)
    count = 2 if made.operator == "IF" else draw.between(1, 4)
    bodies = [computation(made, draw, case, kind, shape, results) for _ in range(count)]
    made.main()
    if made.operator == "IF":
        made.op("IF", inputs, outs, "IfOptions", thenSubgraphIndex=bodies[0],
                elseSubgraphIndex=bodies[1])
    else:
        made.op2("STABLEHLO_CASE", inputs, outs, "StablehloCaseOptions",
                 branchSubgraphIndices=bodies)
    for _ in range(3):
        choice = scalar(draw.chance(), "bool")
        if made.operator != "IF":
            choice = scalar(draw.between(-1, count), "i32")
        made.steps.append([choice] + [numbers(case, kind, shape) for _ in range(2)])
    return made


def composite(case, draw):
    made = model(case)
    shape = draw.shape(1, 3, 4)
    inputs = [made.input("f32", *shape), made.input("f32", *shape)]
    out = made.value("f32", *shape)
    made.outputs(out)
    inside = computation(made, draw, case, "f32", shape, 1)
    made.main()
    attributes = flexbuffers.Dumps({} if draw.chance() else {"axis": 1, "name": "x"})
    made.op2("STABLEHLO_COMPOSITE", inputs, [out], "StableHLOCompositeOptions",
             name="test.drawn", decompositionSubgraphIndex=inside,
             compositeAttributes=np.frombuffer(attributes, np.uint8))
    made.steps = [[numbers(case, "f32", shape) for _ in range(2)] for _ in range(2)]
    return made


def loop(case, draw):
    """A counter and two states, one of which grows in some loops.

    The second state never becomes what the first one was: the runtime, which copies the body's
    outputs over its inputs one by one, then takes the first one's next value.
    """
    kind = case.variant if case.variant in TYPES else "f32"
    made = model(case)
    shape, limit = draw.shape(1, 3, 4), draw.between(0, 5)
    grows = case.variant == "grow"
    states = [made.input("i32", 1), made.input(kind, *shape), made.input(kind, *shape)]
    outs = [made.value("i32", 1), made.value(kind, *(() if grows else shape)),
            made.value(kind, *shape)]
    made.outputs(*outs)
    condition, _, end = counted(made, "i32", limit)
    made.input(kind, *shape), made.input(kind, *shape)
    end()
    body = made.subgraph("body")
    count, x, y = made.input("i32", 1), made.input(kind, *shape), made.input(kind, *shape)
    step = made.constant(np.array([draw.between(1, 2)], np.int32))
    count = made.op("ADD", [count, step], [made.value("i32", 1)], "AddOptions")
    if grows:
        more = made.constant(numbers(case, kind, (draw.between(1, 2), *shape[1:])))
        x = made.op("CONCATENATION", [x, more], [made.value(kind)], "ConcatenationOptions")
        made.outputs(count, x, draw.choice(chain(made, draw, case, kind, shape, y, y)))
    else:
        values = chain(made, draw, case, kind, shape, x, y)
        made.outputs(count, draw.choice(values[1:]), draw.choice(values[1:]))
    made.main()
    made.op("WHILE", states, outs, "WhileOptions", condSubgraphIndex=condition,
            bodySubgraphIndex=body)
    for _ in range(2):
        first = np.array([draw.between(0, 2)], np.int32)
        made.steps.append([first] + [numbers(case, kind, shape) * TYPES[kind][1](
            0.25 if kind == "f32" else 1) for _ in range(2)])
    return made


def variables(case, draw):
    """Variables that may be filled once, read and assigned in any order."""
    kind = case.variant if case.variant in TYPES else "f32"
    made = model(case, "exact" if kind != "f32" else "arithmetic")
    shape = draw.shape(1, 3, 4)
    names = ["a", "b", "c"][: draw.between(1, 3)]
    x = made.input(kind, *shape)
    start = made.subgraph("start")
    for name in names:
        initial = made.constant(draw.values(case, kind, shape))
        made.op("ASSIGN_VARIABLE", [variable(made, name), initial], [], "AssignVariableOptions")
    made.main()
    made.op("CALL_ONCE", [], [], "CallOnceOptions", initSubgraphIndex=start)
    values, results = [x], []
    for _ in range(draw.between(2, 6)):
        handle = variable(made, draw.choice(names))
        if draw.chance():
            values.append(made.op("READ_VARIABLE", [handle], [made.value(kind, *shape)],
                                  "ReadVariableOptions"))
            results.append(values[-1])
        else:
            made.op("ASSIGN_VARIABLE", [handle, draw.choice(values)], [], "AssignVariableOptions")
    if not results:
        results = [made.op("READ_VARIABLE", [variable(made, names[0])],
                           [made.value(kind, *shape)], "ReadVariableOptions")]
    made.outputs(*results)
    made.steps = [[draw.values(case, kind, shape)] for _ in range(3)]
    return made


def dictionary(case, draw):
    types = ("i64", "str") if case.variant == "i2s" else ("str", "i64")
    words, counts = WORDS[:4] + [b"four", b" "], NUMBERS + [12]
    count = draw.between(1, 6)
    keys, values = (words, counts) if types[0] == "str" else (counts, words)
    made = model(case, "exact", DEFAULT)
    absent, unknown = (-1, b"?!") if types[1] == "i64" else (b"none", 4)
    handle = filled(made, draw.between(0, 9), types, keys[:count], values[:count])
    shape = draw.shape(1, 2, 4)
    out = found(made, handle, types, shape, absent)
    size = made.op("HASHTABLE_SIZE", [handle], [made.value("i64", 1)], "HashtableSizeOptions")
    made.outputs(out, size)
    made.steps = [[fed(types[0], [draw.choice(keys[:count] + [unknown])
                                  for _ in range(int(np.prod(shape)))], shape)] for _ in range(2)]
    return made


DRAWN = {
    "IF": ("f32 i32", branch),
    "WHILE": ("f32 i32 i64 grow", loop),
    "CALL_ONCE": ("f32 i32 i64 i8 u8 bool", variables),
    "READ_VARIABLE": ("loop", variables),
    "ASSIGN_VARIABLE": ("order", variables),
    "VAR_HANDLE": ("two_vars", variables),
    "STABLEHLO_CASE": ("f32", branch),
    "STABLEHLO_COMPOSITE": ("f32", composite),
    "HASHTABLE_FIND": ("i2s s2i", dictionary),
}

# SPDX-License-Identifier: Apache-2.0
"""WHILE around a gated recurrent unit, as converters write it: a loop over the steps of a
sequence."""

import numpy as np

from golden_case import shared_generator
from goldens_control import ModelCase, counted

UNITS, FEATURES = 4, 3


def gate(case, random, x, h, function):
    """`function` of a dense layer of what arrives and a dense layer of the state."""
    parts = []
    for source, depth in ((x, FEATURES), (h, UNITS)):
        weights = case.constant((random.standard_normal((UNITS, depth)) * 0.6).astype(np.float32))
        bias = case.constant(random.standard_normal(UNITS).astype(np.float32))
        parts.append(case.op("FULLY_CONNECTED", [source, weights, bias],
                             [case.value("f32", 1, UNITS)], "FullyConnectedOptions"))
    both = case.op("ADD", parts, [case.value("f32", 1, UNITS)], "AddOptions")
    return case.op(function, [both], [case.value("f32", 1, UNITS)])


def combined(case, operator, left, right):
    table = operator.capitalize() + "Options"
    return case.op(operator, [left, right], [case.value("f32", 1, UNITS)], table)


def unit(case, random, x, h):
    """The next state: z·h + (1 − z)·tanh of the dense layers of x and r·h."""
    update = gate(case, random, x, h, "LOGISTIC")
    reset = gate(case, random, x, h, "LOGISTIC")
    candidate = gate(case, random, x, combined(case, "MUL", reset, h), "TANH")
    one = case.constant(np.ones((1, UNITS), np.float32))
    kept = combined(case, "MUL", update, h)
    new = combined(case, "MUL", combined(case, "SUB", one, update), candidate)
    return combined(case, "ADD", kept, new)


def sequence(random, steps):
    """The states of a loop: step, sequence, hidden state."""
    case = ModelCase("WHILE", "gru", f"steps_{steps}", tolerance="exp")
    shapes = (("i32", 1), ("f32", max(steps, 1), FEATURES), ("f32", 1, UNITS))
    states = [case.input(*shape) for shape in shapes]
    results = [case.value(*shape) for shape in shapes]
    case.outputs(results[0], results[2])
    condition, _, end = counted(case, "i32", steps)
    for shape in shapes[1:]:
        case.input(*shape)
    end()
    body = case.subgraph("body")
    step, inputs, h = [case.input(*shape) for shape in shapes]
    x = case.op("GATHER", [inputs, step], [case.value("f32", 1, FEATURES)], "GatherOptions")
    h = unit(case, random, x, h)
    step = case.op("ADD", [step, case.constant(np.ones(1, np.int32))], [case.value("i32", 1)],
                   "AddOptions")
    case.outputs(step, inputs, h)
    case.main()
    case.op("WHILE", states, results, "WhileOptions",
            condSubgraphIndex=condition, bodySubgraphIndex=body)
    case.steps = [[np.zeros(1, np.int32),
                   random.standard_normal((max(steps, 1), FEATURES)).astype(np.float32),
                   random.standard_normal((1, UNITS)).astype(np.float32)] for _ in range(2)]
    return case


def cases():
    random = shared_generator(21)
    for steps in (0, 1, 6):
        yield sequence(random, steps)

# SPDX-License-Identifier: Apache-2.0
"""Recurrent operators with integer states: each case is several invocations that share them."""

from dataclasses import dataclass, replace

import numpy as np

from golden_case import RELU, TANH
from goldens_recurrent import RecurrentCase


@dataclass
class Cell:
    """The optional parts and the sizes of a full LSTM cell."""

    cifg: bool = False
    peephole: bool = False
    projection: bool = False
    projection_bias: bool = True
    norm: bool = False
    cells: int = 4
    outputs: int = 4


@dataclass
class Scales:
    """Scales and zero points of a cell's sequence, states and results."""

    input: tuple = (0.013, -9)
    state: tuple = (1 / 128, 5)
    gate: float = 0.004 / 4096 * 1024
    result: tuple | None = None
    cell_power: int = -11


WHOLE = Cell(peephole=True, projection=True, cells=6, outputs=3)
CELLS = {
    "plain": Cell(),
    "cifg": Cell(cifg=True),
    "peephole": Cell(peephole=True),
    "projection": Cell(projection=True, projection_bias=False, cells=5, outputs=3),
    "whole": WHOLE,
    "cifg_whole": replace(WHOLE, cifg=True),
    "norm": Cell(norm=True),
    "norm_whole": replace(WHOLE, norm=True),
    "norm_cifg": Cell(norm=True, cifg=True, cells=8, outputs=8),
}


def block(case, cell, inputs, input_scale, state_scale):
    """Weights and biases of a cell with int8 weights."""
    def matrix(*shape):
        case.constant(case.weights(*shape), "i8", 0.006 + 0.008 * case.random.random())

    def offset(count, scale):
        case.constant((case.normal(count) * 0.5 / scale).astype(np.int64), "i32", scale)

    for gate in range(4):
        case.missing() if cell.cifg and gate == 0 else matrix(cell.cells, inputs)
    for gate in range(4):
        case.missing() if cell.cifg and gate == 0 else matrix(cell.cells, cell.outputs)
    for gate in range(3):
        absent = not cell.peephole or (gate == 0 and cell.cifg)
        values = case.codes(cell.cells, kind="i16")
        case.missing() if absent else case.constant(values, "i16", 0.5 / 32768)
    for gate in range(4):
        # With layer normalization a bias has 10 bits more than the coefficients.
        scale = 0.5 / 32768 / 1024 if cell.norm else 0.01 * input_scale
        case.missing() if cell.cifg and gate == 0 else offset(cell.cells, scale)
    matrix(cell.outputs, cell.cells) if cell.projection else case.missing()
    if cell.projection and cell.projection_bias:
        offset(cell.outputs, 0.01 * state_scale)
    else:
        case.missing()


def norms(case, cell):
    for gate in range(4):
        absent = not cell.norm or (gate == 0 and cell.cifg)
        values = case.codes(cell.cells, kind="i16", low=8000)
        case.missing() if absent else case.constant(values, "i16", 1.3 / 32768)


def wide(operator, name, cell, shape=(2, 3, 5), scales=Scales(), case=None, **more):
    """16-bit sums."""
    case = case or RecurrentCase(operator, "i8x8_16_q", name)
    if operator == "LSTM":
        shape = shape[1:]
    state_scale, state_zero = scales.state
    case.fed_codes("i8", *scales.input, *shape)
    batch = shape[1] if len(shape) == 3 and more.get("timeMajor") else shape[0]
    block(case, cell, shape[-1], scales.input[0], state_scale)
    case.variable("i8", batch, cell.outputs, scale=state_scale, zero=state_zero)
    case.variable("i16", batch, cell.cells, scale=2.0**scales.cell_power)
    norms(case, cell)
    for gate in range(4):
        case.intermediate("i16", scales.gate, 0)
    case.intermediate("i8", *(scales.result or (1 / 120, -3 if cell.projection else 5)))
    case.result("i8", *shape[:-1], cell.outputs, scale=state_scale, zero=state_zero)
    if operator == "LSTM":
        return case.options("LSTMOptions", fusedActivationFunction=TANH, **more)
    return case.options(
        "UnidirectionalSequenceLSTMOptions", fusedActivationFunction=TANH, **more)


def wide_cases():
    for operator in ("LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM"):
        for name, cell in CELLS.items():
            yield wide(operator, name, cell)
        yield wide(operator, "clipped", WHOLE, cellClip=0.4, projClip=0.3)
        yield wide(operator, "power_9", Cell(), scales=Scales(cell_power=-9))
        yield wide(operator, "power_15", Cell(), scales=Scales(cell_power=-15))
    yield wide("UNIDIRECTIONAL_SEQUENCE_LSTM", "time_major", WHOLE, timeMajor=True)


def narrow(name, batch=2, inputs=5, cells=6, outputs=3, scales=Scales(state=(1 / 100, 5)),
           case=None, **more):
    """8-bit sums: twelve intermediates, layer normalization and a projection."""
    case = case or RecurrentCase("LSTM", "i8x8_8_q", name)
    state_scale, state_zero = scales.state
    cell = Cell(cifg=True, projection=True, norm=True, cells=cells, outputs=outputs)
    case.fed_codes("i8", *scales.input, batch, inputs)
    block(case, cell, inputs, scales.input[0], state_scale)
    case.variable("i8", batch, outputs, scale=state_scale, zero=state_zero)
    case.variable("i16", batch, cells, scale=2.0**-15)
    norms(case, cell)
    for gate in range(4):
        case.intermediate("i16", 0.001 * (1 + case.random.random()), 0)
        case.intermediate("i8", 0.02 * (1 + case.random.random()), 4 - gate)
        case.intermediate("i8", 0.02 * (1 + case.random.random()), gate - 7)
    case.result("i8", batch, outputs, scale=state_scale, zero=state_zero)
    return case.options("LSTMOptions", fusedActivationFunction=TANH, **more)


def narrow_cases():
    yield narrow("plain")
    yield narrow("single", batch=1, inputs=2, cells=1, outputs=1)
    yield narrow("clipped", cellClip=0.3, projClip=0.4)
    yield narrow("large_clip", cellClip=3.0)
    yield narrow("more", inputs=9, cells=16, outputs=8)


def basic(name, batch, inputs, cells, spread=1.0, zero=117, fed=False, case=None):
    """`fed` states come with every invocation."""
    case = case or RecurrentCase("LSTM", "u8_basic_q", name)
    scale = 0.013 * spread
    case.fed_codes("u8", 1 / 128, 128, batch, inputs)
    if fed:
        case.fed_codes("u8", 1 / 128, 128, batch, cells)
    else:
        case.variable("u8", batch, cells, scale=1 / 128, zero=128)
    case.constant(case.codes(4 * cells, inputs + cells, kind="u8"), "u8", scale, zero)
    offset = case.normal(4 * cells) * 0.5 * 128 / scale
    case.constant(offset.astype(np.int64), "i32", scale / 128)
    if fed:
        case.fed_codes("i16", 1 / 2048, 0, batch, cells)
    else:
        case.variable("i16", batch, cells, scale=1 / 2048)
    case.result("u8", batch, cells, scale=1 / 128, zero=128)
    case.result("i16", batch, cells, scale=1 / 2048)
    case.result("u8", batch, inputs + cells, scale=1 / 128, zero=128)
    case.result("i16", batch, 4 * cells, scale=1 / 4096)
    return case.options("LSTMOptions", fusedActivationFunction=TANH, kernelType=1)


def svdf(name, batch=2, inputs=6, units=4, rank=2, memory=5, bias=True, input_zero=-9,
         input_scale=0.02, state_scale=0.0003, result=None, case=None):
    """With an int16 state, as LiteRT has it."""
    case = case or RecurrentCase("SVDF", "i8x16_q", name)
    return filters(case, "i16", (batch, inputs, units, rank, memory), bias,
                   (input_scale, input_zero), (state_scale, 0), 0.5 / 32768, result)


def micro_svdf(name, batch=2, inputs=6, units=4, rank=2, memory=5, input_zero=-9,
               input_scale=0.02, state=(0.04, 0), result=None, case=None):
    """With an int8 state, which TensorFlow Lite Micro has, and which needs a bias there.

    Features that saturate have a zero point of 0: until October 2026 the runtime added others
    behind the limits, so that sums wrapped around.
    """
    case = case or RecurrentCase("SVDF", "i8x8_q", name)
    case.engine = case.kernels = "tflite-micro"
    return filters(case, "i8", (batch, inputs, units, rank, memory), True,
                   (input_scale, input_zero), state, 0.5 / 128, result)


def filters(case, kind, sizes, bias, read, state, time_scale, result):
    """SVDF whose state has elements of `kind`; `read`, `state` and `result` are affine."""
    batch, inputs, units, rank, memory = sizes
    case.fed_codes("i8", *read, batch, inputs)
    case.constant(case.weights(units * rank, inputs), "i8", 0.011)
    case.constant(case.codes(units * rank, memory, kind=kind), kind, time_scale)
    scale = state[0] * time_scale
    if bias:
        case.constant((case.normal(units) / scale).astype(np.int64), "i32", scale)
    else:
        case.missing()
    case.variable(kind, batch, units * rank * memory, scale=state[0], zero=state[1])
    result_scale, result_zero = result or (0.05, -128 + 20 * (batch > 1))
    case.result("i8", batch, units, scale=result_scale, zero=result_zero)
    return case.options("SVDFOptions", fusedActivationFunction=RELU, rank=rank)


def cases():
    yield from wide_cases()
    yield from narrow_cases()
    yield basic("plain", 2, 3, 4)
    yield basic("single", 1, 1, 1)
    yield basic("saturated", 3, 9, 5, spread=4)
    yield basic("fed_states", 3, 4, 3, fed=True)
    yield svdf("plain")
    yield svdf("no_bias", bias=False)
    yield svdf("rank_1", rank=1, memory=8, batch=1)
    yield svdf("no_memory", memory=1, input_zero=20)
    yield micro_svdf("plain")
    yield micro_svdf("state_zero", state=(0.2, 37), memory=8)
    yield micro_svdf("saturated", state=(0.002, 0), inputs=40)
    yield micro_svdf("rank_1", rank=1, memory=1, batch=1, input_zero=20)

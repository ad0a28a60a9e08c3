# SPDX-License-Identifier: Apache-2.0
"""Recurrent operators with float states: each case is several invocations that share the states."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from golden_case import NONE, RELU, RELU6, RELU_N1_TO_1, SIGN_BIT, TANH
from goldens_matrix import compressed_rows
from goldens_recurrent import RecurrentCase
from goldens_recurrent_integer import cases as integer_cases

ACTIVATIONS = {
    "none": NONE, "relu": RELU, "relu_n1_to_1": RELU_N1_TO_1, "relu6": RELU6, "tanh": TANH,
    "sign_bit": SIGN_BIT,
}
# How the weights of each variant are stored, and whether vectors are quantized with a zero point.
WEIGHTS = {
    "f32": ("f32", False), "hybrid_i8": ("i8", False), "hybrid_i8_asym": ("i8", True),
    "hybrid_u8": ("u8", False),
}


# The variants whose cases stand for all parts, sizes and activations; the others have a few.
MAIN = ("f32", "hybrid_i8")


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
    diagonal: bool = False


PLAIN = Cell()
EVERYTHING = Cell(peephole=True, projection=True, cells=6, outputs=3)
CELLS = {
    "plain": PLAIN,
    "cifg": Cell(cifg=True),
    "peephole": Cell(peephole=True),
    "projection": Cell(projection=True, projection_bias=False, cells=5, outputs=3),
    "everything": EVERYTHING,
    "cifg_everything": replace(EVERYTHING, cifg=True),
}


def cells_for(variant):
    return {k: v for k, v in CELLS.items() if variant in MAIN or "everything" in k or k == "plain"}


def activations_for(variant):
    return {k: v for k, v in ACTIVATIONS.items() if variant in MAIN or k in ("none", "tanh")}


def matrix(case, kind, *shape, spread=0.6):
    """Weights of real values around 0."""
    if kind == "f32":
        case.constant(case.normal(*shape, spread=spread), "f32")
    else:
        codes = case.weights(*shape, kind=kind)
        case.constant(codes, kind, spread / 120 * (1 + case.random.random()))


def block(case, kind, cell, inputs):
    """The weights and biases of a full LSTM cell."""
    gates = range(4)
    for gate in gates:
        absent = gate == 0 and cell.cifg
        case.missing() if absent else matrix(case, kind, cell.cells, inputs)
    for gate in gates:
        if gate == 0 and cell.cifg:
            case.missing()
        elif cell.diagonal:
            case.constant(case.normal(cell.cells), "f32")
        else:
            matrix(case, kind, cell.cells, cell.outputs)
    for gate in range(3):
        absent = not cell.peephole or (gate == 0 and cell.cifg)
        case.missing() if absent else matrix(case, kind, cell.cells)
    for gate in gates:
        absent = gate == 0 and cell.cifg
        case.missing() if absent else case.constant(case.normal(cell.cells, spread=0.5), "f32")
    if cell.projection:
        matrix(case, kind, cell.outputs, cell.cells)
    else:
        case.missing()
    if cell.projection and cell.projection_bias:
        case.constant(case.normal(cell.outputs, spread=0.5), "f32")
    else:
        case.missing()


def norms(case, cell):
    for gate in range(4):
        absent = not cell.norm or (gate == 0 and cell.cifg)
        case.missing() if absent else case.constant(1 + case.normal(cell.cells, spread=0.3), "f32")


def lstm(operator, variant, name, cell=PLAIN, activation=TANH, shape=(2, 3), zero=False, case=None,
         **more):
    """LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM; `shape` is the input's."""
    plain = variant.removesuffix("_ln").removesuffix("_diag")
    kind, asymmetric = WEIGHTS[plain]
    case = case or RecurrentCase(operator, variant, name)
    case.fed_floats(*shape, zero=zero)
    time_major = more.get("timeMajor", False)
    batch = shape[1] if len(shape) == 3 and time_major else shape[0]
    block(case, kind, cell, shape[-1])
    case.variable("f32", batch, cell.outputs)
    case.variable("f32", batch, cell.cells)
    norms(case, cell)
    case.result("f32", *shape[:-1], cell.outputs)
    if operator != "LSTM":
        more.setdefault("timeMajor", time_major)
    table = "LSTMOptions" if operator == "LSTM" else "UnidirectionalSequenceLSTMOptions"
    return case.options(
        table, fusedActivationFunction=activation, asymmetricQuantizeInputs=asymmetric, **more
    )


def lstm_cases(operator):
    rank3 = operator != "LSTM"
    shape = (2, 3, 5) if rank3 else (3, 5)
    for variant in WEIGHTS:
        for name, cell in cells_for(variant).items():
            yield lstm(operator, variant, name, cell, shape=shape)
            yield lstm(operator, f"{variant}_ln", name, replace(cell, norm=True), shape=shape)
        for name, activation in activations_for(variant).items():
            if activation != TANH:
                yield lstm(operator, variant, name, activation=activation, shape=shape)
        limits = {"cellClip": 0.7, "projClip": 0.4}
        yield lstm(operator, variant, "clipped", EVERYTHING, RELU, shape, **limits)
        yield lstm(operator, variant, "zero", shape=shape, zero=True)
        yield lstm(operator, variant, "none_zero", activation=NONE, shape=shape, zero=True)
        single = Cell(cells=1, outputs=1)
        yield lstm(operator, variant, "one", single, shape=(1,) * len(shape))
        if rank3:
            yield lstm(operator, variant, "time_major", EVERYTHING, shape=shape, timeMajor=True)
    if rank3:
        for name, cell in (("plain", PLAIN), ("cifg", CELLS["cifg"])):
            cell = replace(cell, diagonal=True)
            yield lstm(operator, "f32_diag", name, cell, shape=shape, diagonalRecurrentTensors=True)


def basic_float(name, batch, inputs, cells, fed=False, case=None):
    """`fed` states come with every invocation."""
    case = case or RecurrentCase("LSTM", "f32_basic", name)
    state = case.fed_floats if fed else partial(case.variable, "f32")
    case.fed_floats(batch, inputs)
    state(batch, cells)
    matrix(case, "f32", 4 * cells, inputs + cells)
    case.constant(case.normal(4 * cells, spread=0.5), "f32")
    state(batch, cells)
    for width in (cells, cells, inputs + cells, 4 * cells):
        case.result("f32", batch, width)
    return case.options("LSTMOptions", fusedActivationFunction=TANH, kernelType=1)


def basic_floats():
    yield basic_float("plain", 2, 3, 4)
    yield basic_float("one", 1, 1, 1)
    yield basic_float("wide", 1, 9, 5)
    yield basic_float("fed_states", 3, 4, 3, fed=True)


class SparseCase(RecurrentCase):
    """A recurrent case whose matrices lack some of their blocks of 1 × 16 values."""

    def constant(self, values, kind, scale=(), zero=0):
        values = np.asarray(values)
        if values.ndim != 2:
            return super().constant(values, kind, scale, zero)
        blocks = values.reshape(values.shape[0], -1, 16)
        mask = self.random.random(blocks.shape[:2]) < 0.6
        table = compressed_rows(mask)
        block = schema.DimensionMetadataT()
        block.format, block.denseSize = schema.DimensionType.DENSE, 16
        table.dimMetadata.append(block)
        table.traversalOrder, table.blockMap = [0, 1, 2], [1]
        self.sparse(blocks[mask].reshape(-1), kind, scale, values.shape, table)


def sparse_lstms():
    """Hybrid nodes must have a projection to be sparse."""
    parts = {
        "plain": Cell(projection=True, projection_bias=False, cells=16, outputs=32),
        "everything": replace(EVERYTHING, cells=32, outputs=16),
        "cifg": replace(EVERYTHING, cells=16, outputs=16, cifg=True),
    }
    for variant in ("hybrid_i8", "hybrid_i8_asym"):
        for name, cell in parts.items():
            case = SparseCase("LSTM", variant, f"sparse_{name}")
            yield lstm("LSTM", variant, case.name, cell, shape=(3, 48), case=case)


def rnn(operator, variant, name, activation=TANH, shape=(2, 3), units=4, zero=False, case=None,
        **more):
    kind, asymmetric = WEIGHTS[variant]
    case = case or RecurrentCase(operator, variant, name)
    case.fed_floats(*shape, zero=zero)
    batch = shape[1] if more.get("timeMajor") else shape[0]
    simple(case, kind, shape[-1], units, batch)
    case.result("f32", *shape[:-1], units)
    table = "RNNOptions" if operator == "RNN" else "SequenceRNNOptions"
    return case.options(
        table, fusedActivationFunction=activation, asymmetricQuantizeInputs=asymmetric, **more
    )


def simple(case, kind, inputs, units, batch):
    """The weights, bias and state of a simple recurrent cell."""
    matrix(case, kind, units, inputs)
    matrix(case, kind, units, units, spread=0.4)
    case.constant(case.normal(units, spread=0.5), "f32")
    case.variable("f32", batch, units)


def rnn_cases(operator):
    rank3 = operator != "RNN"
    shape = (2, 3, 5) if rank3 else (3, 5)
    for variant in WEIGHTS:
        for name, activation in activations_for(variant).items():
            yield rnn(operator, variant, name, activation, shape)
        yield rnn(operator, variant, "zero", RELU, shape, zero=True)
        yield rnn(operator, variant, "one", TANH, (1,) * len(shape), units=1)
        if rank3:
            yield rnn(operator, variant, "time_major", TANH, shape, timeMajor=True)


def both_rnns(variant, name, activation=TANH, shape=(2, 3, 5), auxiliary=0, crossed=False,
              units=(4, 3), merged=False, time_major=False, case=None):
    """`auxiliary` is the width of the second input; `crossed` gives it weights."""
    kind, asymmetric = WEIGHTS[variant]
    case = case or RecurrentCase("BIDIRECTIONAL_SEQUENCE_RNN", variant, name)
    case.fed_floats(*shape)
    batch = shape[1] if time_major else shape[0]
    for count in units:
        simple(case, kind, shape[-1], count, batch)
    case.fed_floats(*shape[:-1], auxiliary) if auxiliary else case.missing()
    for count in units:
        matrix(case, kind, count, auxiliary) if crossed else case.missing()
    for width in [sum(units)] if merged else units:
        case.result("f32", *shape[:-1], width)
    return case.options(
        "BidirectionalSequenceRNNOptions", fusedActivationFunction=activation,
        asymmetricQuantizeInputs=asymmetric, mergeOutputs=merged, timeMajor=time_major,
    )


def both_rnn_cases():
    for variant in ("f32", "hybrid_i8", "hybrid_i8_asym"):
        for major, time_major in (("batch_major", False), ("time_major", True)):
            more = {"time_major": time_major}
            yield both_rnns(variant, major, **more)
            # The runtime dies of a second sequence in merged, time-major, hybrid nodes.
            shape = (2, 1, 5) if time_major and variant == "hybrid_i8" else (2, 3, 5)
            yield both_rnns(variant, f"{major}_merged", shape=shape, merged=True, **more)
            yield both_rnns(variant, f"{major}_parallel", auxiliary=5, **more)
            yield both_rnns(variant, f"{major}_crossed", auxiliary=5, crossed=True, **more)
            yield both_rnns(
                variant, f"{major}_crossed_merged", RELU, shape, auxiliary=5, crossed=True,
                merged=True, **more)
        for name, activation in activations_for(variant).items():
            yield both_rnns(variant, name, activation, units=(3, 3))
        # Steps of another width: the runtime strides some as if they were as wide as the input.
        if variant == "f32":
            yield both_rnns(variant, "narrow", auxiliary=2, crossed=True)
        yield both_rnns(variant, "wide", auxiliary=7, crossed=True)
        yield both_rnns(variant, "wide_time_major", auxiliary=7, crossed=True, time_major=True)


def both_lstms(variant, name, cells=(PLAIN, PLAIN), activation=TANH, shape=(2, 3, 5), auxiliary=0,
               crossed=False, merged=False, time_major=True, case=None, **more):
    kind, asymmetric = WEIGHTS[variant]
    case = case or RecurrentCase("BIDIRECTIONAL_SEQUENCE_LSTM", variant, name)
    case.fed_floats(*shape)
    batch = shape[1] if time_major else shape[0]
    for cell in cells:
        block(case, kind, cell, shape[-1])
    for cell in cells:
        case.variable("f32", batch, cell.outputs)
        case.variable("f32", batch, cell.cells)
    case.fed_floats(*shape[:-1], auxiliary) if auxiliary else case.missing()
    for cell in cells:
        for gate in range(4):
            absent = not crossed or (gate == 0 and cell.cifg)
            case.missing() if absent else matrix(case, kind, cell.cells, auxiliary)
    widths = [cell.outputs for cell in cells]
    for width in [sum(widths)] if merged else widths:
        case.result("f32", *shape[:-1], width)
    return case.options(
        "BidirectionalSequenceLSTMOptions", fusedActivationFunction=activation,
        asymmetricQuantizeInputs=asymmetric, mergeOutputs=merged, timeMajor=time_major, **more,
    )


def both_lstm_cases():
    equal = (EVERYTHING, EVERYTHING)
    for variant in WEIGHTS:
        for name, cell in cells_for(variant).items():
            yield both_lstms(variant, name, (cell, cell))
        for major, time_major in (("batch_major", False), ("time_major", True)):
            more = {"time_major": time_major}
            # The runtime keeps the merged states of a second sequence elsewhere.
            shape = (2, 3, 5) if time_major else (1, 3, 5)
            yield both_lstms(variant, f"{major}_merged", equal, shape=shape, merged=True, **more)
            yield both_lstms(variant, f"{major}_parallel", auxiliary=5, **more)
            yield both_lstms(variant, f"{major}_crossed", auxiliary=5, crossed=True, **more)
            yield both_lstms(variant, f"{major}_wide", auxiliary=7, crossed=True, **more)
            cifg = CELLS["cifg"]
            yield both_lstms(
                variant, f"{major}_crossed_merged", (cifg, cifg), RELU, shape, auxiliary=2,
                crossed=True, merged=True, **more)
        for name, activation in activations_for(variant).items():
            if activation != TANH:
                yield both_lstms(variant, name, activation=activation)
        yield both_lstms(
            variant, "none_crossed", activation=NONE, auxiliary=5, crossed=True, shape=(1, 2, 5))
        yield both_lstms(
            variant, "clipped", (EVERYTHING, EVERYTHING), RELU, cellClip=0.7, projClip=0.4)


def svdf(variant, name, activation=RELU, batch=2, inputs=3, units=4, rank=2, memory=5, bias=True,
         zero=False, case=None):
    kind, asymmetric = WEIGHTS[variant]
    case = case or RecurrentCase("SVDF", variant, name)
    case.fed_floats(batch, inputs, zero=zero)
    matrix(case, kind, units * rank, inputs)
    matrix(case, kind, units * rank, memory)
    case.constant(case.normal(units, spread=0.5), "f32") if bias else case.missing()
    case.variable("f32", batch, units * rank * memory)
    case.result("f32", batch, units)
    return case.options(
        "SVDFOptions", fusedActivationFunction=activation, rank=rank,
        asymmetricQuantizeInputs=asymmetric,
    )


def svdf_cases():
    for variant in WEIGHTS:
        for name, activation in activations_for(variant).items():
            yield svdf(variant, name, activation)
        yield svdf(variant, "no_bias", bias=False)
        yield svdf(variant, "rank_1", NONE, rank=1, memory=8, inputs=5)
        yield svdf(variant, "rank_3", NONE, rank=3, units=2)
        yield svdf(variant, "no_memory", NONE, memory=1)
        yield svdf(variant, "zero", NONE, zero=True)


def cases():
    for operator in ("LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM"):
        yield from lstm_cases(operator)
    yield from basic_floats()
    yield from sparse_lstms()
    for operator in ("RNN", "UNIDIRECTIONAL_SEQUENCE_RNN"):
        yield from rnn_cases(operator)
    yield from both_rnn_cases()
    yield from both_lstm_cases()
    yield from svdf_cases()
    yield from integer_cases()

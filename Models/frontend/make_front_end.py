#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes front_end.tflite: the features of TensorFlow Lite Micro's audio front end.

    make_front_end.py [front_end.tflite]

The input is 480 samples of 16 bits (30 ms at 16 kHz), the output 40 features as microWakeWord and
micro_speech are trained on them: the front end's integers, logarithms of the channels' energies,
times 10/256. The formulas of the tables are those of
`tensorflow/lite/experimental/microfrontend/lib`: `window_util.c`, `filterbank_util.c`,
`noise_reduction_util.c`, `pcan_gain_control_util.c` and `log_scale_util.c`. Needs `numpy`,
`flatbuffers` and `ai-edge-litert`, whose schema it writes with.
"""

import ctypes
import ctypes.util
import math
import sys
from pathlib import Path

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from flatbuffers import flexbuffers

sys.path.append(str(Path(__file__).resolve().parents[1] / "digits"))

import metadata

RATE, SAMPLES, FFT = 16_000, 480, 512
CHANNELS, LOWEST, HIGHEST = 40, 125.0, 7500.0
WINDOW_BITS, WEIGHT_BITS, NOISE_BITS = 12, 12, 14
SMOOTHING_BITS, EVEN, ODD, REMAINING = 10, 0.025, 0.06, 0.05
STRENGTH, OFFSET, GAIN_BITS, SNR_BITS = 0.95, 80.0, 21, 12
LOG_BITS = 6
# What an integer of the front end counts, as microWakeWord trains on it.
FEATURE = 10 / 256
VERSION = "1"
DESCRIPTION = (
    "Turns 480 samples of sound into 40 features, as TensorFlow Lite Micro's audio front end does; "
    "see MODEL.md."
)


def single(value):
    """A number as C's `float` holds it: all tables are computed with these."""
    return np.float32(value)


# The tables are C's: its functions of single precision round as no others.
library = ctypes.CDLL(ctypes.util.find_library("m"))


def function(name, count=1):
    found = getattr(library, name)
    found.argtypes, found.restype = [ctypes.c_float] * count, ctypes.c_float
    return lambda *values: single(found(*(float(value) for value in values)))


cosine, log1p, power = function("cosf"), function("log1pf"), function("powf", 2)


def window():
    """A Hann window, its samples taken in the middle of their times."""
    step = single(math.pi) * single(2) / single(SAMPLES)
    values = [single(0.5) - single(0.5) * cosine(step * single(index + 0.5))
              for index in range(SAMPLES)]
    return np.array([rounded(value, WINDOW_BITS) for value in values], np.int16)


def mel(frequency):
    return single(1127) * log1p(single(frequency) / single(700))


def rounded(value, bits):
    return math.floor(value * single(1 << bits) + single(0.5))


def filter_bank():
    """For each band: its first frequency, first weight and width; and the weights of both sides."""
    low = mel(LOWEST)
    spacing = (mel(HIGHEST) - low) / single(CHANNELS + 1)
    centers = [low + spacing * single(band + 1) for band in range(CHANNELS + 1)]
    per_bin = single(RATE) / single(FFT)
    start = int(single(1.5) + single(LOWEST) / per_bin)
    frequencies, places, widths, rising, falling = [], [], [], [], []
    frequency, edge = start, low
    for center in centers:
        weights = []
        first = frequency
        while mel(per_bin * single(frequency)) <= center:
            weights.append((center - mel(per_bin * single(frequency))) / (center - edge))
            frequency += 1
        # Bands begin at even frequencies, and their widths are multiples of four.
        before = first % 2
        after = -(before + len(weights)) % 4
        frequencies.append(first - before)
        places.append(len(falling))
        widths.append(before + len(weights) + after)
        falling += [0] * before + [rounded(each, WEIGHT_BITS) for each in weights] + [0] * after
        opposite = [rounded(single(1) - each, WEIGHT_BITS) for each in weights]
        rising += [0] * before + opposite + [0] * after
        edge = center
    arrays = (falling, rising, frequencies, places, widths)
    return start, frequency, [np.array(each, np.int16) for each in arrays]


def gain(value, input_bits):
    """The gain for a noise, as an integer."""
    real = single(value) / single(1 << input_bits)
    gained = single(1 << GAIN_BITS) * power(real + single(OFFSET), -STRENGTH)
    return min(int(gained + single(0.5)), 0x7FFF)


def gains():
    """The gain at 0, 1 and 2, then a parabola for each power of two up to the next."""
    # The noise counts 2^10 for each unit of a channel, and a channel 2^3 for each of a sample.
    input_bits = SMOOTHING_BITS - 3
    table = [gain(0, input_bits), gain(1, input_bits)]
    for bits in range(1, 32):
        low = 1 << bits
        first, middle, last = (
            gain(value, input_bits)
            for value in (low, low + low // 2, min(2 * low, (1 << 32) - 1)))
        slope = 4 * (middle - first) - (last - first)
        table += [first, slope, last - first - slope, 0]
    return np.array(table[:-1], np.int16)


class Graph:
    """The model under construction: a chain of operators."""

    def __init__(self):
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = "TensorFlow Lite Micro's audio front end"
        self.model.operatorCodes, self.model.buffers = [], [schema.BufferT()]
        self.graph = schema.SubGraphT()
        self.graph.name = "main"
        self.graph.tensors, self.graph.operators = [], []
        self.model.subgraphs = [self.graph]

    def tensor(self, name, kind, shape, values=None):
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.buffer = name, list(shape), 0
        tensor.type = getattr(schema.TensorType, kind)
        tensor.hasRank = True
        if values is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(values).tobytes(), np.uint8)
            tensor.buffer = len(self.model.buffers)
            self.model.buffers.append(buffer)
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def constant(self, name, values):
        kind = values.dtype.name.upper()
        return self.tensor(name, kind, values.shape, values)

    def apply(self, name, inputs, results, options=None, **values):
        """Adds an operator; gives the indices of its results."""
        code = schema.OperatorCodeT()
        code.version = 1
        if name.startswith("Signal"):
            code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
            code.customCode = name
        else:
            code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, name)
        outputs = [self.tensor(f"{name}_{index}", kind, shape)
                   for index, (kind, shape) in enumerate(results)]
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes)
        operator.inputs, operator.outputs = list(inputs), outputs
        if options is not None:
            operator.builtinOptionsType = getattr(
                schema.BuiltinOptions, type(options).__name__.removesuffix("T"))
            operator.builtinOptions = options
        if name.startswith("Signal"):
            builder = flexbuffers.Builder()
            with builder.Map():
                for key in sorted(values):
                    (builder.Bool if isinstance(values[key], bool) else builder.Int)(
                        key, values[key])
            operator.customOptions = np.frombuffer(bytes(builder.Finish()), np.uint8)
        self.model.operatorCodes.append(code)
        self.graph.operators.append(operator)
        return outputs

    def written(self, inputs, outputs):
        self.graph.inputs, self.graph.outputs = inputs, outputs
        entry, buffer = schema.MetadataT(), schema.BufferT()
        buffer.data = np.frombuffer(
            metadata.Writer().model("Martlet audio front end", DESCRIPTION, VERSION, "1.0.0"), np.uint8)
        entry.name, entry.buffer = "TFLITE_METADATA", len(self.model.buffers)
        self.model.buffers.append(buffer)
        self.model.metadata = [entry]
        builder = flatbuffers.Builder(1 << 14)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def scaled(value):
    return int(value * (1 << NOISE_BITS))


def rest(value):
    return (1 << NOISE_BITS) - scaled(value)


def front_end():
    graph, energies = Graph(), FFT // 2 + 1
    start, end, bank = filter_bank()
    samples = graph.tensor("samples", "INT16", (SAMPLES,))
    [windowed] = graph.apply(
        "SignalWindow", [samples, graph.constant("window", window())], [("INT16", (SAMPLES,))],
        shift=WINDOW_BITS)
    loud, bits = graph.apply(
        "SignalFftAutoScale", [windowed], [("INT16", (SAMPLES,)), ("INT32", ())])
    [spectrum] = graph.apply(
        "SignalRfft", [loud], [("INT16", (FFT + 2,))], fft_length=FFT,
        T=schema.TensorType.INT16)
    [energy] = graph.apply(
        "SignalEnergy", [spectrum], [("UINT32", (energies,))], start_index=start, end_index=end)
    names = ("falling", "rising", "frequencies", "places", "widths")
    tables = [graph.constant(name, values) for name, values in zip(names, bank)]
    [sums] = graph.apply(
        "SignalFilterBank", [energy, *tables], [("UINT64", (CHANNELS,))], num_channels=CHANNELS)
    channels = ("UINT32", (CHANNELS,))
    [roots] = graph.apply("SignalFilterBankSquareRoot", [sums, bits], [channels])
    signal, noise = graph.apply(
        "SignalFilterBankSpectralSubtraction", [roots], [channels, channels],
        num_channels=CHANNELS, smoothing=scaled(EVEN), one_minus_smoothing=rest(EVEN),
        alternate_smoothing=scaled(ODD), alternate_one_minus_smoothing=rest(ODD),
        min_signal_remaining=scaled(REMAINING), smoothing_bits=SMOOTHING_BITS,
        spectral_subtraction_bits=NOISE_BITS, clamping=False)
    correction = FFT.bit_length() - 1 - WEIGHT_BITS // 2
    [normal] = graph.apply(
        "SignalPCAN", [signal, noise, graph.constant("gains", gains())], [channels],
        snr_shift=GAIN_BITS - correction - SNR_BITS)
    [logarithms] = graph.apply(
        "SignalFilterBankLog", [normal], [("INT16", (CHANNELS,))], output_scale=1 << LOG_BITS,
        input_correction_bits=correction)
    cast = schema.CastOptionsT()
    cast.inDataType, cast.outDataType = schema.TensorType.INT16, schema.TensorType.FLOAT32
    [real] = graph.apply("CAST", [logarithms], [("FLOAT32", (CHANNELS,))], cast)
    [features] = graph.apply(
        "MUL", [real, graph.constant("feature", np.float32([FEATURE]))],
        [("FLOAT32", (CHANNELS,))], schema.MulOptionsT())
    return graph.written([samples], [features])


if __name__ == "__main__":
    path = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "front_end.tflite")
    path.write_bytes(front_end())

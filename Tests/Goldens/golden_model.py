# SPDX-License-Identifier: Apache-2.0
"""A golden case as the bytes of a .tflite file with one operator."""

import struct

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema

from golden_case import TYPES

# Operators whose first version the runtime lacks.
VERSIONS = {"BROADCAST_TO": 2}


def pack_bits(values, width):
    """Values of `width` bits, the first one in the lowest bits of a byte."""
    per_byte = 8 // width
    flat = values.reshape(-1).astype(np.int16) & ((1 << width) - 1)
    flat = np.concatenate([flat, np.zeros(-len(flat) % per_byte, np.int16)])
    packed = np.zeros(len(flat) // per_byte, np.int16)
    for place in range(per_byte):
        packed |= flat[place::per_byte] << (place * width)
    return packed.astype(np.uint8)


def packed(words):
    """The bytes of a string tensor."""
    ends = np.cumsum([len(word) for word in words])
    start = 4 * (len(words) + 2)
    places = [start, *(start + int(end) for end in ends)]
    return struct.pack(f"<{len(places) + 1}i", len(words), *places) + b"".join(words)


def raw_bytes(operand):
    """The operand's values as they lie in a model file."""
    if operand.kind == "str":
        return np.frombuffer(packed([bytes(word) for word in operand.values.ravel()]), np.uint8)
    width = {"i2": 2, "i4": 4, "u4": 4}.get(operand.kind)
    if width:
        return pack_bits(operand.values, width)
    return np.frombuffer(np.ascontiguousarray(operand.values).tobytes(), np.uint8)


def quantization(operand):
    """The quantization table, or None for a plain tensor."""
    if not operand.scale:
        return None
    table = schema.QuantizationParametersT()
    table.scale = list(operand.scale)
    table.zeroPoint = list(operand.zero)
    table.quantizedDimension = operand.axis
    return table


class ModelBuilder:
    """Collects the tensors, buffers and operators of one subgraph."""

    def __init__(self):
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = "golden"
        self.model.operatorCodes = []
        self.model.buffers = [schema.BufferT()]
        self.graph = schema.SubGraphT()
        self.graph.name = "main"
        self.graph.tensors, self.graph.operators = [], []
        self.graph.inputs, self.graph.outputs = [], []
        self.model.subgraphs = [self.graph]

    def tensor(self, name, operand, shape):
        """Adds a tensor and gives its index."""
        tensor = schema.TensorT()
        tensor.name = name
        tensor.shape = [int(d) for d in shape]
        tensor.type = getattr(schema.TensorType, TYPES[operand.kind][0])
        tensor.quantization = quantization(operand)
        if operand.block_scales is not None:
            tensor.quantization = self.block_quantization(name, operand)
        tensor.sparsity = operand.sparsity
        tensor.hasRank = True
        tensor.buffer = 0
        if operand.role == "constant":
            buffer = schema.BufferT()
            buffer.data = raw_bytes(operand)
            tensor.buffer = len(self.model.buffers)
            self.model.buffers.append(buffer)
        if operand.role == "variable":
            tensor.isVariable = True
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def block_quantization(self, name, operand):
        """The quantization table of a tensor whose scales are in a float16 tensor beside it."""
        scales = type(operand)("f16", "constant", operand.block_scales)
        details = schema.BlockwiseQuantizationT()
        details.scales = self.tensor(name + "_scales", scales, operand.block_scales.shape)
        details.zeroPoints = -1
        details.blockSize = operand.block_length
        table = schema.QuantizationParametersT()
        table.detailsType = schema.QuantizationDetails.BlockwiseQuantization
        table.details = details
        return table

    def operator(self, name, inputs, outputs, table="", fields=None, custom=None):
        """Adds an operator; a name the schema lacks makes a custom operator."""
        code = schema.OperatorCodeT()
        builtin = getattr(schema.BuiltinOperator, name, None)
        code.builtinCode = schema.BuiltinOperator.CUSTOM if builtin is None else builtin
        code.deprecatedBuiltinCode = min(code.builtinCode, 127)
        code.customCode = name if builtin is None else None
        code.version = VERSIONS.get(name, 1)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes)
        operator.inputs, operator.outputs = inputs, outputs
        if table:
            options = getattr(schema, table + "T")()
            for key, value in (fields or {}).items():
                if not hasattr(options, key):
                    raise AttributeError(f"{table} has no field {key}")
                setattr(options, key, value)
            if hasattr(schema.BuiltinOptions, table):
                operator.builtinOptionsType = getattr(schema.BuiltinOptions, table)
                operator.builtinOptions = options
            else:
                operator.builtinOptions2Type = getattr(schema.BuiltinOptions2, table)
                operator.builtinOptions2 = options
        if custom is not None:
            operator.customOptions = np.frombuffer(custom, np.uint8)
        self.model.operatorCodes.append(code)
        self.graph.operators.append(operator)

    def computation(self, operators, scalar):
        """Adds a subgraph that combines two scalars by `operators`; without any it gives the
        second."""
        main, self.graph = self.graph, schema.SubGraphT()
        self.graph.name = "computation"
        self.graph.tensors, self.graph.operators = [], []
        places = [self.tensor(f"scalar_{i}", scalar, ()) for i in range(2)]
        self.graph.inputs, self.graph.outputs = list(places), [places[1]]
        for name in operators:
            result = self.tensor(name.lower(), scalar, ())
            self.operator(name, list(places), [result])
            self.graph.outputs = [result]
        self.model.subgraphs.append(self.graph)
        self.graph = main

    def finish(self):
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def build(case, shapes=None, widen=False):
    """The model's bytes; `shapes` are the outputs' declared ones.

    With `widen`, bfloat16 results pass through a CAST to float32, which Python can read.
    """
    model = ModelBuilder()
    inputs, outputs = [], []
    for position, operand in enumerate(case.operands):
        if operand.role == "missing":
            inputs.append(-1)
            continue
        if operand.role == "result":
            shape = operand.shape
            if shape is None:
                shape = shapes[len(outputs)] if shapes else ()
            outputs.append(model.tensor(f"output_{len(outputs)}", operand, shape))
            continue
        index = model.tensor(f"{operand.role}_{position}", operand, operand.shape)
        inputs.append(index)
        if operand.role == "fed":
            model.graph.inputs.append(index)
    model.operator(case.operator, inputs, outputs, case.table, case.fields, case.custom)
    if case.computation is not None:
        model.computation(case.computation, type(case.operands[0])(case.operands[0].kind, "fed"))
    model.graph.outputs = list(outputs)
    results = [o for o in case.operands if o.role == "result"]
    for place, operand in enumerate(results if widen else []):
        if operand.kind == "bf16":
            wide = type(operand)("f32", "result")
            shape = shapes[place] if shapes else ()
            index = model.tensor(f"wide_{place}", wide, shape)
            model.operator("CAST", [outputs[place]], [index])
            model.graph.outputs[place] = index
    return model.finish()

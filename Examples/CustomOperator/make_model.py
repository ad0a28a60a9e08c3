#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes mish.tflite: one custom operator, `Mish`, with a number in its options.

    python3 make_model.py      (needs ai-edge-litert and flatbuffers from PyPI)
"""

import os

import flatbuffers
from ai_edge_litert import schema_py_generated as schema
from flatbuffers import flexbuffers


def tensor(name):
    result = schema.TensorT()
    result.name, result.type, result.shape = name, schema.TensorType.FLOAT32, [1, 8]
    return result


def model():
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
    code.customCode, code.version = "Mish", 1
    node = schema.OperatorT()
    node.inputs, node.outputs = [0], [1]
    options = flexbuffers.Builder()
    with options.Map():
        options.Key("beta")
        options.Float(1.5)
    node.customOptions = list(options.Finish())
    graph = schema.SubGraphT()
    graph.name, graph.tensors = "main", [tensor("x"), tensor("y")]
    graph.inputs, graph.outputs, graph.operators = [0], [1], [node]
    result = schema.ModelT()
    result.version, result.description = 3, "Mish, a custom operator"
    result.operatorCodes, result.subgraphs = [code], [graph]
    result.buffers = [schema.BufferT()]
    return result


if __name__ == "__main__":
    builder = flatbuffers.Builder(1024)
    builder.Finish(model().Pack(builder), b"TFL3")
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "mish.tflite")
    with open(place, "wb") as stream:
        stream.write(builder.Output())

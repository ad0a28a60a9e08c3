#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what LiteRT's CompiledModel says of the bundled models, computes and refuses.

    python3 -m pip install ai-edge-litert==2.3.0
    python3 Tests/LiteRTBehavior/record.py > Tests/LiteRTBehavior/behavior.json

Values are those without XNNPACK, which rounds otherwise; where they still are not those of the
reference kernels, as some of TensorFlow Lite's optimized ones round otherwise too, there are none.
Every probe runs in a process of its own, since some mistakes end LiteRT's.
"""

import importlib.metadata
import json
import os
import re
import sys
from pathlib import Path

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.compiled_model import CompiledModel, CpuKernelMode, CpuOptions, Options
from ai_edge_litert.interpreter import Interpreter, OpResolverType

MODELS = Path(__file__).resolve().parents[2] / "Models"


def sum_model(shape):
    """`arg0` + `arg1`; -1 leaves a dimension open."""
    model = schema.ModelT()
    model.version = 3
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.ADD
    code.version = 1
    graph = schema.SubGraphT()
    graph.tensors = []
    for name in (b"arg0", b"arg1", b"sum"):
        tensor = schema.TensorT()
        tensor.name, tensor.type, tensor.buffer = name, schema.TensorType.FLOAT32, 0
        tensor.shape = [max(size, 1) for size in shape]
        if -1 in shape:
            tensor.shapeSignature = shape
        graph.tensors.append(tensor)
    node = schema.OperatorT()
    node.inputs, node.outputs = [0, 1], [2]
    node.builtinOptionsType = schema.BuiltinOptions.AddOptions
    node.builtinOptions = schema.AddOptionsT()
    graph.operators, graph.inputs, graph.outputs = [node], [0, 1], [2]
    model.operatorCodes, model.subgraphs, model.buffers = [code], [graph], [schema.BufferT()]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def pattern(count, kind):
    """Values that a test makes again: element `i` follows from `i * 37 % 251`."""
    numbers = np.arange(count) * 37 % 251
    if np.dtype(kind).kind == "f":
        return (numbers / 125 - 1).astype(kind)
    return (numbers if kind == "uint8" else numbers - 125).astype(kind)


def reference(path, inputs):
    """The outputs of the reference kernels by their names."""
    interpreter = Interpreter(
        path, num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    runner = interpreter.get_signature_runner()
    return runner(**inputs)


def described(details):
    return [{"type": d["dtype"], "shape": list(map(int, d["shape"]))} for d in details.values()]


def told(path):
    """What a model says, and what it makes of the pattern."""
    options = Options(cpu_options=CpuOptions(kernel_mode=CpuKernelMode.REFERENCE))
    model = CompiledModel.from_file(path, options=options)
    entry = model.get_signature_by_index(0)
    key = entry["key"]
    inputs, outputs = model.get_input_tensor_details(key), model.get_output_tensor_details(key)
    told_inputs, told_outputs = described(inputs), described(outputs)
    buffers = model.create_input_buffers(0)
    values = [pattern(int(np.prod(info["shape"])), info["type"]) for info in told_inputs]
    for buffer, value in zip(buffers, values):
        buffer.write(value)
    results = model.create_output_buffers(0)
    model.run_by_index(0, buffers, results)
    computed = {
        name: result.read(int(np.prod(info["shape"])), np.dtype(info["type"]).type)
        for name, result, info in zip(entry["outputs"], results, told_outputs)
    }
    named = zip(entry["inputs"], values, told_inputs)
    exact = reference(path, {name: value.reshape(info["shape"]) for name, value, info in named})
    agrees = all(
        np.allclose(computed[name], exact[name].ravel(), rtol=1e-6, atol=1e-6)
        for name in computed
    )
    return {
        "key": key, "inputNames": entry["inputs"], "outputNames": entry["outputs"],
        "inputs": told_inputs, "outputs": told_outputs,
        "inputByteCounts": [
            model.get_input_buffer_requirements(i)["buffer_size"] for i in range(len(buffers))
        ],
        "outputByteCounts": [
            model.get_output_buffer_requirements(i)["buffer_size"] for i in range(len(results))
        ],
        "values": [value.tolist() for value in computed.values()] if agrees else None,
    }


def probes():
    """Mistakes, and what is none, by names that the tests use."""
    fixed, open_ = sum_model([2]), sum_model([-1, 2, 3])
    load = CompiledModel.from_buffer

    def run(inputs, outputs, signature=0):
        model = load(fixed)
        mine, results = model.create_input_buffers(0), model.create_output_buffers(0)
        model.run_by_index(signature, (mine + mine)[:inputs], results * outputs)

    def resize(model, *arguments, **options):
        return lambda: load(model).resize_input_tensor(*arguments, **options)

    buffer = load(fixed).create_input_buffers(0)[0]
    yield "requirements of input 9", lambda: load(fixed).get_input_buffer_requirements(9)
    yield "buffers of signature 7", lambda: load(fixed).create_input_buffers(7)
    yield "resize input 9", resize(fixed, 9, [2])
    yield "resize fixed to itself", resize(fixed, 0, [2])
    yield "resize fixed", resize(fixed, 0, [3])
    yield "resize fixed, not strict", resize(fixed, 0, [3], strict=False)
    yield "resize to another rank", resize(open_, 0, [2])
    yield "resize an open dimension", resize(open_, 0, [4, 2, 3])
    yield "resize a fixed dimension", resize(open_, 0, [4, 9, 3])
    yield "resize to a negative dimension", resize(open_, 0, [-1, 2, 3])
    yield "run with one buffer", lambda: run(1, 1)
    yield "run with four buffers", lambda: run(4, 1)
    yield "run without outputs", lambda: run(2, 0)
    yield "run signature 3", lambda: load(fixed).run_by_index(3, [], [])
    yield "write too much", lambda: buffer.write(np.zeros(3, np.float32))
    yield "write a part", lambda: buffer.write(np.zeros(1, np.float32))
    yield "write bytes", lambda: buffer.write(np.zeros(8, np.int8))
    yield "load nothing", lambda: load(b"")
    yield "load what is no model", lambda: load(b"no model" * 99)
    yield "load a file that is not there", lambda: CompiledModel.from_file("/not/there.tflite")


def outcome(probe):
    """The code of the error that it meets; 0 for none, -1 for one without a code."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        code = 0
        try:
            probe()
        except Exception as error:
            found = re.search(r"code=(\d+)", str(error))
            code = int(found.group(1)) if found else -1
        os.write(writer, str(code).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as stream:
        return int(stream.read() or -1)


def main():
    models = {
        str(path.relative_to(MODELS)): told(str(path))
        for path in sorted(MODELS.glob("*/*.tflite"))
    }
    json.dump(
        {
            "runtime": "ai-edge-litert " + importlib.metadata.version("ai-edge-litert"),
            "models": models,
            "outcomes": {name: outcome(probe) for name, probe in probes()},
        },
        sys.stdout, indent=1)
    print()


main()

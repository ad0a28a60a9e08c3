#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Dumps all tensors of a run of LiteRT into an npz file, which `martlet compare` reads.

    pip install ai-edge-litert numpy
    python dump_tensors.py model.tflite -o dump.npz --resolver reference --input x.npy
    martlet compare dump.npz model.tflite

Arrays are called as `martlet trace` calls them, s<subgraph>.<run>.t<tensor>.<name>, for the main
graph. Resolvers: `reference` are the kernels that define the operators, `builtin` the optimized
ones, `default` is what an application gets: a delegate, which hides the tensors inside of it.
"""

import argparse
from urllib.parse import quote

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

RESOLVERS = {
    "reference": OpResolverType.BUILTIN_REF,
    "builtin": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    "default": OpResolverType.AUTO,
}


def made_up(detail, generator):
    """Random values as `martlet run --fill random` has them: whole range, or [-1, 1]."""
    shape, dtype = detail["shape"], detail["dtype"]
    if dtype == np.bool_:
        return generator.integers(0, 2, shape).astype(dtype)
    if np.issubdtype(dtype, np.integer):
        limits = np.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    return generator.uniform(-1, 1, shape).astype(dtype)


def set_inputs(interpreter, files, seed):
    """Gives the inputs the arrays of `files` in order, and those without one random values."""
    details = interpreter.get_input_details()
    arrays = [np.load(file) for file in files]
    for detail, array in zip(details, arrays):
        if list(detail["shape"]) != list(array.shape):
            interpreter.resize_tensor_input(detail["index"], array.shape)
    interpreter.allocate_tensors()
    generator = np.random.default_rng(seed)
    for position, detail in enumerate(details):
        values = arrays[position] if position < len(arrays) else made_up(detail, generator)
        interpreter.set_tensor(detail["index"], values)


def tensors(interpreter):
    """The inputs, then what each node computes, as (index, name, array)."""
    order = [detail["index"] for detail in interpreter.get_input_details()]
    for node in interpreter._get_ops_details():
        if node["op_name"] != "DELEGATE":
            order += [index for index in node["outputs"] if index not in order]
    details = {detail["index"]: detail for detail in interpreter.get_tensor_details()}
    for index in order:
        try:
            array = interpreter.get_tensor(index)
        except ValueError:
            # Inside of a delegate, or a handle.
            continue
        # Strings come as objects, which only Python reads.
        array = array.astype("S") if array.dtype == object else array
        yield index, details[index]["name"], array


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("-o", "--output", required=True, help="the npz file")
    parser.add_argument("--input", action="append", default=[], help="npy files, in order")
    parser.add_argument("--resolver", choices=RESOLVERS, default="reference")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    interpreter = Interpreter(
        options.model,
        experimental_op_resolver_type=RESOLVERS[options.resolver],
        experimental_preserve_all_tensors=True,
    )
    set_inputs(interpreter, options.input, options.seed)
    interpreter.invoke()
    arrays = {
        f"s0.0.t{index}.{quote(name, safe='')}": array
        for index, name, array in tensors(interpreter)
    }
    np.savez_compressed(options.output, **arrays)
    print(f"{len(arrays)} tensors in {options.output}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures how far float results are from the reference kernels', Martlet's and XNNPACK's.

    python3 Benchmarks/accuracy.py .build/release/martlet MODEL_OR_FOLDER... [--inputs 12]

Each network gets random inputs, from -1 to 1. A distance is the largest difference of any output
from that of LiteRT's reference kernels, relative to the output's largest value; the table has the
medians over the inputs. One input says little: which sum is rounded up or down is chance.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from racing.contestants import given
from racing.report import table


def litert(model, is_reference):
    """LiteRT with one thread, its variables as new: its reference kernels or XNNPACK."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kind = OpResolverType.BUILTIN_REF if is_reference else OpResolverType.AUTO
    interpreter = Interpreter(model, num_threads=1, experimental_op_resolver_type=kind)
    interpreter.allocate_tensors()
    return interpreter


def outputs(interpreter, values):
    for detail, value in zip(interpreter.get_input_details(), values):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def own_outputs(martlet, model, values, folder):
    """Martlet's outputs, by way of files."""
    command = [martlet, "run", model, "--output-dir", folder]
    for index, value in enumerate(values):
        path = os.path.join(folder, f"in_{index}.npy")
        np.save(path, value)
        command += ["--input", path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError((done.stderr.strip() or "it failed").splitlines()[0])
    stored = sorted(name for name in os.listdir(folder) if name.startswith("out_"))
    return [np.load(os.path.join(folder, f"out_{index}.npy")) for index in range(len(stored))]


def distance(results, expected):
    """The largest difference, relative to each output's largest value."""
    furthest = 0.0
    for got, wanted in zip(results, expected, strict=True):
        scale = max(float(np.abs(wanted).max(initial=0)), 1e-30)
        difference = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
        furthest = max(furthest, float(difference.max(initial=0)) / scale)
    return furthest


def distances(martlet, model, count):
    """Martlet's and XNNPACK's distances for each input; None without float inputs."""
    details = litert(model, True).get_input_details()
    if any(detail["dtype"] != np.float32 for detail in details):
        return None
    random = np.random.default_rng(1)
    found = []
    for _ in range(count):
        values = [random.uniform(-1, 1, d["shape"]).astype(np.float32) for d in details]
        expected = outputs(litert(model, True), values)
        with tempfile.TemporaryDirectory() as folder:
            own = distance(own_outputs(martlet, model, values, folder), expected)
        found.append((own, distance(outputs(litert(model, False), values), expected)))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("martlet", help="the martlet binary, built for release")
    parser.add_argument("models", nargs="+", metavar="MODEL_OR_FOLDER")
    parser.add_argument("--inputs", type=int, default=12)
    options = parser.parse_args()
    rows = []
    for network in (network for path in options.models for network in given(path)):
        try:
            found = distances(options.martlet, network.model, options.inputs)
        except (RuntimeError, ValueError) as error:
            print(f"{network.name}: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        if found is None:
            continue
        own, rival = (statistics.median(values) for values in zip(*found))
        ratio = f"{own / rival:.2f}" if rival else "–"
        rows.append([network.name, f"{own:.1e}", f"{rival:.1e}", ratio])
    print(table(["network", "Martlet", "XNNPACK", "ratio"], rows))


if __name__ == "__main__":
    main()

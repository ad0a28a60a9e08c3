# SPDX-License-Identifier: Apache-2.0
"""Compares Martlet's tensors with those of LiteRT's reference kernels, node by node.

A race between engines that compute different things says nothing. Integers have to be equal bit
for bit; floats may differ in their last digits, since the fast kernels add in another order.
"""

import os
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def store_reference_tensors(model, image, target):
    """Stores every tensor that a node writes, by number, from LiteRT's reference kernels."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    interpreter = Interpreter(
        model,
        num_threads=1,
        experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
        experimental_preserve_all_tensors=True,
    )
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], np.load(image))
    interpreter.invoke()
    written = {t for node in interpreter._get_ops_details() for t in node["outputs"]}
    np.savez(target, **{str(tensor): interpreter.get_tensor(int(tensor)) for tensor in written})


def reference_tensors(model, image):
    """The same from a process of its own: some networks make LiteRT abort."""
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "tensors.npz")
        command = [sys.executable, "-m", "racing.agreement", model, image, target]
        done = subprocess.run(command, capture_output=True, text=True, cwd=HERE)
        if done.returncode:
            last = (done.stderr.strip() or "no message").splitlines()[-1]
            raise RuntimeError(f"LiteRT's reference kernels ended with {done.returncode}: {last}")
        with np.load(target) as stored:
            return {int(number): stored[number] for number in stored.files}


def own_tensors(martlet, model, image, kernels, threads):
    """The same from Martlet, for the tensors that its plan still has."""
    with tempfile.TemporaryDirectory() as folder:
        command = [martlet, "run", model, "--input", image, "--keep-all"]
        command += ["--kernels", kernels, "--threads", str(threads), "--output-dir", folder]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError((done.stderr.strip() or "it failed").splitlines()[-1])
        found = {}
        for name in os.listdir(folder):
            if name.startswith("tensor_"):
                number = int(name.removeprefix("tensor_").removesuffix(".npy"))
                found[number] = np.load(os.path.join(folder, name))
        return found


def difference(own, expected):
    """A summary of how far tensors are from the expected ones."""
    integers = floats = unequal = 0
    furthest = 0.0
    for number, wanted in expected.items():
        if number not in own:
            continue
        got = own[number]
        if got.shape != wanted.shape:
            raise RuntimeError(f"tensor {number} has shape {got.shape} and not {wanted.shape}")
        distance = np.abs(got.astype(np.float64) - wanted.astype(np.float64))
        if np.issubdtype(wanted.dtype, np.floating):
            floats += 1
            scale = max(np.abs(wanted).max(initial=0), 1e-30)
            furthest = max(furthest, float(distance.max(initial=0)) / float(scale))
        else:
            integers += 1
            unequal += int(distance.max(initial=0) > 0)
    parts = []
    if integers:
        parts.append(f"{integers - unequal} of {integers} integer tensors equal")
    if floats:
        parts.append(f"{floats} float tensors within {furthest:.1e} of their largest value")
    return ", ".join(parts) or "nothing to compare"


def agreement(martlet, model, image):
    """One sentence about how the optimized kernels on two threads agree on a network."""
    try:
        expected = reference_tensors(model, image)
        return difference(own_tensors(martlet, model, image, "optimized", 2), expected)
    except (RuntimeError, ValueError, OSError) as error:
        return f"failed: {error}"


if __name__ == "__main__":
    store_reference_tensors(*sys.argv[1:])

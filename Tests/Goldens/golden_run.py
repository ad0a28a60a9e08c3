# SPDX-License-Identifier: Apache-2.0
"""Runs a golden case on the real runtime and writes its folder.

How much a float result may differ is an absolute number per output in case.json:

    ULPS[case.tolerance] × epsilon of the output's type × largest magnitude of the output

where infinities and the type's largest number, to which fused activations clamp them, do not count.
`exact` outputs are copies of inputs (0), `arithmetic` takes a few roundings, `sum` adds products
in an order that an implementation may choose, `exp` goes through a libm function, `recurrent` does
all of that again and again. Half-precision results get at most 2 ulp. Integer and boolean outputs
carry no tolerance: they must be equal, and so must bfloat16 results, which .npy files hold as
uint16 patterns.
"""

import json
import os
import pickle
import signal
from importlib.metadata import version

import ml_dtypes
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

from golden_model import build

ULPS = {"exact": 0, "arithmetic": 4, "sum": 16, "exp": 32, "recurrent": 64}
ENGINE = "ai-edge-litert"

# Seconds that a case may take.
LONGEST = 60


def engine(case):
    """The runtime of a case: LiteRT unless the case names another one."""
    return getattr(case, "engine", ENGINE)


def invoke(model, case, feed):
    """The outputs of one invocation of `model`."""
    interpreter = interpreter_of(model, case)
    interpreter.allocate_tensors()
    for detail, values in zip(interpreter.get_input_details(), feed):
        interpreter.set_tensor(detail["index"], values)
    interpreter.invoke()
    return [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]


def in_child(function, *arguments):
    """What `function` gives, from a child process: the runtime aborts, or never ends, on some
    models."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 2)
        signal.alarm(LONGEST)
        try:
            answer = ("ok", function(*arguments))
        except Exception as error:  # the runtime's refusal, whatever its class
            answer = ("refused", " ".join(str(error).split()))
        with os.fdopen(writer, "wb") as stream:
            stream.write(pickle.dumps(answer))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        answer = stream.read()
    _, status = os.waitpid(child, 0)
    return pickle.loads(answer) if answer else ("refused", f"the runtime died, status {status}")


def compute(case):
    """The model with its outputs' shapes declared, and what the runtime makes of it."""
    feed = [operand.values for operand in case.operands if operand.role == "fed"]
    shapes = [a.shape for a in invoke(build(case, widen=True), case, feed)]
    outputs = invoke(build(case, shapes, widen=True), case, feed)
    kinds = [o.kind for o in case.operands if o.role == "result"]
    outputs = [a.astype(ml_dtypes.bfloat16) if k == "bf16" else a for k, a in zip(kinds, outputs)]
    return build(case, shapes), feed, outputs


def stored(array):
    """The array as .npy files hold it: bfloat16 as bit patterns, strings as fixed-width bytes."""
    if array.dtype == object:
        return array.astype(np.bytes_)
    return array.view(np.uint16) if array.dtype == ml_dtypes.bfloat16 else array


def allowed(case, output):
    """The absolute tolerance of a float output."""
    real = output.real if output.dtype.kind == "c" else output
    ulps = ULPS[case.tolerance]
    if output.dtype == np.float16:
        ulps = min(ulps, 2)
    magnitudes = np.abs(output)
    finite = magnitudes[magnitudes < np.finfo(real.dtype).max].astype(np.float64)
    largest = float(finite.max()) if finite.size else 0.0
    return ulps * float(np.finfo(real.dtype).eps) * largest


def compute_micro_steps(case):
    """The same with TensorFlow Lite Micro's runtime."""
    from signal_case import MicroInterpreter

    model = case.finish()
    interpreter = MicroInterpreter(model)
    count = schema.Model.GetRootAs(model).Subgraphs(0).OutputsLength()
    return model, [(feed, interpreter.run(feed, count)) for feed in case.steps]


def interpreter_of(model, case):
    """LiteRT's interpreter, or TensorFlow's for operators that are TensorFlow's."""
    made, resolvers = Interpreter, OpResolverType
    if engine(case) != ENGINE:
        from tensorflow import lite

        made, resolvers = lite.Interpreter, lite.experimental.OpResolverType
    return made(
        model_content=model,
        num_threads=1,
        experimental_op_resolver_type=resolvers[case.kernels],
    )


def compute_steps(case):
    """A whole model, and what the runtime makes of each of its invocations."""
    if engine(case) == "tflite-micro":
        return compute_micro_steps(case)
    model = case.finish()
    interpreter = interpreter_of(model, case)
    interpreter.allocate_tensors()
    results = []
    for feed in case.steps:
        for detail, values in zip(interpreter.get_input_details(), feed):
            interpreter.set_tensor(detail["index"], values)
        interpreter.invoke()
        details = interpreter.get_output_details()
        results.append((feed, [interpreter.get_tensor(d["index"]).copy() for d in details]))
    return model, results


def write(case, root):
    """Writes the case's folder; gives the runtime's reason when it refuses the model."""
    if hasattr(case, "steps"):
        status, answer = in_child(compute_steps, case)
    else:
        status, answer = in_child(compute, case)
    if status == "refused":
        return answer
    folder = os.path.join(root, case.path)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "model.tflite"), "wb") as stream:
        stream.write(answer[0])
    steps = answer[1] if hasattr(case, "steps") else [answer[1:]]
    for number, (feed, outputs) in enumerate(steps):
        write_step(case, os.path.join(folder, f"step{number}") if number else folder, feed, outputs)
    return None


def write_step(case, folder, feed, outputs):
    """Writes what goes into one invocation and what comes out."""
    os.makedirs(folder, exist_ok=True)
    for index, array in enumerate(feed):
        np.save(os.path.join(folder, f"in_{index}.npy"), stored(array))
    for index, array in enumerate(outputs):
        np.save(os.path.join(folder, f"out_{index}.npy"), stored(array))
    facts = {
        "engine": engine(case),
        "version": version(engine(case)),
        "kernels": case.kernels,
        "rounding": "double",
        "seed": case.seed,
        "tolerance": {
            f"out_{index}": allowed(case, array)
            for index, array in enumerate(outputs)
            if array.dtype.kind in "fc"
        },
    }
    if case.note:
        facts["note"] = case.note
    with open(os.path.join(folder, "case.json"), "w") as stream:
        stream.write(json.dumps(facts, indent=1) + "\n")

# SPDX-License-Identifier: Apache-2.0
"""Times one model in another interpreter; prints the fields of `martlet bench --json`.

    python -m racing.peer ENGINE MODEL [--input FILE] [--threads N] [--warmup N] [--runs N]

The interpreter is imported before anything is measured: neither the time nor the memory of Python
and of loading libraries counts against it.
"""

import argparse
import json
import statistics
import time
from array import array

import numpy as np

from racing.held import Hold
from racing.memory import forget_peak, resident


def made_up(shape, kind):
    """Input values: noise, but zeros where integers are likely to be indices."""
    random = np.random.default_rng(0)
    if np.issubdtype(kind, np.floating):
        return (2 * random.random(shape, np.float32) - 1).astype(kind, copy=False)
    if kind in (np.int8, np.uint8, np.int16):
        limits = np.iinfo(kind)
        return random.integers(limits.min, limits.max, shape, kind, endpoint=True)
    return np.zeros(shape, kind)


class LiteRT:
    """LiteRT with XNNPACK (`default`), its own fast kernels (`builtin`) or its reference ones."""

    def __init__(self, resolver):
        from ai_edge_litert import interpreter

        self.interpreter_class = interpreter.Interpreter
        self.resolver = getattr(interpreter.OpResolverType, resolver)

    def load(self, model, threads):
        self.interpreter = self.interpreter_class(
            model, num_threads=threads, experimental_op_resolver_type=self.resolver
        )

    def prepare(self):
        self.interpreter.allocate_tensors()

    def set_inputs(self, values):
        for detail in self.interpreter.get_input_details():
            given = made_up(detail["shape"], detail["dtype"]) if values is None else values
            self.interpreter.set_tensor(detail["index"], given)

    def invoke(self):
        self.interpreter.invoke()

    def output(self):
        return self.interpreter.get_tensor(self.interpreter.get_output_details()[0]["index"])


class OpenVINO:
    """OpenVINO on the processor, as its `benchmark_app` runs it for latency; axes of unknown length
    have one element."""

    def __init__(self):
        import openvino

        self.library = openvino
        self.core = openvino.Core()

    def load(self, model, threads):
        self.threads = threads
        self.model = self.core.read_model(model)

    def prepare(self):
        shapes = {
            port: [1 if axis.is_dynamic else axis.get_length() for axis in port.partial_shape]
            for port in self.model.inputs
            if port.partial_shape.is_dynamic
        }
        if shapes:
            self.model.reshape(shapes)
        properties = {
            "INFERENCE_NUM_THREADS": self.threads, "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32",
        }
        self.request = self.core.compile_model(
            self.model, "CPU", properties
        ).create_infer_request()

    def set_inputs(self, values):
        for index, port in enumerate(self.request.model_inputs):
            kind = port.get_element_type().to_dtype()
            given = made_up(list(port.get_shape()), kind) if values is None else values
            self.request.set_input_tensor(index, self.library.Tensor(np.ascontiguousarray(given)))

    def invoke(self):
        self.request.infer()

    def output(self):
        return self.request.get_output_tensor(0).data


class OnnxRuntime:
    """onnxruntime on the processor, with all of its graph optimizations."""

    def __init__(self):
        import onnxruntime

        self.library = onnxruntime

    def load(self, model, threads):
        options = self.library.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self.session = self.library.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )

    def prepare(self):
        self.input = self.session.get_inputs()[0]

    def set_inputs(self, values):
        self.values = {self.input.name: np.ascontiguousarray(values.transpose(0, 3, 1, 2))}

    def invoke(self):
        self.outputs = self.session.run(None, self.values)

    def output(self):
        return self.outputs[0]


class Tract:
    """tract, which has one thread."""

    def __init__(self):
        import tract

        self.library = tract

    def load(self, model, threads):
        if threads > 1:
            raise ValueError("tract has one thread")
        self.model = self.library.onnx().load(model)

    def prepare(self):
        self.runnable = self.model.into_model().into_runnable()

    def set_inputs(self, values):
        planes = np.ascontiguousarray(values.transpose(0, 3, 1, 2))
        self.values = [self.library.Tensor.from_numpy(planes)]

    def invoke(self):
        self.outputs = self.runnable.run(self.values)

    def output(self):
        return self.outputs[0].to_numpy()


ENGINES = {
    "litert": lambda: LiteRT("AUTO"),
    "litert-builtin": lambda: LiteRT("BUILTIN_WITHOUT_DEFAULT_DELEGATES"),
    "litert-reference": lambda: LiteRT("BUILTIN_REF"),
    "openvino": OpenVINO,
    "onnxruntime": OnnxRuntime,
    "tract": Tract,
}


def milliseconds(action, *arguments):
    start = time.perf_counter()
    action(*arguments)
    return 1000 * (time.perf_counter() - start)


def measure(engine, model, values, threads, warmup, runs):
    """The fields that `martlet bench --json` also has, with the same meaning."""
    made_up([1], np.float32)  # loads what random numbers need before memory is measured
    forget_peak()
    before = resident()
    load = milliseconds(engine.load, model, threads)
    prepare = milliseconds(engine.prepare)
    engine.set_inputs(values)
    first = milliseconds(engine.invoke)
    for _ in range(warmup):
        engine.invoke()
    # As many bytes as `martlet bench` needs for its times; a list would count for the engine.
    times = array("d", bytes(8 * runs))
    for run in range(runs):
        times[run] = milliseconds(engine.invoke)
    peak = resident("VmHWM")
    return {
        "load_ms": load,
        "prepare_ms": prepare,
        "first_ms": first,
        "min_ms": min(times),
        "median_ms": statistics.median(times),
        "initial_rss_bytes": before,
        "peak_rss_bytes": peak,
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", choices=ENGINES)
    parser.add_argument("model")
    parser.add_argument("--input", help="an npy file; without it, values are made up")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    values = None if options.input is None else np.load(options.input)
    engine = ENGINES[options.engine]()
    hold = Hold()
    counts = (options.threads, options.warmup, options.runs)
    measured = measure(engine, options.model, values, *counts)
    hold.check()
    print(json.dumps(measured))


if __name__ == "__main__":
    main()

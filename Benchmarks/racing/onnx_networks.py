# SPDX-License-Identifier: Apache-2.0
"""The same networks for interpreters of ONNX, where the conversion is honest.

A float network is translated operator by operator from the TensorFlow Lite file, so that both
have the same folded weights, and must give the same scores. An int8 network is made as a user of
onnxruntime would make it: the float one, quantized by onnxruntime's own tool with the images
that calibrated the TensorFlow Lite file, per channel, in the pattern its kernels are made for. A
conversion whose scores stray from the original's is thrown away.
"""

import os

import numpy as np

from racing import networks
from racing.peer import ENGINES
from racing.images import images

OPERATOR_SET = 17
# The largest difference of probabilities that passes, by format. Two int8 quantizations of one
# network differ from each other about as much as each does from the float one.
TOLERANCES = {"float": 1e-4, "int8": 0.25}


def build(base):
    """Converts the networks below `base` that have no `model.onnx`; prints what is refused."""
    for name, (_, low, high) in networks.ARCHITECTURES.items():
        for kind in networks.FORMATS:
            folder = os.path.join(base, f"{name}_{kind}")
            path = os.path.join(folder, "model.onnx")
            refused = os.path.join(folder, "no-onnx.txt")
            if os.path.exists(path) or os.path.exists(refused):
                continue
            print(f"converting {name} {kind} to ONNX", flush=True)
            try:
                convert(base, name, kind, path, (low, high))
                check(base, name, kind, path)
            except Exception as error:  # converters fail in every way there is
                reason = (str(error).strip() or type(error).__name__).splitlines()[0]
                print(f"{name} {kind}: no ONNX file: {reason}", flush=True)
                if os.path.exists(path):
                    os.remove(path)
                with open(refused, "w") as stream:
                    stream.write(reason + "\n")


def convert(base, name, kind, path, limits):
    source = os.path.join(base, f"{name}_float")
    if kind == "float":
        translate(os.path.join(source, "model.tflite"), path)
    else:
        quantize(os.path.join(source, "model.onnx"), path, limits)


def translate(tflite, path):
    """Operator by operator, with the image's channels first as ONNX networks have them."""
    import tf2onnx
    from ai_edge_litert.interpreter import Interpreter

    name = Interpreter(tflite).get_input_details()[0]["name"]
    tf2onnx.convert.from_tflite(
        tflite, opset=OPERATOR_SET, inputs_as_nchw=[name], output_path=path
    )


def quantize(source, path, limits):
    """By onnxruntime's tool: QDQ pattern, unsigned activations, signed weights per channel."""
    from onnxruntime import quantization
    from onnxruntime.quantization.shape_inference import quant_pre_process

    prepared = path + ".prepared"
    try:
        quant_pre_process(source, prepared, skip_symbolic_shape=True)
        quantization.quantize_static(
            prepared,
            path,
            Representative(prepared, limits),
            quant_format=quantization.QuantFormat.QDQ,
            per_channel=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
        )
    finally:
        if os.path.exists(prepared):
            os.remove(prepared)


class Representative:
    """The representative images, one after the other, as onnxruntime's tool reads them."""

    def __init__(self, path, limits):
        import onnxruntime

        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        self.name = session.get_inputs()[0].name
        self.rest = iter(
            images(networks.REPRESENTATIVE_IMAGES, networks.SEED + 1, *limits)
        )

    def get_next(self):
        image = next(self.rest, None)
        return None if image is None else {self.name: image[None].transpose(0, 3, 1, 2)}


def check(base, name, kind, path):
    """Compares the converted network's scores with those of the float original."""
    source = os.path.join(base, f"{name}_float")
    values = np.load(os.path.join(source, "input.npy"))
    original = scores("litert-reference", os.path.join(source, "model.tflite"), values)
    difference = np.abs(scores("onnxruntime", path, values) - original).max()
    if not difference <= TOLERANCES[kind]:
        raise ValueError(f"its scores differ by {difference:.3g} from the original's")


def scores(engine, model, values):
    runner = ENGINES[engine]()
    runner.load(model, 1)
    runner.prepare()
    runner.set_inputs(values)
    runner.invoke()
    return runner.output()

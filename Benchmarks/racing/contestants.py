# SPDX-License-Identifier: Apache-2.0
"""Who races on what: networks, contestants, and the command that measures one on the other."""

import dataclasses
import os
import sys

from racing import networks

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclasses.dataclass(frozen=True)
class Network:
    """A model, with one input and the same network for ONNX interpreters if there are such."""

    name: str
    model: str
    input: str | None = None
    onnx: str | None = None
    onnx_input: str | None = None


def existing(*parts):
    path = os.path.join(*parts)
    return path if os.path.exists(path) else None


def built(base):
    """The ten networks of a folder."""
    for folder in networks.folders(base):
        # ONNX networks take floats, also where their arithmetic is in integers.
        float_folder = folder.removesuffix("_int8").removesuffix("_float") + "_float"
        yield Network(
            os.path.basename(folder).replace("_", " "),
            os.path.join(folder, "model.tflite"),
            os.path.join(folder, "input.npy"),
            existing(folder, "model.onnx"),
            existing(float_folder, "input.npy"),
        )


def given(path):
    """A model by its path, with made-up inputs."""
    path = os.path.abspath(path)
    folder, name = os.path.split(path)
    return Network(os.path.basename(folder) if name == "model.tflite" else name, path)


@dataclasses.dataclass(frozen=True)
class Contestant:
    """An interpreter with its settings."""

    name: str
    engine: str
    kernels: str | None = None
    takes_onnx: bool = False
    most_threads: int = 2

    def enters(self, network, threads):
        return threads <= self.most_threads and (network.onnx or not self.takes_onnx)

    def command(self, martlet, network, threads, warmup, runs):
        """Measures once, in a process of its own, and prints JSON."""
        model = network.onnx if self.takes_onnx else network.model
        image = network.onnx_input if self.takes_onnx else network.input
        options = ["--threads", threads, "--warmup", warmup, "--runs", runs]
        options += ["--input", image] if image else []
        if self.kernels:
            own = [martlet, "bench", model, "--kernels", self.kernels, "--json"]
            return [str(word) for word in own + options]
        peer = [sys.executable, "-m", "racing.peer", self.engine, model]
        return [str(word) for word in peer + options]


OWN = Contestant("Martlet", "martlet", kernels="optimized")
RIVAL = Contestant("LiteRT, XNNPACK", "litert")
ALL = (
    OWN,
    RIVAL,
    Contestant("LiteRT, no delegates", "litert-builtin"),
    Contestant("Martlet, reference", "martlet-reference", kernels="reference", most_threads=1),
    Contestant("onnxruntime", "onnxruntime", takes_onnx=True),
    Contestant("tract", "tract", takes_onnx=True, most_threads=1),
)

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
    """A model by its path, or all of a folder and those below, with made-up inputs."""
    path = os.path.abspath(path)
    if os.path.isdir(path):
        for folder, _, names in sorted(os.walk(path)):
            for name in sorted(names):
                if name.endswith(".tflite"):
                    yield from given(os.path.join(folder, name))
        return
    folder, name = os.path.split(path)
    yield Network(os.path.basename(folder) if name == "model.tflite" else name, path)


@dataclasses.dataclass(frozen=True)
class Contestant:
    """An interpreter with its settings."""

    name: str
    engine: str
    kernels: str | None = None
    takes_onnx: bool = False
    most_threads: int | None = None
    #: The engine that stands in where this one refuses a network.
    fallback: str | None = None
    #: The instruction set that Martlet is limited to.
    level: str | None = None

    @property
    def can_be_held(self):
        """Whether racing/held.py can limit what it sees of the processor."""
        return not self.takes_onnx and self.level is None

    def enters(self, network, threads):
        fits = self.most_threads is None or threads <= self.most_threads
        return fits and (network.onnx or not self.takes_onnx)

    def environment(self):
        return os.environ | ({"MARTLET_ISA": self.level} if self.level else {})

    def stand_in(self):
        """The same contestant with the other engine; None where there is none."""
        if self.fallback is None:
            return None
        return dataclasses.replace(self, engine=self.fallback, fallback=None)

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
RIVAL = Contestant("LiteRT, XNNPACK", "litert", fallback="litert-builtin")
ALL = (
    OWN,
    RIVAL,
    Contestant("LiteRT, no delegates", "litert-builtin"),
    Contestant("Martlet, reference", "martlet-reference", kernels="reference", most_threads=1),
    Contestant("OpenVINO", "openvino"),
    Contestant("onnxruntime", "onnxruntime", takes_onnx=True),
    Contestant("tract", "tract", takes_onnx=True, most_threads=1),
    *(
        Contestant(f"Martlet, {level}", f"martlet-{level}", kernels="optimized", level=level)
        for level in ("portable", "baseline", "v3", "v3-vnni", "v4")
    ),
)
DEFAULTS = tuple(contestant for contestant in ALL if contestant.level is None)

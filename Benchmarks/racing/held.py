# SPDX-License-Identifier: Apache-2.0
"""Races of a lower level: everyone sees a processor with AVX2 and no more, or with AVX-VNNI as well,
or with SSE 4.2 and no more, on a machine that has more.

Martlet is limited by MARTLET_ISA. Libraries that ask the processor by CPUID are held by
held_processor.c, in the memory of the process that measures them. Finding their instructions takes
binutils' objdump some seconds, so it is done once for a race.
"""

import ctypes
import json
import os
import re
import subprocess
import sys
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
#: The variable that says where a race's preparations are.
VARIABLE = "RACING_HELD"
#: Martlet's variable, which names the level.
ISA = "MARTLET_ISA"
#: The packages of engines that can be held, and their libraries that choose by processor.
LIBRARIES = {
    "ai_edge_litert": ("libpywrap_litert_common.so",),
    "openvino": ("libopenvino.so", "libopenvino_intel_cpu_plugin.so"),
}
#: A line of objdump's with CPUID: its address, its bytes, its name.
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t0f a2 +\tcpuid *$", re.MULTILINE)
#: Two lines of objdump's about a segment with instructions: its place in the file and in memory.
SEGMENT = re.compile(r"LOAD off\s+0x(\w+) vaddr 0x(\w+).*\n.*flags r-x")
#: A line of /proc/self/maps about instructions of a file: its place in memory, in the file, its path.
MAPPING = re.compile(r"^([0-9a-f]+)-\S+ \S+x\S* ([0-9a-f]+) \S+ \S+ +(/.*)$", re.MULTILINE)


class Level(NamedTuple):
    """What a processor of a level has."""

    features: str
    has_avx: bool
    has_avx_vnni: bool
    #: oneDNN, which OpenVINO computes with, asks the processor before it can be held.
    onednn: str


#: Levels, as MARTLET_ISA names them.
LEVELS = {
    "baseline": Level("SSE 4.2", False, False, "SSE41"),
    "v3": Level("AVX2", True, False, "AVX2"),
    "v3-vnni": Level("AVX2 and AVX-VNNI", True, True, "AVX2_VNNI"),
}


def disassembled(option, path):
    return subprocess.run(
        ["objdump", option, path], capture_output=True, text=True, check=True
    ).stdout


def instructions(path):
    """Where a library's file has CPUID instructions."""
    segments = SEGMENT.findall(disassembled("--private-headers", path))
    if len(segments) != 1:
        raise ValueError(f"{path}: {len(segments)} segments with instructions, wanted 1")
    offset, address = (int(word, 16) for word in segments[0])
    text = disassembled("--disassemble", path)
    return [int(found, 16) - address + offset for found in INSTRUCTION.findall(text)]


def libraries():
    """The libraries of all packages that are installed."""
    for package, names in LIBRARIES.items():
        for place in sys.path:
            for folder, _, files in os.walk(os.path.join(place, package)):
                for name in files:
                    if name.startswith(names):
                        yield os.path.realpath(os.path.join(folder, name))


def prepare(folder, level):
    """Makes what `Hold` needs, and has this process and those that it starts limited to a level."""
    source, library = (os.path.join(p, "held_processor") for p in (HERE, folder))
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", "-o", library + ".so", source + ".c"], check=True
    )
    with open(os.path.join(folder, "instructions.json"), "w") as stream:
        json.dump({path: instructions(path) for path in libraries()}, stream)
    os.environ.update(
        {ISA: level, VARIABLE: folder, "ONEDNN_MAX_CPU_ISA": LEVELS[level].onednn}
    )


def level():
    """The level that everyone is held to; None in other races."""
    return LEVELS[os.environ[ISA]] if VARIABLE in os.environ else None


class Hold:
    """Holds those libraries that this process has loaded by now; does nothing in other races."""

    def __init__(self):
        self.holder = None
        folder = os.environ.get(VARIABLE)
        if folder is None:
            return
        self.holder = ctypes.CDLL(os.path.join(folder, "held_processor.so"))
        self.holder.replace_instruction.argtypes = [ctypes.c_void_p]
        self.holder.answer_count.restype = ctypes.c_long
        self.holder.keep_features(level().has_avx, level().has_avx_vnni)
        with open(os.path.join(folder, "instructions.json")) as stream:
            found = json.load(stream)
        with open("/proc/self/maps") as stream:
            mappings = MAPPING.findall(stream.read())
        for start, offset, path in mappings:
            for place in found.get(path, []):
                address = int(start, 16) - int(offset, 16) + place
                if not self.holder.replace_instruction(address):
                    raise OSError(f"{path}: CPUID at {place:#x} was not replaced")

    def check(self):
        """Raises an error if no library has asked the processor since it was held."""
        if self.holder and self.holder.answer_count() == 0:
            raise RuntimeError("not held to a level: no library asked the processor")

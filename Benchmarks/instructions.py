#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the instructions of starts: loading, preparing and the first inference, with one thread.

    python3 Benchmarks/instructions.py .build/release/martlet MODEL_OR_FOLDER... [--no-litert]

Counts do not depend on how busy a machine is. `valgrind --tool=callgrind` (Debian package valgrind)
counts what loads, prepares and invokes, of Martlet by the names of these functions, of LiteRT from
Python. Valgrind has no AVX-512, so that both use AVX2 at most.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from racing.report import table

LITERT = """
import ctypes, sys
from ai_edge_litert.interpreter import Interpreter
counting = ctypes.CDLL(sys.argv[1])
counting.start_counting()
interpreter = Interpreter(sys.argv[2], num_threads=1)
interpreter.allocate_tensors()
interpreter.invoke()
counting.stop_counting()
"""


# What makes up a start of Martlet, by the compiler's names, which end as functions do that may throw.
FUNCTIONS = re.compile(
    r"\$s7Martlet(5ModelC4path7loading6limits.*KcfC|11InterpreterC_9signature7options.*KcfC"
    r"|11InterpreterC(7prepare|6invoke)yyAA14InferenceErrorVYKF)"
)


def functions(program):
    """The names of Martlet's functions that are counted."""
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True)
    names = (line.split()[-1] for line in listed.stdout.splitlines())
    return [name for name in names if FUNCTIONS.fullmatch(name)]


def count(command, options):
    """The instructions that are counted of a process; None if it fails."""
    words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *options, *command]
    done = subprocess.run(words, capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return int(found[1]) if found and done.returncode == 0 else None


def own_count(martlet, path):
    """What Martlet executes for a start."""
    words = [martlet, "bench", path, "--runs", "1", "--warmup", "0", "--threads", "1"]
    options = [f"--toggle-collect={name}" for name in functions(martlet)]
    return count([*words, "--fill", "zeros"], options)


def litert_count(library, path):
    """What LiteRT executes for a start."""
    words = [sys.executable, "-c", LITERT, library, path]
    return count(words, ["--instr-atstart=no"])


def models(paths):
    """The files, and those of networks in folders."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, _, names in sorted(os.walk(path)):
            yield from (os.path.join(folder, name) for name in names if name.endswith(".tflite"))


def name(path):
    stem = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(os.path.abspath(path))) if stem == "model" else stem


def row(path, martlet, library):
    """A network's counts, in millions, and their ratio."""
    counts = own_count(martlet, path), library and litert_count(library, path)
    ratio = f"{counts[0] / counts[1]:.2f}" if all(counts) else "-"
    return [name(path), *(f"{count / 1e6:.1f}" if count else "-" for count in counts), ratio]


def counting_library(folder):
    """What switches callgrind on and off, compiled."""
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "racing", "counted.c")
    library = os.path.join(folder, "counted.so")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    return library


def main():
    parser = argparse.ArgumentParser(description="Counts the instructions of starts.")
    parser.add_argument("martlet")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--no-litert", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind cannot read debug information of the Swift compiler.
        martlet = os.path.join(folder, "martlet")
        subprocess.run(["strip", "-g", "-o", martlet, options.martlet], check=True)
        if not functions(martlet):
            sys.exit("instructions.py: no functions of Martlet in the program")
        library = None if options.no_litert else counting_library(folder)
        rows = [row(path, martlet, library) for path in models(options.models)]
    print(table(["network", "Martlet, million", "LiteRT, million", "ratio"], rows))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races `martlet bench` against LiteRT with its default (XNNPACK) kernels.

    python3 -m pip install -r requirements.txt
    swift build -c release --product martlet
    python3 race.py .build/release/martlet MODEL... [--threads N] [--rounds R] [--runs N] [--json]

Each round times every model with both engines, each in a fresh process, one after the other and
with the order swapped from round to round, so that a machine that slows down hurts both alike.
A process warms up, then times single inferences and gives their median; the table shows the
median over the rounds and the median of the rounds' ratios (below 1: Martlet is faster).

Peak memory is what running the model adds. Martlet: the peak resident size that `bench` reports
less that of `martlet --version`. LiteRT: the peak above the resident size after Python's imports.
Exit code 1 if an engine failed on a model.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time


def status(pid, field):
    """A size from /proc/PID/status, in bytes."""
    with open(f"/proc/{pid}/status") as lines:
        for line in lines:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    return 0


def resting_size(command):
    """The peak resident size of a short command, read while it waits to print.

    Its standard output is a pipe that is already full, so that it stops at its first line. The
    exit status's figure would not do: it counts the memory of the process that started it.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, bytes(4096))
    except BlockingIOError:
        os.set_blocking(writer, True)
    child = subprocess.Popen(command, stdout=writer)
    os.close(writer)
    peak, seen = 0, -1
    while child.poll() is None and peak != seen:
        seen = peak
        time.sleep(0.2)
        peak = max(peak, status(child.pid, "VmHWM"))
    with os.fdopen(reader, "rb") as stream:
        stream.read()
    child.wait()
    return peak


def fill(detail):
    """Input values: noise, but zeros where integers are likely to be indices."""
    import numpy as np

    shape, kind = detail["shape"], detail["dtype"]
    random = np.random.default_rng(0)
    if np.issubdtype(kind, np.floating):
        return (2 * random.random(shape, np.float32) - 1).astype(kind, copy=False)
    if kind in (np.int8, np.uint8, np.int16):
        limits = np.iinfo(kind)
        return random.integers(limits.min, limits.max, shape, kind, endpoint=True)
    return np.zeros(shape, kind)


def time_litert(model, threads, warmup, runs):
    """Times one model in this process; prints the same fields as `martlet bench --json`."""
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter

    np.random.default_rng(0)  # loads what `fill` needs before memory is measured
    try:
        with open("/proc/self/clear_refs", "w") as stream:
            stream.write("5")
    except OSError:
        pass
    before = status("self", "VmHWM")
    interpreter = Interpreter(model_path=model, num_threads=threads)
    interpreter.allocate_tensors()
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], fill(detail))
    for _ in range(warmup):
        interpreter.invoke()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        interpreter.invoke()
        times.append(1000 * (time.perf_counter() - start))
    memory = status("self", "VmHWM") - before
    print(json.dumps({"median_ms": statistics.median(times), "peak_rss_bytes": memory}))


def measure(command):
    """The JSON that a process prints, or a RuntimeError with its last words."""
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        words = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise RuntimeError(words[-1])
    return json.loads(done.stdout)


def commands(options, model):
    counts = ["--threads", str(options.threads), "--warmup", str(options.warmup)]
    counts += ["--runs", str(options.runs)]
    return {
        "martlet": [options.martlet, "bench", model, *counts, "--json"],
        "litert": [sys.executable, os.path.abspath(__file__), "--litert", model, *counts],
    }


def race(options):
    """For each model a dictionary of figures, or of the reason for there being none."""
    empty = resting_size([options.martlet, "--version"])
    found = {model: {"martlet": [], "litert": []} for model in options.models}
    failures = {}
    for number in range(options.rounds):
        for model in options.models:
            engines = list(commands(options, model).items())
            for engine, command in engines if number % 2 == 0 else reversed(engines):
                if model in failures:
                    continue
                try:
                    found[model][engine].append(measure(command))
                except (RuntimeError, ValueError, OSError) as error:
                    failures[model] = f"{engine}: {error}"
    for model, sides in found.items():
        if model in failures:
            yield {"model": model, "failure": failures[model]}
            continue
        own, peer = ([r["median_ms"] for r in sides[e]] for e in ("martlet", "litert"))
        memory = [statistics.median(r["peak_rss_bytes"] for r in s) for s in sides.values()]
        yield {
            "model": model,
            "martlet_ms": statistics.median(own),
            "litert_ms": statistics.median(peer),
            "ratio": statistics.median(a / b for a, b in zip(own, peer)),
            "martlet_bytes": memory[0] - empty,
            "litert_bytes": memory[1],
            "memory_ratio": (memory[0] - empty) / max(memory[1], 1),
        }


def table(rows):
    width = max(len(name_of(row["model"])) for row in rows)
    print(f"{'model':<{width}} martlet ms  LiteRT ms  ratio  martlet MB  LiteRT MB  ratio")
    for row in rows:
        name = f"{name_of(row['model']):<{width}}"
        if "failure" in row:
            print(f"{name} {row['failure']}")
            continue
        print(
            f"{name} {row['martlet_ms']:10.3f} {row['litert_ms']:10.3f} {row['ratio']:6.2f} "
            f"{row['martlet_bytes'] / 1e6:11.2f} {row['litert_bytes'] / 1e6:10.2f} "
            f"{row['memory_ratio']:6.2f}"
        )


def name_of(path):
    """The file's name, or its folder's where every file is called model.tflite."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.basename(folder) if name == "model.tflite" else name


def main():
    parser = argparse.ArgumentParser(description="Races martlet against LiteRT.")
    parser.add_argument("martlet", nargs="?", help="the martlet binary")
    parser.add_argument("models", nargs="*", metavar="MODEL")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--json", action="store_true", help="print figures as JSON")
    parser.add_argument("--litert", metavar="MODEL", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.litert:
        return time_litert(options.litert, options.threads, options.warmup, options.runs)
    if not options.models:
        parser.error("the martlet binary and at least one model are needed")
    rows = list(race(options))
    if options.json:
        print(json.dumps({"schema": "martlet/race/1", "threads": options.threads, "models": rows}))
    else:
        table(rows)
    sys.exit(1 if any("failure" in row for row in rows) else 0)


if __name__ == "__main__":
    main()

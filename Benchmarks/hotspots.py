#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows where Martlet's time goes in a model: its nodes, slowest first, with their rates.

    python3 Benchmarks/hotspots.py .build/release/martlet MODEL... [--threads N] [--top N]

The rate is in giga multiply-adds per second; KernelBenchmark tells what the machine can do. Nodes
without multiply-adds have the rate of the numbers that they write, in giga per second. A node's
time is that of its fastest evaluation, so that other processes hardly count.
"""

import argparse
import json
import math
import os
import subprocess


def martlet(binary, *words):
    done = subprocess.run(
        [binary, *words, "--json"], capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def nodes(options, model):
    """Dictionaries of the main graph's nodes: operator, kernel, shapes, ms, multiply-adds."""
    picture = os.path.join(os.path.dirname(os.path.abspath(model)), "input.npy")
    given = ["--input", picture] if os.path.exists(picture) else []
    counts = ["--runs", str(options.runs), "--threads", str(options.threads)]
    measured = martlet(options.martlet, "bench", model, "--profile", *counts, *given)
    graph = martlet(options.martlet, "inspect", model, "--tensors")["subgraphs"][0]
    shapes = [tensor["shape"] for tensor in graph["tensors"]]
    for entry in measured["profile"]:
        if entry["subgraph"] != 0:
            continue
        node = graph["nodes"][entry["node"]]
        operands = [shapes[tensor] for tensor in node["inputs"][:2] if tensor >= 0]
        yield {
            "node": entry["node"],
            "operator": entry["operator"],
            "kernel": entry.get("kernel") or "reference",
            "ms": entry["min_ms"],
            "macs": node.get("macs") or 0,
            "inputs": operands,
            "output": shapes[node["outputs"][0]],
        }


def text(shape):
    return "×".join(str(dimension) for dimension in shape) or "scalar"


def rate(node):
    work = node["macs"] or math.prod(node["output"])
    return f"{work / max(node['ms'], 1e-6) / 1e6:8.1f} {'MAC' if node['macs'] else 'out'}"


def show(options, model):
    found = list(nodes(options, model))
    total = sum(node["ms"] for node in found)
    print(f"{model}: {total:.3f} ms in {len(found)} nodes, {options.threads} thread(s)")
    operators = {}
    for node in found:
        key = (node["operator"], node["kernel"])
        count, ms, macs = operators.get(key, (0, 0, 0))
        operators[key] = (count + 1, ms + node["ms"], macs + node["macs"])
    ranked = sorted(operators.items(), key=lambda item: -item[1][1])
    for (operator, kernel), (count, ms, macs) in ranked:
        speed = f"{macs / ms / 1e6:8.1f} GMAC/s" if macs and ms else ""
        print(f"  {ms:8.3f} ms {100 * ms / total:5.1f} %  {count:3d} {operator} {kernel} {speed}")
    for node in sorted(found, key=lambda node: -node["ms"])[: options.top]:
        shapes = ", ".join(text(shape) for shape in node["inputs"])
        print(
            f"    node {node['node']:3d} {node['ms']:8.3f} ms {rate(node)}  {node['operator']} "
            f"{node['kernel']}  {shapes} → {text(node['output'])}"
        )


def main():
    parser = argparse.ArgumentParser(description="Shows where Martlet's time goes in a model.")
    parser.add_argument("martlet")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--top", type=int, default=12)
    options = parser.parse_args()
    for model in options.models:
        show(options, model)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows where Martlet's time goes in several models: operators and nodes, slowest first.

    python3 Benchmarks/hotspots.py .build/release/martlet MODEL... [--threads N] [--top N]

It prints what `martlet bench --profile` measures, but a node's time is that of its fastest run,
so that other processes hardly count; Docs/Profiling.md explains the columns.
"""

import argparse
import json
import os
import subprocess


def measure(options, model):
    """The document of `martlet bench`."""
    words = [options.martlet, "bench", model, "--profile", "--json"]
    words += ["--runs", str(options.runs), "--threads", str(options.threads)]
    image = os.path.join(os.path.dirname(os.path.abspath(model)), "input.npy")
    if os.path.exists(image):
        words += ["--input", image]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def work(node, runs):
    """Multiply-adds, moved bytes and least milliseconds of a node in a run."""
    times = node["evaluations"] / runs
    keys = ("bytes_read", "bytes_constant", "bytes_written")
    return (
        times * node.get("macs", 0),
        times * sum(node.get(key, 0) for key in keys),
        node.get("limit_percent", 0) * node["own_ms"] / 100,
    )


def rates(ms, macs, moved, least):
    """Giga multiply-adds and bytes per second, and percent of the machine's limit."""
    ms = max(ms, 1e-6)
    products = f"{macs / ms / 1e6:7.1f} GMAC/s" if macs else " " * 14
    return f"{products} {moved / ms / 1e6:7.1f} GB/s {100 * least / ms:4.0f} %"


def show(options, model):
    measured = measure(options, model)
    nodes, runs = measured["profile"], measured["profile_runs"]
    total = sum(node["own_min_ms"] for node in nodes) or 1e-6
    print(f"{model}: {total:.3f} ms in {len(nodes)} nodes, {options.threads} thread(s)")
    operators = {}
    for node in nodes:
        key = (node["operator"], node.get("kernel", "-"))
        sums = operators.setdefault(key, [0, 0, 0, 0, 0])
        for place, value in enumerate((1, node["own_min_ms"], *work(node, runs))):
            sums[place] += value
    for (operator, kernel), (count, ms, *sums) in sorted(
        operators.items(), key=lambda item: -item[1][1]
    ):
        share = f"{ms:8.3f} ms {100 * ms / total:5.1f} %"
        print(f"  {share}  {count:3d} {rates(ms, *sums)}  {operator} {kernel}")
    for node in sorted(nodes, key=lambda node: -node["own_min_ms"])[: options.top]:
        ms = node["own_min_ms"]
        shapes = ", ".join(text or "-" for text in node["inputs"][:2])
        place = f"node {node['subgraph']}:{node['node']:<3d}"
        print(
            f"    {place} {ms:8.3f} ms {rates(ms, *work(node, runs))}  {node['operator']} "
            f"{node.get('kernel', '-')}  {shapes} → {', '.join(node['outputs'][:1])}"
        )


def main():
    parser = argparse.ArgumentParser(description="Shows where Martlet's time goes in models.")
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

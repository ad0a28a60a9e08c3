#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Races Martlet against LiteRT, OpenVINO, onnxruntime and tract.

    python3 -m pip install -r Benchmarks/requirements.txt
    swift build -c release --product martlet
    swift build -c release --product KernelBenchmark
    python3 Benchmarks/race.py .build/release/martlet --kernels .build/release/KernelBenchmark

builds the ten networks (five Keras applications, in float32 and int8), compares Martlet's tensors
with those of LiteRT's reference kernels, races everyone on them with 1 and 2 threads, and writes
Benchmarks/Results/<date>-<instruction set>.md. With models or folders of models as arguments, it
races on those instead, and lists them by their ratio to LiteRT, the worst first:

    python3 Benchmarks/race.py .build/release/martlet --rounds 2 --seconds 0.3 FOLDER --output FILE

With --held, everyone sees a processor of a lower level (see racing/held.py).

Exit code 1 if Martlet or LiteRT's default kernels failed on a model.

Memory and times are taken inside each process: see racing/peer.py and `martlet bench`.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from racing import agreement, contestants, held, machine, networks, onnx_networks, report, survey
from racing.contest import Contest

#: Who races on models that are given.
SURVEYED = (contestants.OWN, contestants.RIVAL)
HERE = os.path.dirname(os.path.abspath(__file__))


def arguments():
    parser = argparse.ArgumentParser(description="Races martlet against other interpreters.")
    parser.add_argument("martlet", help="the martlet binary, built for release")
    parser.add_argument("models", nargs="*", metavar="MODEL",
                        help="models, or folders of them, instead of the ten networks")
    parser.add_argument("--networks", default=os.path.join(HERE, "Networks"), metavar="FOLDER",
                        help="where the ten networks are, or are built")
    parser.add_argument("--only", metavar="PART", help="networks whose name has this part")
    parser.add_argument("--against", metavar="NAME", nargs="*",
                        help="only these engines: " + ", ".join(c.engine for c in contestants.ALL))
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0,
                        help="how long each measurement of a round takes, about")
    parser.add_argument("--starts", type=int, metavar="N",
                        help="how many starts are raced: 0 for none, as for single operators; by "
                        "default as many as rounds, or a few more")
    parser.add_argument("--best", action="store_true",
                        help="each measurement's fastest inference, not its median: on a machine "
                        "that others use")
    parser.add_argument("--held", choices=held.LEVELS, metavar="LEVEL",
                        help="Martlet, LiteRT and OpenVINO see a processor of this level and no "
                        "more: " + ", ".join(held.LEVELS))
    parser.add_argument("--kernels", metavar="BINARY", help="KernelBenchmark, to be run as well")
    parser.add_argument("--no-check", action="store_true", help="race without comparing tensors")
    parser.add_argument("--output", metavar="FILE", help="where the Markdown goes; - prints it")
    parser.add_argument("--json", metavar="FILE", help="store all measurements here")
    return parser.parse_args()


def rivals(options):
    """The contestants of this race."""
    if options.against is None:
        entered = SURVEYED if options.models else contestants.DEFAULTS
    else:
        names = {contestants.OWN.engine, *options.against}
        entered = [c for c in contestants.ALL if c.engine in names]
    return [c for c in entered if c.can_be_held or not options.held]


def racers(options):
    """The networks of this race, built if need be."""
    if options.models:
        found = [network for path in options.models for network in contestants.given(path)]
        return [n for n in found if options.only is None or options.only in n.name]
    base = os.path.abspath(options.networks)
    networks.build(base)
    if any(rival.takes_onnx for rival in rivals(options)):
        onnx_networks.build(base)
    found = list(contestants.built(base))
    return [n for n in found if options.only is None or options.only in n.name]


def compared(options, entered):
    """What comparing every network's tensors says; nothing for models without an input."""
    if options.no_check:
        return {}
    return {
        network.name: agreement.agreement(options.martlet, network.model, network.input)
        for network in entered
        if network.input
    }


def kernel_rates(binary):
    if binary is None:
        return ""
    return subprocess.run([binary], capture_output=True, text=True, check=True).stdout


def store(text, options, date):
    """Writes the document where it is wanted: by default under today's date."""
    target = options.output
    if target is None:
        name = f"{date}-{machine.instruction_set()}.md"
        target = "-" if options.models else os.path.join(HERE, "Results", name)
    if target == "-":
        print(text, end="")
        return
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    with open(target, "w") as stream:
        stream.write(text)
    print(target)


def race(options):
    """Races, stores the results, and ends with the exit code."""
    date = datetime.date.today().isoformat()
    facts = machine.facts(options.martlet)
    entered = racers(options)
    agreements = compared(options, entered)
    contest = Contest(
        options.martlet, entered, rivals(options), options.threads, options.seconds,
        options.rounds, options.starts)
    results = contest.run()
    rates = kernel_rates(options.kernels)
    if options.models:
        text = survey.markdown(results, entered, options, facts, contest.starts, date)
    else:
        text = report.markdown(results, entered, options, facts, agreements, rates, date)
    store(text, options, date)
    if options.json:
        with open(options.json, "w") as stream:
            json.dump(report.document(results, entered, options.threads), stream)
    leading = (contestants.OWN, contestants.RIVAL)
    sys.exit(1 if any(entry[2] in leading for entry in results.failures) else 0)


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        if options.held:
            held.prepare(folder, options.held)
        race(options)


if __name__ == "__main__":
    main()

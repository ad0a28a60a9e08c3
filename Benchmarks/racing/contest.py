# SPDX-License-Identifier: Apache-2.0
"""The race itself: rounds in which everyone is measured in turn.

Every measurement is a process of its own, so that each also tells how long the first inference
takes and how much memory it all needs. One follows on the other, round by round, in an order that
changes, so that a machine that slows down for a while slows everyone.

Starts are raced afterwards, by Martlet and its rival alone and right after each other: the memory of
a virtual machine that nobody touched for half a minute may have gone back to its host, and whoever
starts next then pays for having it back.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

from racing.contestants import HERE, OWN, RIVAL

LIMIT_SECONDS = 600
LEAST_STARTS = 7
#: Inferences of a measurement, at most: those of the smallest networks take a microsecond.
MOST_RUNS = 20_000


class Results:
    """What was measured: a list of one dictionary per round for each entry, and one per start."""

    def __init__(self):
        self.rounds = {}
        self.starts = {}
        self.failures = {}
        #: What runs instead of a contestant that has refused a network.
        self.fallbacks = {}
        self.process_ms = {}


class Figures:
    """One figure of everyone: the name of a field, or a function of the dictionary."""

    def __init__(self, measured, value):
        self.measured = measured
        self.value = value

    def values(self, entry):
        """The figure every time it was measured."""
        found = self.measured.get(entry, [])
        return [self.value(m) if callable(self.value) else m[self.value] for m in found]

    def median(self, entry):
        values = self.values(entry)
        return statistics.median(values) if values else None

    def ratios(self, entry, other):
        """This entry's figure to another's, turn by turn; below 1, this one is better."""
        pairs = zip(self.values(entry), self.values(other))
        return [a / b for a, b in pairs if b > 0]


def cold_ms(measured):
    """Loading, preparing and the first inference."""
    return measured["load_ms"] + measured["prepare_ms"] + measured["first_ms"]


def memory_bytes(measured):
    """What the model took at most, above what the process had before loading it."""
    return max(measured["peak_rss_bytes"] - measured["initial_rss_bytes"], 0)


def last_words(text):
    """The line that says what went wrong: Martlet's error, the end of an exception."""
    lines = text.strip().splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    return (errors or lines or [""])[-1]


def measure(command, environment):
    """The JSON that a process prints, or a RuntimeError with its last words."""
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=HERE, timeout=LIMIT_SECONDS, env=environment
    )
    if done.returncode:
        raise RuntimeError(last_words(done.stderr) or f"exit code {done.returncode}")
    return json.loads(done.stdout)


class Contest:
    """Entries are (network, threads, contestant)."""

    def __init__(self, martlet, networks, contestants, threads, seconds, rounds, starts=None):
        self.martlet = os.path.abspath(martlet)
        self.seconds = seconds
        self.rounds = rounds
        self.starts = max(rounds, LEAST_STARTS) if starts is None else starts
        self.networks = networks
        self.heats = [
            [(n, t, c) for c in contestants if c.enters(n, t)] for n in networks for t in threads
        ]
        self.counts = {}
        self.results = Results()

    def run(self):
        """Finds out how many inferences fit into the time, then measures that many."""
        for heat in self.heats:
            for entry in heat:
                self.scout(entry)
        for number in range(self.rounds):
            print(f"round {number + 1} of {self.rounds}", file=sys.stderr, flush=True)
            for network in self.networks:
                self.start_process(network)
            for heat in self.heats:
                turn = number // 2 % max(len(heat), 1)
                order = heat[turn:] + heat[:turn]
                for entry in order if number % 2 == 0 else reversed(order):
                    self.enter(entry)
        for heat in self.heats:
            self.start([entry for entry in heat if entry[2] in (OWN, RIVAL)])
        return self.results

    def scout(self, entry):
        """One short measurement that counts for nothing; it also brings files into memory."""
        measured = self.attempt(entry, 0, 1)
        stand_in = entry[2].stand_in()
        if measured is None and stand_in:
            reason = self.results.failures.pop(entry)
            self.results.fallbacks[entry] = stand_in
            measured = self.attempt(entry, 0, 1)
            if measured is None:
                del self.results.fallbacks[entry]
                self.results.failures[entry] = reason
        if measured:
            median = max(measured["median_ms"], 1e-3)
            runs = round(min(max(1000 * self.seconds / median, 3), MOST_RUNS))
            self.counts[entry] = (min(max(runs // 10, 1), 10), runs)

    def start(self, heat):
        """Measures loading, preparing and the first inference alone."""
        for number in range(self.starts):
            for entry in heat if number % 2 == 0 else reversed(heat):
                measured = self.attempt(entry, 0, 1) if entry in self.counts else None
                if measured:
                    self.results.starts.setdefault(entry, []).append(measured)

    def enter(self, entry):
        if entry in self.counts:
            measured = self.attempt(entry, *self.counts[entry])
            if measured:
                self.results.rounds.setdefault(entry, []).append(measured)

    def attempt(self, entry, warmup, runs):
        network, threads, contestant = entry
        who = self.results.fallbacks.get(entry, contestant)
        try:
            command = who.command(self.martlet, network, threads, warmup, runs)
            return measure(command, who.environment())
        except (RuntimeError, ValueError, OSError, subprocess.TimeoutExpired) as error:
            # Where the file lies says nothing to those who read the results.
            self.results.failures[entry] = str(error).replace(network.model, network.name)[:160]
            self.results.rounds.pop(entry, None)
            self.results.starts.pop(entry, None)
            self.counts.pop(entry, None)
            return None

    def start_process(self, network):
        """From the start of `martlet run` until its output is stored and it has ended."""
        with tempfile.TemporaryDirectory() as folder:
            source = ["--input", network.input] if network.input else ["--fill", "random"]
            command = [self.martlet, "run", network.model, *source, "--output-dir", folder]
            with open(os.devnull, "w") as null:
                start = time.perf_counter()
                child = os.posix_spawn(
                    self.martlet,
                    command,
                    os.environ,
                    file_actions=[(os.POSIX_SPAWN_DUP2, null.fileno(), to) for to in (1, 2)],
                )
                _, status = os.waitpid(child, 0)
                elapsed = 1000 * (time.perf_counter() - start)
        if status == 0:
            self.results.process_ms.setdefault(network, []).append(elapsed)

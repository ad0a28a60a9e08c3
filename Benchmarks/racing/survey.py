# SPDX-License-Identifier: Apache-2.0
"""A race on any number of networks: how Martlet does on each, the worst first, and on all."""

import textwrap

from racing.contest import Figures, cold_ms, memory_bytes
from racing.contestants import OWN, RIVAL
from racing.report import failures, geometric_mean, table, thread_label

NOTE = """
Every ratio is Martlet's figure divided by LiteRT's: below 1, Martlet is better. *Fastest* compares
the fastest inference of all {rounds} rounds, *median* the medians of the rounds' medians.{starts}
Memory is the peak above the process's state before loading. LiteRT runs with its default kernels
(XNNPACK), or without delegates where those refuse a network, which is marked with an asterisk.
"""
STARTS = " A start is loading, preparing and the first inference, the fastest of {starts}."
SUMMED = ("fastest", "median", "start", "memory")


def note(rounds, starts):
    """What the figures are."""
    told = STARTS.format(starts=starts) if starts else ""
    return textwrap.fill(NOTE.format(rounds=rounds, starts=told).strip(), width=100)


def significant(milliseconds):
    """Three digits, for times that are microseconds or seconds."""
    return f"{float(f'{milliseconds:.3g}'):.10f}".rstrip("0").rstrip(".")


def fastest(results, entry):
    values = Figures(results.rounds, "min_ms").values(entry)
    return min(values) if values else None


def ratios(results, network, threads, rival=RIVAL):
    """What is compared with a rival, by name; None where one of the two has no such figure."""
    own, other = (network, threads, OWN), (network, threads, rival)

    def quotient(value):
        mine, theirs = value(own), value(other)
        return mine / theirs if mine is not None and theirs else None

    def least(figures):
        return lambda entry: min(figures.values(entry), default=None)

    return {
        "fastest": quotient(lambda entry: fastest(results, entry)),
        "median": quotient(Figures(results.rounds, "median_ms").median),
        "start": quotient(least(Figures(results.starts, cold_ms))),
        "memory": quotient(Figures(results.rounds, memory_bytes).median),
    }


def share(values):
    """How many of 100 are at most 1."""
    return f"{100 * sum(value <= 1 for value in values) / len(values):.0f} %"


def summary(compared):
    """Means and shares over all networks."""
    rows = []
    for name in SUMMED:
        values = [one[name] for one in compared if one[name] is not None]
        if values:
            worst = f"{max(values):.2f}"
            rows.append([name, f"**{geometric_mean(values):.2f}**", share(values), worst,
                         str(sum(value > 1.1 for value in values)), str(len(values))])
    return table(["ratio", "geometric mean", "at most 1.0", "worst", "above 1.1", "networks"], rows)


def others(results, networks, threads):
    """Who else raced, and Martlet's ratio to each: geometric mean of the fastest."""
    rivals = {entry[2] for entry in results.rounds if entry[1] == threads} - {OWN, RIVAL}
    lines = []
    for rival in sorted(rivals, key=lambda contestant: contestant.name):
        values = [ratios(results, network, threads, rival)["fastest"] for network in networks]
        values = [value for value in values if value is not None]
        if values:
            lines.append(
                f"- {rival.name}: **{geometric_mean(values):.2f}** on {len(values)} networks, "
                f"{share(values)} at most 1.0, worst {max(values):.2f}")
    return lines


def networks_table(results, networks, threads):
    """All networks, the worst first."""
    rows = []
    for network in networks:
        compared = ratios(results, network, threads)
        if compared["fastest"] is None:
            continue
        times = [fastest(results, (network, threads, who)) for who in (OWN, RIVAL)]
        mark = " *" if (network, threads, RIVAL) in results.fallbacks else ""
        cells = ["–" if compared[n] is None else f"{compared[n]:.2f}" for n in SUMMED]
        rows.append((compared["fastest"], [network.name + mark, *map(significant, times), *cells]))
    rows.sort(key=lambda row: -row[0])
    head = ["network", "Martlet, ms", "LiteRT, ms", *SUMMED]
    return table(head, [row for _, row in rows])


def markdown(results, networks, options, facts, starts, date):
    """The whole document."""
    known = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    parts = [f"# Survey of {date}", known]
    parts.append(note(options.rounds, starts))
    for threads in options.threads:
        compared = [ratios(results, network, threads) for network in networks]
        compared = [one for one in compared if one["fastest"] is not None]
        if not compared:
            continue
        parts += [f"## {thread_label(threads).capitalize()}", summary(compared)]
        lines = others(results, networks, threads)
        if lines:
            parts += ["Against others:", "\n".join(lines)]
        parts.append(networks_table(results, networks, threads))
    lines = list(failures(results))
    if lines:
        parts += ["## Did not finish", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"

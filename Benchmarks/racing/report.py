# SPDX-License-Identifier: Apache-2.0
"""The results as Markdown, and as JSON."""

import statistics

from racing.contest import Figures, cold_ms, memory_bytes
from racing.contestants import ALL, OWN, RIVAL

NOTES = """\
Every figure is a median over {rounds} rounds; each round measures everyone in turn, each in a
process of its own that {statistic}. A ratio is the median of the
rounds' ratios of Martlet's figure to that of LiteRT with XNNPACK, and in brackets the smallest and
the largest: below 1, Martlet is better.
Starts are raced after the rounds, by Martlet and LiteRT right after each other.
Ratios of one run count, not times: the machine may be shared. onnxruntime and tract run the same
float networks, translated from the TensorFlow Lite files; onnxruntime's int8 networks are
quantized by its own tool.
"""

STATISTICS = {
    "median_ms": "takes the median of its inferences",
    "min_ms": "takes the fastest of its inferences",
}


def number(value, digits=3):
    """Three digits or so, without an exponent."""
    if value is None:
        return "–"
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:.{max(0, digits - len(str(int(value))))}f}"


def spread(ratios):
    if not ratios:
        return "–"
    return f"**{statistics.median(ratios):.2f}** ({min(ratios):.2f}–{max(ratios):.2f})"


def table(head, rows):
    """A Markdown table with numbers on the right."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def thread_label(count):
    return "1 thread" if count == 1 else f"{count} threads"


def geometric_mean(values):
    return statistics.geometric_mean(values) if values else None


def time_table(results, networks, threads, field):
    """Milliseconds per inference of everyone, and the ratio to the rival."""
    entered = [
        c for c in ALL if any((n, threads, c) in results.rounds for n in networks)
    ]
    rows, medians = [], []
    times = Figures(results.rounds, field)
    for network in networks:
        own, rival = (network, threads, OWN), (network, threads, RIVAL)
        ratios = times.ratios(own, rival)
        medians += [statistics.median(ratios)] if ratios else []
        cells = [number(times.median((network, threads, c))) for c in entered]
        rows.append([network.name, *cells, spread(ratios)])
    mean = geometric_mean(medians)
    rows.append(["geometric mean", *[""] * len(entered), f"**{mean:.2f}**" if mean else "–"])
    return table(["network", *[c.name for c in entered], "ratio to XNNPACK"], rows)


def start_table(results, networks, threads):
    """From loading to the first inference, memory, and the whole process."""
    head = ["network", "Martlet, ms", "LiteRT, ms", "ratio"]
    head += ["Martlet, MB", "LiteRT, MB", "ratio", "`martlet run`, ms"]
    rows = []
    for network in networks:
        own, rival = (network, threads, OWN), (network, threads, RIVAL)
        row = [network.name]
        starts, memory = Figures(results.starts, cold_ms), Figures(results.rounds, memory_bytes)
        for figures, unit in ((starts, 1), (memory, 1e6)):
            for entry in (own, rival):
                median = figures.median(entry)
                row.append(number(None if median is None else median / unit))
            row.append(spread(figures.ratios(own, rival)))
        process = results.process_ms.get(network)
        row.append(number(statistics.median(process)) if process and threads == 1 else "–")
        rows.append(row)
    return table(head, rows)


def failures(results):
    for (network, threads, contestant), reason in results.failures.items():
        yield f"- {contestant.name} on {network.name}, {thread_label(threads)}: {reason}"


def markdown(results, networks, options, facts, agreements, kernels, date):
    """The whole document."""
    threads, field = options.threads, "min_ms" if options.best else "median_ms"
    parts = [f"# Race of {date}", "\n".join(f"- {name}: {value}" for name, value in facts.items())]
    parts.append(NOTES.format(rounds=options.rounds, statistic=STATISTICS[field]).rstrip())
    for count in threads:
        parts += [f"## Milliseconds per inference, {thread_label(count)}"]
        parts += [time_table(results, networks, count, field)]
    for count in threads:
        parts += [f"## Loading, preparing and the first inference, {thread_label(count)}"]
        parts += ["Memory is the peak above the process's state before loading, in the rounds; "
                  "LiteRT's is taken after Python's imports."]
        parts += [start_table(results, networks, count)]
    if agreements:
        lines = [f"- {name}: {text}" for name, text in agreements.items()]
        parts += ["## Agreement with LiteRT's reference kernels", "\n".join(lines)]
    lines = list(failures(results))
    if lines:
        parts += ["## Did not finish", "\n".join(lines)]
    if kernels:
        parts += ["## Kernels, one thread, beside the limit measured on the spot"]
        parts += [f"```text\n{kernels.rstrip()}\n```"]
    return "\n\n".join(parts) + "\n"


def document(results, networks, threads):
    """Everything that was measured, for a program."""
    measured = [
        {
            "network": network.name,
            "threads": count,
            "contestant": contestant.name,
            "rounds": results.rounds.get((network, count, contestant), []),
            "starts": results.starts.get((network, count, contestant), []),
            "failure": results.failures.get((network, count, contestant)),
        }
        for network in networks
        for count in threads
        for contestant in ALL
        if contestant.enters(network, count)
    ]
    process = {network.name: times for network, times in results.process_ms.items()}
    return {"schema": "martlet/race/3", "measured": measured, "process_ms": process}

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times whole tasks: Martlet beside MediaPipe, and beside LiteRT with NumPy and OpenCV.

    python3 -m pip install mediapipe ai-edge-litert pillow
    python3 Tests/TaskExpectations/fetch_models.py FOLDER
    python3 Benchmarks/task_race.py .build/release/martlet FOLDER

writes Benchmarks/Results/<date>-<instruction set>-tasks.md, and with --json FILE all that was
measured. A task is all from opening a picture or sound, or from a text, to the answer: resizing and
cropping, tokens, all networks, decoding. Everyone has one thread and one core, and processor time
counts, so that a machine that others use falsifies less.

Martlet is timed by its command: a process that is asked about the same subject many times, less
one that is asked twice, so that starting and loading do not count; printing the answer does. Peers
are Python processes that keep what they have loaded (racing/task_peer.py), and read pictures with
OpenCV. Pictures are BMP files, so that little is decoded. Everyone is measured in turn, round by
round.
"""

import argparse
import datetime
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from racing import machine, report, tasks  # noqa: E402
from racing.contest import last_words  # noqa: E402

#: As many texts as a command line takes.
MOST_TIMES = 10000
NOTES = """\
Milliseconds of processor time from opening a BMP or WAV file, or from a text, to the answer, one
thread on one core: the median of {rounds} rounds, then the fastest round. The ratio is the median
of the rounds' ratios of Martlet's time to the peer's, and in brackets the smallest and the largest:
below 1, Martlet is faster. For Martlet, printing the answer counts as well; LiteRT is joined by
NumPy and OpenCV, which also reads for both peers. Ratios of one run count, not times: the machine
may be shared.
"""


def decoded(task, folder, scratch):
    """What a task is about: a text, a sound, or a picture that has been decoded into a BMP file."""
    subject = task.subject(folder)
    if task.input is None or task.input.endswith(".wav"):
        return subject
    picture = os.path.join(scratch, task.input + ".bmp")
    Image.open(subject).convert("RGB").save(picture)
    return picture


class Martlet:
    """Martlet's command for one task."""

    def __init__(self, program, folder, task, subject, scratch):
        self.subject, self.folder = subject, folder + os.sep
        written, index = os.path.join(scratch, "written"), os.path.join(scratch, task.model)
        os.makedirs(written, exist_ok=True)
        words = task.command.replace("SCRATCH", written).replace("INDEX", index).split()
        self.command = [os.path.abspath(program), words[0], os.path.join(folder, task.model)]
        if index in words:
            self.options = ["--add", index]
            self.seconds(0)
        self.options = words[1:]
        self.times = 1

    def seconds(self, times):
        """The processor time of a process that is asked once, and so many times more."""
        # What a command writes of one subject is a file, and of more a folder.
        words = [*self.command, *[self.subject] * (times + 1), *self.options, "--threads", "1"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            reason = last_words(done.stderr) or f"exit code {done.returncode}"
            raise RuntimeError(reason.replace(self.folder, ""))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def scout(self, seconds):
        """Finds out how many times fit into the time."""
        few = max((self.seconds(11) - self.seconds(1)) / 10, 1e-5)
        self.times = min(max(round(seconds / few), 10), MOST_TIMES)

    def measure(self):
        """Milliseconds of one answer on average."""
        alone = min(self.seconds(1) for _ in range(2))
        return 1000 * (self.seconds(1 + self.times) - alone) / self.times


class Peer:
    """The process that does the same task elsewhere."""

    def __init__(self, folder, number, subject):
        script = os.path.join(HERE, "racing", "task_peer.py")
        self.process = subprocess.Popen(
            [sys.executable, script, folder, str(number), subject], text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def measure(self, seconds):
        """Milliseconds of one answer on average."""
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the peer ended")
        return json.loads(line)

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measured(options, number, task, scratch):
    """The rounds of one task, Martlet's time and the peer's in each; or why there are none."""
    found = {"task": task.name, "model": task.model, "peer": task.peer, "rounds": []}
    subject = decoded(task, options.folder, scratch)
    peer = Peer(options.folder, number, subject)
    try:
        own = Martlet(options.martlet, options.folder, task, subject, scratch)
        own.scout(options.seconds)
        peer.measure(options.seconds / 4)
        for turn in range(options.rounds):
            pair = {}
            for who in ("martlet", "peer") if turn % 2 == 0 else ("peer", "martlet"):
                pair[who] = own.measure() if who == "martlet" else peer.measure(options.seconds)
            found["rounds"].append(pair)
    except (RuntimeError, OSError) as error:
        found |= {"rounds": [], "error": str(error)}
    finally:
        peer.end()
    return found


def row(found):
    """The cells of a task's row."""
    times = {who: [pair[who] for pair in found["rounds"]] for who in ("martlet", "peer")}
    cells = [found["task"], f"`{found['model'].rsplit('.', 1)[0]}`", found["peer"]]
    for who in times:
        cells += [report.number(statistics.median(times[who])), report.number(min(times[who]))]
    return [*cells, report.spread(ratios(found))]


def ratios(found):
    return [pair["martlet"] / pair["peer"] for pair in found["rounds"]]


def markdown(results, options, date):
    """The whole document."""
    finished = [found for found in results if found["rounds"]]
    facts = machine.facts(options.martlet)
    parts = [f"# Whole tasks, {date}"]
    parts += ["\n".join(f"- {name}: {value}" for name, value in facts.items())]
    parts += [NOTES.format(rounds=options.rounds).rstrip()]
    head = ["task", "model", "peer", "Martlet, ms", "fastest", "peer, ms", "fastest", "ratio"]
    parts += [report.table(head, [row(found) for found in finished])]
    for peer in (tasks.MEDIAPIPE, tasks.LITERT):
        medians = [statistics.median(ratios(f)) for f in finished if f["peer"] == peer]
        if medians:
            faster = sum(median < 1 for median in medians)
            parts += [f"To {peer}: geometric mean {report.geometric_mean(medians):.2f}, "
                      f"faster in {faster} of {len(medians)}."]
    failed = [f"- {found['task']}, {found['model']}: {found['error']}" for found in results
              if "error" in found]
    if failed:
        parts += ["## Did not finish", "\n".join(failed)]
    return "\n\n".join(parts) + "\n"


def arguments():
    parser = argparse.ArgumentParser(description="Times whole tasks beside their peers.")
    parser.add_argument("martlet", help="the martlet binary, built for release")
    parser.add_argument("folder", help="models and inputs, as fetch_models.py brings them")
    parser.add_argument("--only", metavar="PART", help="tasks whose name or model has this part")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0,
                        help="how long each measurement of a round takes, about")
    parser.add_argument("--output", metavar="FILE", help="where the Markdown goes; - prints it")
    parser.add_argument("--json", metavar="FILE", help="store all measurements here")
    return parser.parse_args()


def main():
    options = arguments()
    options.folder = os.path.abspath(options.folder)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    date = datetime.date.today().isoformat()
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, task in enumerate(tasks.listed()):
            if options.only is None or options.only in f"{task.name} {task.model}":
                print(f"{task.name}, {task.model}", file=sys.stderr, flush=True)
                results.append(measured(options, number, task, scratch))
    name = f"{date}-{machine.instruction_set()}-tasks.md"
    target = options.output or os.path.join(HERE, "Results", name)
    text = markdown(results, options, date)
    if target == "-":
        print(text, end="")
    else:
        with open(target, "w", encoding="utf-8") as stream:
            stream.write(text)
        print(target)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as stream:
            json.dump({"schema": "martlet/task-race/1", "measured": results}, stream)
    sys.exit(1 if any("error" in found for found in results) else 0)


if __name__ == "__main__":
    main()

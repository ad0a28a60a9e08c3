#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the engines with a single `martlet worker`, byte for byte, also when processes die.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt && apt-get install parallel
    venv/bin/python compare.py --martlet .build/release/martlet

Labels images made from the bundled ones, two of which are bad, with each engine that is
installed. Then a process of each is killed with signal 9 in mid-run, and a worker fails. The exit
code is 1 where an answer differs, is missing or is there twice, or where a failure goes unnoticed.
"""

import argparse
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import make_images
import records
import victims

HERE = pathlib.Path(__file__).resolve().parent
CLUSTER = "local-cluster[2,1,1024]"


class Engine:
    """How an engine is called, what it needs, and which of its processes are killed."""

    def __init__(self, name, command, missing, victims):
        self.name, self.command, self.missing, self.victims = name, command, missing, victims


def worker(lines):
    """The `martlet worker` itself."""
    return 0


def its_parent(lines):
    """The process that started the `martlet worker`."""
    return 1 if len(lines) > 1 else None


def executor(lines):
    """The virtual machine that runs tasks for Spark."""
    found = [place for place, line in enumerate(lines) if "CoarseGrainedExecutorBackend" in line]
    return found[-1] if found else None


def lacks(module=None, program=None):
    """What is not installed, if anything."""
    if program and not shutil.which(program):
        return program
    if module and not importlib.util.find_spec(module):
        return module
    return None


def engines(martlet):
    python = [sys.executable]
    parallel = [str(HERE / "gnu_parallel.sh")]
    spark = python + [str(HERE / "spark_pipe.py"), "--martlet", martlet]
    dask = python + [str(HERE / "dask_bag.py"), "--martlet", martlet]
    lacks_spark = lacks("pyspark", "java")
    return [
        Engine(
            "GNU parallel", parallel, lacks(program="parallel"), [("a martlet worker", worker)]
        ),
        Engine(
            "Spark, local[2,4]",
            spark + ["--master", "local[2,4]"],
            lacks_spark,
            [("a martlet worker", worker)],
        ),
        Engine(
            f"Spark, {CLUSTER}",
            spark + ["--master", CLUSTER],
            lacks_spark,
            [("a martlet worker", worker), ("an executor", executor)],
        ),
        Engine(
            "Dask, 2 workers",
            dask,
            lacks("distributed"),
            [("a martlet worker", worker), ("a Dask worker", its_parent)],
        ),
    ]


class Comparison:
    """Runs engines on one folder of images and compares their answers with the expected ones."""

    def __init__(self, martlet, folder, source):
        self.folder, self.source = folder, source
        self.environment = {**os.environ, "MARTLET": martlet, "PYSPARK_PYTHON": sys.executable}
        self.expected = b""
        self.failed = False

    def run(self, command, output, options, choose=None):
        """Runs an engine; returns its exit code, its seconds and what was killed."""
        output.unlink(missing_ok=True)
        start = time.monotonic()
        with open(self.folder / "log", "wb") as log:
            run = subprocess.Popen(
                [*command, str(self.source), str(output), "--no-timing", *options],
                env=self.environment, stdout=log, stderr=log,
            )
            killed = victims.kill_one(run, choose) if choose else None
            code = run.wait()
        return code, time.monotonic() - start, killed

    def check(self, name, command, choose=None):
        """Prints a row: whether the engine's answers are the expected ones."""
        output = self.folder / "answers"
        code, seconds, killed = self.run(command, output, [], choose)
        answers = output.read_bytes() if code == 0 else b""
        total, count = self.expected.count(b"\n"), answers.count(b"\n")
        identical = answers == self.expected
        self.row(name, f"{count} of {total}", f"{seconds:.1f}", "yes" if identical else "NO")
        if not identical or (choose and not killed):
            self.complain(f"exit code {code}, killed: {killed}")

    def check_failure(self, name, command):
        """Prints a row: whether the engine tells of a worker that cannot work."""
        output = self.folder / "failed"
        code, seconds, _ = self.run(command, output, ["--model", "nowhere.tflite"])
        noticed = code != 0 and not output.exists()
        self.row(name, "none", f"{seconds:.1f}", f"exit code {code}" if noticed else "UNNOTICED")
        if not noticed:
            self.complain(f"exit code {code}")

    def complain(self, text):
        self.failed = True
        log = (self.folder / "log").read_text(errors="replace")
        print(f"{text}\n{log[-4000:]}", file=sys.stderr)

    @staticmethod
    def row(*cells):
        print("{:<62}{:>12}{:>9}  {}".format(*cells), flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--martlet", default="martlet", help="the program (default: %(default)s)")
    parser.add_argument("--only", default="", help="engines with this in their name: Spark")
    parser.add_argument("--count", type=int, default=300, help="images (default: %(default)s)")
    given = parser.parse_args()
    martlet = shutil.which(given.martlet)
    if not martlet:
        sys.exit(f"error: no such program ({given.martlet})")
    martlet = os.path.abspath(martlet)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        make_images.make(given.count, folder / "images")
        comparison = Comparison(martlet, folder, folder / "images")
        comparison.row("engine", "records", "seconds", "identical")
        start = time.monotonic()
        answers = subprocess.run(
            [martlet, "worker", "--keep-going", "--no-timing"],
            input="\n".join(records.records(comparison.source)).encode(),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
        ).stdout.splitlines(keepends=True)
        comparison.expected = b"".join(sorted(answers))
        comparison.row("one martlet worker", str(len(answers)), f"{time.monotonic() - start:.1f}", "")
        for engine in (one for one in engines(martlet) if given.only in one.name):
            if engine.missing:
                comparison.row(engine.name, "skipped", "", f"{engine.missing} is not installed")
                continue
            comparison.check(engine.name, engine.command)
            for victim, choose in engine.victims:
                comparison.check(f"{engine.name}: kill -9 of {victim}", engine.command, choose)
            comparison.check_failure(f"{engine.name}: no worker can work", engine.command)
    sys.exit(1 if comparison.failed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Labels a folder of images with Dask: each partition of a bag goes through a `martlet worker`.

    pip install 'dask[bag]' distributed
    dask_bag.py images answers.ndjson
    dask_bag.py --scheduler tcp://host:8786 records.ndjson answers.ndjson --top 3

A `martlet worker` that fails or is killed fails its task, which Dask repeats up to three times; so
does it with the tasks of a Dask worker that is lost. On several machines, images and models are
where every machine finds them, by the same paths.
"""

import subprocess

import dask.bag
from dask.distributed import Client

import records


def label(lines, command):
    """The answers to the records of one partition, from a process of its own."""
    text = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=text.encode(), stdout=subprocess.PIPE, check=True)
    # Not splitlines, which takes more characters for line breaks than JSON lines do.
    return done.stdout.decode().split("\n")[:-1]


def main():
    given = records.arguments(
        __doc__,
        scheduler=("", "the address of a Dask scheduler; without it, workers on this machine"),
        workers=(2, "how many workers on this machine"),
        partitions=(8, "how many parts, each a process"),
    )
    lines = records.records(given.source)
    if given.scheduler:
        client = Client(given.scheduler)
    else:
        client = Client(
            processes=True, n_workers=given.workers, threads_per_worker=1, dashboard_address=None
        )
    with client:
        bag = dask.bag.from_sequence(lines, npartitions=given.partitions)
        answers = client.compute(bag.map_partitions(label, given.command), retries=3).result()
    records.write(answers, given.output)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Scenes composed ahead of training, in shards of a thousand, kept in a folder.

    python3 pool.py CACHE [--images FOLDER] [--shards N]

Shard `t` is the held-back one: its drawn objects, backgrounds and pieces of scenery come from
another seed, and its cut-outs are the eighth part that no other shard uses.
"""

import argparse
import multiprocessing
import os

import numpy as np

import scenes

SHARD = 1000
PHOTOGRAPHED = 3
DRAWN, BACKGROUNDS = 1500, 600
STOCK = None


def written(job):
    """Writes one shard unless it is there."""
    cache, name, seed, compose = job
    path = os.path.join(cache, f"{name}.npz")
    if not os.path.exists(path):
        images, boxes = scenes.composed(seed, STOCK, SHARD, compose)
        np.savez(path + ".part.npz", images=images, boxes=boxes)
        os.rename(path + ".part.npz", path)
        print(name, flush=True)


def write(cache, folder, shards, processes=2):
    """Writes the held-back shard and those for training."""
    global STOCK
    os.makedirs(cache, exist_ok=True)
    if not os.path.exists(os.path.join(cache, "t.npz")):
        STOCK = scenes.Stock(99, DRAWN // 5, BACKGROUNDS // 5, folder, 1, 2)
        written((cache, "t", 900_000, scenes.compose))
    STOCK = scenes.Stock(1, DRAWN, BACKGROUNDS, folder, 0, 2)
    with multiprocessing.get_context("fork").Pool(processes) as workers:
        jobs = [(cache, str(index), 1000 + index, scenes.compose) for index in range(shards)]
        if STOCK.photographs:
            extra = scenes.photographed
            jobs += [(cache, f"p{i}", 5000 + i, extra) for i in range(PHOTOGRAPHED)]
        for _ in workers.imap_unordered(written, jobs):
            pass


def read(cache, name):
    """The images and boxes of one shard."""
    with np.load(os.path.join(cache, f"{name}.npz")) as shard:
        return shard["images"], shard["boxes"]


def names(cache, kind=""):
    """The training shards that are there, in order; `kind` p: those from photographs."""
    found = [entry[:-4] for entry in os.listdir(cache) if entry.endswith(".npz")]
    numbers = [name[len(kind) :] for name in found if name.startswith(kind)]
    return [kind + number for number in sorted(filter(str.isdigit, numbers), key=int)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cache")
    parser.add_argument("--images")
    parser.add_argument("--shards", type=int, default=20)
    arguments = parser.parse_args()
    write(arguments.cache, arguments.images, arguments.shards)

# SPDX-License-Identifier: Apache-2.0
"""Kills processes of a run that is under way, in the midst of a partition (Linux)."""

import os
import pathlib
import signal
import time


def _parents():
    """The parent of each process."""
    parents = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                # Behind the name, which may hold anything, are the state and the parent.
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
    return parents


def _read(pid, name):
    try:
        return pathlib.Path(f"/proc/{pid}/{name}").read_text()
    except OSError:
        return ""


def _ancestors(pid, root, parents):
    """The processes from `pid` up to and without `root`; none where `root` is no ancestor."""
    chain = []
    while pid not in (root, 0, 1):
        chain.append(pid)
        pid = parents.get(pid, 0)
    return chain if pid == root else []


def _is_worker(pid):
    arguments = _read(pid, "cmdline").split("\0")
    return arguments[0].rpartition("/")[2] == "martlet" and arguments[1:2] == ["worker"]


def _has_answered(pid):
    """Whether the process has written something."""
    counters = dict(line.split(": ") for line in _read(pid, "io").splitlines())
    return int(counters.get("wchar", 0)) > 0


def _hold(pid):
    """Stops a process where it is; false where it has ended in the meantime."""
    try:
        os.kill(pid, signal.SIGSTOP)
    except ProcessLookupError:
        return False
    state = ""
    while state != "T" and state != "Z":
        fields = _read(pid, "stat").rpartition(")")[2].split()
        if not fields:
            return False
        state = fields[0]
    return state == "T"


def kill_one(run, choose):
    """Kills one process of a run, once a `martlet worker` has answered some of its records.

    Which one, `choose` says: it gets the command lines from the worker's up to that of the engine,
    and returns a position. Returns the command line of the process; None where the run ended before.
    """
    while run.poll() is None:
        parents = _parents()
        for pid in parents:
            chain = _ancestors(pid, run.pid, parents)
            if not chain or not _is_worker(pid) or not _has_answered(pid):
                continue
            lines = [_read(process, "cmdline").replace("\0", " ") for process in chain]
            position = choose(lines)
            # While the worker is held, its partition cannot come to an end.
            if position is None or not _hold(pid):
                continue
            os.kill(chain[position], signal.SIGKILL)
            if position > 0:
                os.kill(pid, signal.SIGCONT)
            return lines[position]
        time.sleep(0.002)
    return None

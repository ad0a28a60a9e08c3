# SPDX-License-Identifier: Apache-2.0
"""Writes `.tflite` files of any size: tables as dictionaries from slots to values.

Values are `Scalar`s, texts, bytes, tables, lists of tables, and tuples of a format and numbers. A
table that stands in a list several times is written once, and so are equal texts and vectors, so
that a small file can declare much.
"""

import struct

FLOAT32, INT32, UINT8, INT64, STRING, BOOL, INT16, COMPLEX64, INT8 = 0, 2, 3, 4, 5, 6, 7, 8, 9
RESOURCE, VARIANT, UINT32 = 13, 14, 15


class Scalar:
    """A number in a table, with its format."""

    def __init__(self, code, value):
        self.code, self.value = code, value
        self.size = struct.calcsize(code)


class Writer:
    """The bytes of a file, parents first, as offsets point forwards."""

    def __init__(self):
        self.data = bytearray(4) + b"TFL3"
        self.layouts = {}
        self.leaves = {}

    def align(self, size, extra=0):
        while (len(self.data) + extra) % size:
            self.data.append(0)

    def patch(self, at, target):
        struct.pack_into("<I", self.data, at, target - at)

    def refer(self, at, value):
        """Has what is at `at` refer to `value`; leaves come last."""
        if isinstance(value, (dict, list)):
            self.patch(at, self.table(value) if isinstance(value, dict) else self.tables(value))
        else:
            self.leaves.setdefault(value, []).append(at)

    def tables(self, tables):
        self.align(4)
        start = len(self.data)
        self.data += struct.pack("<I", len(tables)) + bytes(4 * len(tables))
        known = {}
        for index, table in enumerate(tables):
            if id(table) not in known:
                known[id(table)] = self.table(table)
            self.patch(start + 4 + 4 * index, known[id(table)])
        return start

    def table(self, table):
        count = max(table, default=-1) + 1
        offsets, size, places = [0] * count, 4, []
        for slot in sorted(table, key=lambda slot: -getattr(table[slot], "size", 4)):
            width = getattr(table[slot], "size", 4)
            size = (size + width - 1) // width * width
            offsets[slot] = size
            places.append((size, table[slot]))
            size += width
        layout = struct.pack(f"<HH{count}H", 4 + 2 * count, size, *offsets)
        if layout not in self.layouts:
            self.align(2)
            self.layouts[layout] = len(self.data)
            self.data += layout
        self.align(8)
        start = len(self.data)
        self.data += bytes(size)
        struct.pack_into("<i", self.data, start, start - self.layouts[layout])
        for place, value in places:
            if isinstance(value, Scalar):
                struct.pack_into("<" + value.code, self.data, start + place, value.value)
        for place, value in places:
            if not isinstance(value, Scalar):
                self.refer(start + place, value)
        return start

    def finish(self):
        for leaf, places in self.leaves.items():
            if isinstance(leaf, tuple):
                self.align(8, 4)
                start = len(self.data)
                code, numbers = leaf[0], leaf[1:]
                self.data += struct.pack("<I", len(numbers))
                self.data += struct.pack(f"<{len(numbers)}{code}", *numbers)
            else:
                content = leaf.encode() + b"\0" if isinstance(leaf, str) else leaf
                self.align(16, 4)
                start = len(self.data)
                self.data += struct.pack("<I", len(content) - isinstance(leaf, str)) + content
            for place in places:
                self.patch(place, start)
        return bytes(self.data)


def tensor(shape, kind=FLOAT32, buffer=0):
    fields = {0: ("i", *shape), 1: Scalar("b", kind)}
    if buffer:
        fields[2] = Scalar("I", buffer)
    return fields


def node(code, inputs, outputs, kind=0, options=None, custom=None):
    fields = {0: Scalar("I", code), 1: ("i", *inputs), 2: ("i", *outputs)}
    if kind:
        fields[3], fields[4] = Scalar("B", kind), options or {}
    if custom:
        fields[5] = custom
    return fields


def graph(tensors, inputs, outputs, nodes):
    return {0: tensors, 1: ("i", *inputs), 2: ("i", *outputs), 3: nodes}


def int32(*values):
    return struct.pack(f"<{len(values)}i", *values)


def model(codes, graphs, buffers=(), **more):
    """The bytes of a file; `codes` are numbers, or names of custom operators."""
    operators = [
        {0: Scalar("b", 32), 1: code, 3: Scalar("i", 32)} if isinstance(code, str) else
        {0: Scalar("b", min(code, 127)), 2: Scalar("i", 1), 3: Scalar("i", code)} for code in codes]
    root = {0: Scalar("I", 3), 1: operators, 2: graphs,
            4: [{}] + [{0: buffer} if buffer else {} for buffer in buffers]}
    if "metadata" in more:
        root[6] = more["metadata"]
    if "signatures" in more:
        root[7] = more["signatures"]
    writer = Writer()
    writer.patch(0, writer.table(root))
    return writer.finish()

# SPDX-License-Identifier: Apache-2.0
"""HASHTABLE, HASHTABLE_IMPORT, HASHTABLE_FIND and HASHTABLE_SIZE, together in one model.

The strings of a model file are counted, then located, then spelt out.
"""

import numpy as np
from ai_edge_litert import schema_py_generated as schema

from golden_model import packed
from goldens_control import ModelCase

WORDS = [b"one", b"", b"\xc3\xa9t\xc3\xa9", b"a longer word", b"one"]
NUMBERS = [7, -(2**63), 0, 2**40, 2**63 - 1]


def strings(case, words):
    """A constant of strings."""
    index = case.value("str", len(words))
    buffer = schema.BufferT()
    buffer.data = np.frombuffer(packed(words), np.uint8)
    case.builder.graph.tensors[index].buffer = len(case.builder.model.buffers)
    case.builder.model.buffers.append(buffer)
    return index


def constants(case, kind, values):
    return strings(case, values) if kind == "str" else case.constant(np.array(values, np.int64))


def table(case, identifier, types):
    """The handle of a table."""
    handle = case.handle()
    key, value = (getattr(schema.TensorType, "STRING" if t == "str" else "INT64") for t in types)
    case.op("HASHTABLE", [], [handle], "HashtableOptions",
            tableId=identifier, keyDtype=key, valueDtype=value)
    return handle


def filled(case, identifier, types, keys, values, again=None):
    """The handle of a table that the model fills; `again` are values of a second import."""
    start = case.subgraph(f"fill_{identifier}")
    for contents in [values] + ([again] if again else []):
        handle = table(case, identifier, types)
        operands = [handle, constants(case, types[0], keys), constants(case, types[1], contents)]
        case.op("HASHTABLE_IMPORT", operands, [], "HashtableImportOptions")
    case.main()
    case.op("CALL_ONCE", [], [], "CallOnceOptions", initSubgraphIndex=start)
    return table(case, identifier, types)


def found(case, handle, types, shape, absent):
    """What a table has for the keys of an input."""
    result = case.value(types[1], *shape)
    keys = case.input(types[0], *shape)
    operands = [handle, keys, constants(case, types[1], [absent])]
    return case.op("HASHTABLE_FIND", operands, [result], "HashtableFindOptions")


def fed(kind, values, shape):
    """Values of an input; the runtime's binding takes a single string only as bytes."""
    text = object if shape else np.bytes_
    return np.array(values, text if kind == "str" else np.int64).reshape(shape)


def lookups(variant, types):
    keys, values = (WORDS, NUMBERS) if types[0] == "str" else (NUMBERS, WORDS)
    absent = -1 if types[1] == "i64" else b"absent"
    unknown = b"two" if types[0] == "str" else 2**32 + 7
    asked = {
        "vector": ((6,), [keys[0], unknown, keys[2], keys[1], keys[3], keys[0]]),
        "matrix": ((2, 2), [unknown, keys[3], keys[2], unknown]),
        "scalar": ((), [keys[3]]),
        "all_absent": ((2,), [unknown, unknown]),
    }
    for name, (shape, wanted) in asked.items():
        for title, again in (("", None), ("_imported_twice", values[::-1])):
            if again and name != "vector":
                continue
            case = ModelCase("HASHTABLE_FIND", variant, name + title, tolerance="exact",
                             kernels="BUILTIN_WITHOUT_DEFAULT_DELEGATES")
            handle = filled(case, 3, types, keys, values, again)
            out = found(case, handle, types, shape, absent)
            size = case.op("HASHTABLE_SIZE", [handle], [case.value("i64", 1)],
                           "HashtableSizeOptions")
            case.outputs(out, size)
            turned = fed(types[0], wanted[::-1], shape)
            case.steps = [[fed(types[0], wanted, shape)], [turned]]
            yield case


def both_tables():
    """Two tables in one model, one translating what the other gives."""
    case = ModelCase("HASHTABLE_FIND", "s2i", "and_back", tolerance="exact",
                     kernels="BUILTIN_WITHOUT_DEFAULT_DELEGATES")
    there = filled(case, 1, ("str", "i64"), WORDS[:4], NUMBERS[:4])
    back = filled(case, 2, ("i64", "str"), NUMBERS[:4], WORDS[3::-1])
    numbers = found(case, there, ("str", "i64"), (3,), 99)
    words = case.op("HASHTABLE_FIND", [back, numbers, strings(case, [b"?"])],
                    [case.value("str", 3)], "HashtableFindOptions")
    case.outputs(numbers, words)
    case.steps = [[fed("str", [WORDS[0], b"none", WORDS[3]], (3,))]]
    yield case


def cases():
    yield from lookups("i2s", ("i64", "str"))
    yield from lookups("s2i", ("str", "i64"))
    yield from both_tables()

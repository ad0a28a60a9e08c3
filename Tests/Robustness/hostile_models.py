# SPDX-License-Identifier: Apache-2.0
"""Draws files that cost much, or have much of one thing, for `sweep`.

`LENGTHS` are families of files with so many elements of a kind, none of which may be recursed
over. `COSTS` are small files, each of which asks for more memory or time than it may have, or just
not.
"""

import json
import struct

from flat_model import (
    BOOL, COMPLEX64, FLOAT32, INT8, INT16, INT32, INT64, RESOURCE, STRING, UINT8, UINT32, VARIANT,
    Scalar, graph, int32, model, node, tensor)

ADD, AVERAGE_POOL, CONCATENATION, CONV, DEPTHWISE, EMBEDDING_SPARSE, FULLY_CONNECTED = (
    0, 1, 2, 3, 4, 33, 9)
RESIZE_BILINEAR, GATHER, TRANSPOSE, EXP, TOPK, NEG, EQUAL, POW = 23, 36, 39, 47, 48, 59, 71, 78
FILL, UNIQUE, ADD_N, WHERE, IF, WHILE, BATCH_MATMUL, RFFT2D = (
    94, 103, 106, 109, 118, 119, 126, 131)
CONV_3D, VAR_HANDLE, ASSIGN, MULTINOMIAL, SEGMENT_SUM = 132, 142, 144, 149, 157
LOG_SOFTMAX, LESS, SUM, REDUCE_MAX = 50, 58, 74, 82


def chain(count, code=NEG, size=4):
    nodes = [node(0, [i], [i + 1]) for i in range(count)]
    return model([code], [graph([tensor([size])] * (count + 1), [0], [count], nodes)])


def joined(count):
    tensors = [tensor([1])] * count + [tensor([count])]
    joining = node(0, range(count), [count], 10, {0: Scalar("i", 0)})
    return model([CONCATENATION], [graph(tensors, range(count), [count], [joining])])


def sums(count, size=1):
    tensors = [tensor([size])] * 2
    return model([ADD_N], [graph(tensors, [0], [1], [node(0, [0] * count, [1])])])


def outputs(count):
    """As many outputs, all of one node."""
    return model([NEG], [graph([tensor([1])] * 2, [0], [1] * count, [node(0, [0], [1])])])


def calls(depth):
    """Subgraphs, each of which calls the next one."""
    graphs = []
    tensors = [tensor([], BOOL), tensor([4]), tensor([4])]
    for index in range(depth):
        next_one = {0: Scalar("i", index + 1), 1: Scalar("i", index + 1)}
        inner = node(0, [0, 0, 1], [2], 92, next_one) if index + 1 < depth else node(1, [1], [2])
        graphs.append(graph(tensors, [0, 1], [2], [inner]))
    return model([IF, NEG], graphs)


def signatures(count):
    tensors = [tensor([1]), tensor([1])]
    argument = [{0: "x", 1: Scalar("I", 0)}]
    result = [{0: "y", 1: Scalar("I", 1)}]
    named = [{0: argument, 1: result, 2: f"s{i}", 4: Scalar("I", 0)} for i in range(count)]
    return model([NEG], [graph(tensors, [0], [1], [node(0, [0], [1])])], signatures=named)


def metadata(count):
    entry = {0: "note", 1: Scalar("I", 1)}
    main = graph([tensor([1])] * 2, [0], [1], [node(0, [0], [1])])
    return model([NEG], [main], [b"x"], metadata=[entry] * count)


def options(depth):
    """A custom operator whose options are a list in a list in a list."""
    data = bytearray(struct.pack("<I", 0))
    for _ in range(depth):
        # The count, the distance back to the inner list, its type.
        position = len(data)
        data += struct.pack("<IIBxxx", 1, 8 if position > 4 else 4, 10 << 2 | 2)
    data += struct.pack("<IBB", 8, 10 << 2 | 2, 4)
    main = graph([tensor([1])] * 2, [0], [1], [node(0, [0], [1], custom=bytes(data))])
    return model(["TFLite_Detection_PostProcess"], [main])


def shared_options(nodes, levels):
    """Nodes whose options are one map, with a list of lists, each of which has the next one twice."""
    names = ["a", "input_correction_bits", "output_scale"]
    data, places = bytearray(), []
    for name in names:
        places.append(len(data))
        data += name.encode() + b"\0"
    data.append(0)
    inner = len(data)
    for _ in range(levels):
        start = len(data) + 1
        data += bytes([2, start - inner, start + 1 - inner, 10 << 2, 10 << 2])
        inner = start
    keys = len(data) + 1
    data += bytes([len(names), *[keys + i - place for i, place in enumerate(places)]])
    data += bytes([len(data) - keys, 1, len(names)])
    start = len(data)
    data += bytes([start - inner, 1, 1, 10 << 2, 1 << 2, 1 << 2, 6, 9 << 2, 1])
    tensors = [tensor([1], UINT32)] + [tensor([1], INT16)] * nodes
    return model(["SignalFilterBankLog"], [graph(
        tensors, [0], [1], [node(0, [0], [i + 1], custom=bytes(data)) for i in range(nodes)])])


LENGTHS = {
    "nodes in a chain": (chain, [["run", "--fill", "zeros"], ["check"], ["inspect"]]),
    "fused nodes": (lambda n: chain(n, EXP), [["run", "--fill", "zeros"]]),
    "operands": (sums, [["run", "--fill", "zeros"], ["inspect"]]),
    "inputs": (joined, [["run", "--fill", "zeros"], ["check"]]),
    "outputs": (outputs, [["run", "--fill", "zeros", "--json"]]),
    "nested calls": (calls, [["run", "--fill", "zeros"], ["check"]]),
    "signatures": (signatures, [["inspect"], ["check"]]),
    "entries of metadata": (metadata, [["metadata", "show"], ["inspect"]]),
    "nested options": (options, [["run", "--fill", "zeros"], ["inspect", "--tree"]]),
}


def records(depth):
    """Lines for a worker: lists in lists, and as many records that are no objects."""
    nested = '{"image": ' + "[" * depth + "]" * depth + "}\n"
    return (nested + "7\n" * min(depth, 100_000)).encode()


def fills(count, size, is_read):
    """Tensors that follow from constants: all summed, or none."""
    tensors = [tensor([1], INT32, 1), tensor([], FLOAT32, 2)] + [tensor([size])] * count
    tensors += [tensor([1]), tensor([size] if is_read else [1])]
    nodes = [node(0, [0, 1], [2 + i]) for i in range(count)]
    nodes.append(node(2, range(2, count + 2), [count + 3]) if is_read else
                 node(1, [count + 2], [count + 3]))
    main = graph(tensors, [count + 2], [count + 3], nodes)
    return model([FILL, NEG, ADD_N], [main], [int32(size), bytes(4)])


def folded(count, size):
    """A chain of constants."""
    tensors = [tensor([1], INT32, 1), tensor([], FLOAT32, 2)] + [tensor([size])] * (count + 1)
    nodes = [node(0, [0, 1], [2])] + [node(1, [2 + i], [3 + i]) for i in range(count)]
    return model([FILL, NEG], [graph(tensors, [], [count + 2], nodes)], [int32(size), bytes(4)])


def variables(count, size):
    tensors = [tensor([1], INT32, 1), tensor([]), tensor([size])]
    nodes = [node(0, [0, 1], [2])]
    for index in range(count):
        tensors.append(tensor([1], RESOURCE))
        nodes.append(node(1, [], [len(tensors) - 1], 111, {1: f"v{index}"}))
        nodes.append(node(2, [len(tensors) - 1, 2], []))
    tensors.append(tensor([]))
    nodes.append(node(3, [1], [len(tensors) - 1]))
    main = graph(tensors, [1], [len(tensors) - 1], nodes)
    return model([FILL, VAR_HANDLE, ASSIGN, NEG], [main], [int32(size)])


def large(size, then=None):
    """An output of a run, or what `then`, a node and its outputs' tensors, makes of it."""
    kind = UINT8 if then else FLOAT32
    tensors = [tensor([1], INT32, 1), tensor([], kind), tensor([size], kind)]
    nodes = [node(0, [0, 1], [2])]
    results = [2]
    if then:
        tensors += then[1]
        results = list(range(3, len(tensors)))
        nodes.append(node(1, [2], results, *then[0][1:]))
    codes = [FILL] + ([then[0][0]] if then else [])
    return model(codes, [graph(tensors, [1], results[:1], nodes)], [int32(size)])


def unique(size):
    outputs = [tensor([size], UINT8), tensor([size], INT32)]
    return large(size, ((UNIQUE, 80, {0: Scalar("b", 2)}), outputs))


def loop(body, buffers=(), codes=()):
    """A loop without an end around `body`, a graph of one input and output."""
    main = graph([tensor([1]), tensor([1])], [0], [1],
                 [node(0, [0], [1], 93, {0: Scalar("i", 1), 1: Scalar("i", 2)})])
    condition = graph([tensor([1]), tensor([], BOOL, 1)], [0], [1], [])
    return model([WHILE, *codes], [main, condition, body], [b"\1", *buffers])


def growing():
    joining = node(1, [0, 0], [1], 10, {0: Scalar("i", 0)})
    return loop(graph([tensor([1]), tensor([2])], [0], [1], [joining]), codes=[CONCATENATION])


def long_loop(count):
    nodes = [node(1, [i], [i + 1]) for i in range(count)]
    body = graph([tensor([1])] * (count + 1), [0], [count], nodes)
    return loop(body, codes=[EXP])


def one(code, shapes, inputs, kind=0, options=None, buffers=(), custom=None):
    """A model of one node: tensors as (shape, type, buffer), of which the last ones are outputs."""
    tensors = [tensor(*shape) for shape in shapes]
    given = [i for i in inputs if i >= 0 and (len(shapes[i]) < 3 or not shapes[i][2])]
    results = [i for i in range(len(shapes)) if i not in inputs]
    return model([code], [graph(tensors, given, results, [node(0, inputs, results, kind, options, custom)])],
                 buffers)


STRIDES = {1: Scalar("i", 1), 2: Scalar("i", 1)}


def conv(side, window, depth, channels, is_constant):
    filter_type = (FLOAT32, 1) if is_constant else (FLOAT32,)
    shapes = [([1, side, side, depth],), ([channels, window, window, depth], *filter_type),
              ([channels], FLOAT32, 2) if is_constant else ([channels],),
              ([1, side, side, channels],)]
    weights = bytes(4 * channels * window * window * depth)
    return one(CONV, shapes, [0, 1, 2], 1, STRIDES, [weights, bytes(4 * channels)])


def depthwise(side, window, depth):
    shapes = [([1, side, side, depth],), ([1, window, window, depth], FLOAT32, 1),
              ([depth], FLOAT32, 2), ([1, side, side, depth],)]
    return one(DEPTHWISE, shapes, [0, 1, 2], 2, {**STRIDES, 3: Scalar("i", 1)},
               [bytes(4 * depth * window * window), bytes(4 * depth)])


def pool(side, window):
    size = {**STRIDES, 3: Scalar("i", window), 4: Scalar("i", window)}
    return one(AVERAGE_POOL, [([1, side, side, 1],)] * 2, [0], 5, size)


def boxes(side, window, depth, channels):
    shapes = [([1, side, side, side, depth],), ([window] * 3 + [depth, channels], FLOAT32, 1),
              ([1, side, side, side, channels],)]
    strides = {slot: Scalar("i", 1) for slot in (1, 2, 3, 5, 6, 7)}
    return one(CONV_3D, shapes, [0, 1], 106, strides, [bytes(4 * channels * depth * window ** 3)])


def unpool(images, window):
    shapes = [([images, 1, 1, 1],), ([images, 1, 1, 1],), ([images, 1, 1, 1],)]
    return one("MaxUnpooling2D", shapes, [0, 1], custom=int32(1, 1, 1, window, window, 0))


def reduced(code, kind, shape):
    return one(code, [(shape, kind), ([1], INT32, 1), (shape[1:], kind)], [0, 1], 27, {},
               [int32(0)])


def rows(count, length):
    shapes = [([count], INT32), ([count, 1], INT32), ([1], INT32, 1), ([count],), ([1, length],),
              ([1, length],)]
    return one(EMBEDDING_SPARSE, shapes, [0, 1, 2, 3, 4], 0, None, [int32(1)])


def definition(operator):
    """The options of a TensorFlow operator on lists of floats: a FlexBuffer of its name and NodeDef."""
    attribute = b"\x0a\x0delement_dtype\x12\x02\x30\x01"
    data, places = bytearray(), []
    for text in (operator.encode(), b"\x2a" + bytes([len(attribute)]) + attribute):
        data += struct.pack("<I", len(text))
        places.append(len(data))
        data += text + bytes(4 - len(text) % 4)
    data += struct.pack("<I", 2)
    vector = len(data)
    data += struct.pack("<II", vector - places[0], vector + 4 - places[1]) + b"\x16\x16"
    return bytes(data + struct.pack("<HIBB", 0, len(data) + 2 - vector, 10 << 2 | 2, 4))


def made_list(count, shape):
    """A list of so many elements without values, stacked."""
    reserve = node(0, [0, 1], [2], custom=definition("TensorListReserve"))
    stack = node(1, [2, 0], [3], custom=definition("TensorListStack"))
    main = graph([tensor([len(shape)], INT32, 1), tensor([], INT32, 2), tensor([], VARIANT),
                  tensor([1])], [], [3], [reserve, stack])
    return model(["FlexTensorListReserve", "FlexTensorListStack"], [main],
                 [int32(*shape), int32(count)])


def changed_list(again):
    """A loop without an end that sets the element of a list, of the one before or the first one."""
    names = ["TensorListReserve", "TensorListSetItem"]
    reserve = node(1, [0, 1], [2], custom=definition(names[0]))
    run = node(0, [2], [3], 93, {0: Scalar("i", 1), 1: Scalar("i", 2)})
    main = graph([tensor([1], INT32, 1), tensor([], INT32, 2), tensor([], VARIANT),
                  tensor([], VARIANT)], [], [3], [reserve, run])
    condition = graph([tensor([], VARIANT), tensor([], BOOL, 3)], [0], [1], [])
    change = node(2, [0, 1, 2], [3], custom=definition(names[1]))
    body = graph([tensor([], VARIANT), tensor([], INT32, 4), tensor([1000], FLOAT32, 5),
                  tensor([], VARIANT)], [0], [3 if again else 0], [change])
    return model([WHILE] + ["Flex" + name for name in names], [main, condition, body],
                 [int32(1000), int32(5000), b"\1", int32(7), bytes(4000)])


COSTS = {
    "list of 2^31 - 1 elements": lambda: made_list(2 ** 31 - 1, [1]),
    "list of large elements": lambda: made_list(1000, [1000, 1000]),
    "list changed without end": lambda: changed_list(True),
    "list changed from the start": lambda: changed_list(False),
    "list of the caller's": lambda: one(
        "FlexTensorListLength", [([], VARIANT), ([], INT32)], [0],
        custom=definition("TensorListLength")),
    "options that share lists": lambda: shared_options(20_000, 18),
    "options that share few lists": lambda: shared_options(10_000, 6),
    "constants that nothing reads": lambda: fills(12, 1 << 27, False),
    "constants that are read": lambda: fills(100, 1 << 24, True),
    "chain of constants": lambda: folded(200, 10_000_000),
    "variables": lambda: variables(20, 1 << 27),
    "small variables": lambda: variables(2000, 1 << 18),
    "output of 10^8": lambda: large(10 ** 8),
    "output of 5 * 10^8": lambda: large(5 * 10 ** 8),
    "unique bytes, 2^29": lambda: unique(1 << 29),
    "unique bytes, 2^24": lambda: unique(1 << 24),
    "growing loop": growing,
    "loop of 1 node": lambda: long_loop(1),
    "loop of 5,000 nodes": lambda: long_loop(5000),
    "rows looked up": lambda: rows(30_000, 3_000_000),
    "fewer rows looked up": lambda: rows(100, 3_000_000),
    "operands": lambda: sums(100_000, 10 ** 7),
    "fewer operands": lambda: sums(40, 10 ** 7),
    "convolution, one channel": lambda: conv(2000, 64, 1, 1, False),
    "smaller one, one channel": lambda: conv(700, 60, 1, 1, False),
    "constant filter, one channel": lambda: conv(2000, 120, 1, 1, True),
    "convolution, 32 channels": lambda: conv(650, 32, 4, 32, True),
    "smaller one, 32 channels": lambda: conv(300, 32, 4, 32, True),
    "depthwise": lambda: depthwise(700, 60, 32),
    "smaller depthwise": lambda: depthwise(200, 60, 32),
    "pool": lambda: pool(2000, 45),
    "smaller pool": lambda: pool(1000, 20),
    "boxes": lambda: boxes(100, 12, 1, 1),
    "smaller boxes": lambda: boxes(60, 8, 4, 16),
    "unpooled, huge window": lambda: unpool(1, 1 << 19),
    "unpooled, no image": lambda: unpool(0, 1 << 19),
    "wide rows added up": lambda: reduced(SUM, FLOAT32, [2, 30_000_000]),
    "maxima of wide rows": lambda: reduced(REDUCE_MAX, INT32, [2, 30_000_000]),
    "logarithms of a long row": lambda: one(LOG_SOFTMAX, [([1, 40_000_000],)] * 2, [0]),
    "compared integers": lambda: one(
        LESS, [([9000, 1], INT32), ([1, 9000], INT32), ([9000, 9000], BOOL)], [0, 1]),
    "matrices": lambda: one(BATCH_MATMUL, [([3500, 3500],)] * 3, [0, 1], 101),
    "fully connected": lambda: one(
        FULLY_CONNECTED, [([3000, 3000],), ([3000, 3000],), ([3000, 3000],)], [0, 1, -1], 8),
    "exponentials": lambda: one(EXP, [([40_000_000],)] * 2, [0]),
    "powers": lambda: one(POW, [([30_000_000],)] * 3, [0, 1]),
    "largest of many": lambda: one(
        TOPK, [([40_000_000],), ([1], INT32, 1), ([2_000_000],), ([2_000_000], INT32)], [0, 1], 0,
        None, [int32(2_000_000)]),
    "transform": lambda: one(
        RFFT2D, [([4096, 4096],), ([2], INT32, 1), ([4096, 2049], COMPLEX64)], [0, 1], 0, None,
        [int32(4096, 4096)]),
    "true elements": lambda: one(WHERE, [([24_000_000], BOOL), ([1, 1], INT64)], [0]),
    "resized image": lambda: one(
        RESIZE_BILINEAR, [([1, 4, 4, 1],), ([2], INT32, 1), ([1, 9000, 9000, 1],)], [0, 1], 15, {},
        [int32(9000, 9000)]),
    "draws": lambda: one(
        MULTINOMIAL, [([1, 10 ** 6],), ([], INT32, 1), ([1, 40_000_000], INT64)], [0, 1], 0, None,
        [int32(40_000_000)]),
    "sums of segments": lambda: one(
        SEGMENT_SUM, [([20_000_000],), ([20_000_000], INT32), ([], INT32, 1), ([40_000_000],)],
        [0, 1, 2], 0, None, [int32(40_000_000)]),
    "gathered elements": lambda: one(
        GATHER, [([100],), ([45_000_000], INT32), ([45_000_000],)], [0, 1], 23, {}),
    "transposed bytes": lambda: one(
        TRANSPOSE, [([13_000, 13_000], INT8), ([2], INT32, 1), ([13_000, 13_000], INT8)], [0, 1], 0,
        None, [int32(1, 0)]),
    "many exponentials": lambda: chain(300, EXP, 10_000_000),
    "many small nodes": lambda: chain(25_000, EXP, 1000),
    "compared strings": lambda: one(
        EQUAL, [([8192, 1], STRING), ([1, 8192], STRING), ([8192, 8192], BOOL)], [0, 1]),
}

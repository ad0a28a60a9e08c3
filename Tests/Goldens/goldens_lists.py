# SPDX-License-Identifier: Apache-2.0
"""Golden cases of TensorFlow's operators on lists of tensors, which models call by names with Flex.

LiteRT hands these to TensorFlow; golden_run.py runs such a case on the interpreter of TensorFlow 2.15.1,
which has them, as that of 2.21.0 does not (with Python 3.11, in an environment of its own):

    python3 -m pip install tensorflow-cpu==2.15.1 flatbuffers==25.12.19
    python3 -m pip install --no-deps ai-edge-litert==2.3.0
    python3 make_goldens.py FlexTensorListStack ...
"""

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from flatbuffers import flexbuffers

from golden_case import TYPES
from goldens_control import ModelCase, scalar

# TensorFlow's DataType of element types.
DATA_TYPES = {"f32": 1, "i32": 3, "i64": 9}


def varint(value):
    """A number as Protocol Buffers write it."""
    value &= 2**64 - 1
    encoded = bytearray()
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes(encoded) + bytes([value])


def message(field, content):
    """A field that is a text or a message."""
    return varint(field << 3 | 2) + varint(len(content)) + content


def attribute(value):
    """An AttrValue: the name of an element type, a truth value or a number."""
    if isinstance(value, str):
        return varint(6 << 3) + varint(DATA_TYPES[value])
    return varint((5 if isinstance(value, bool) else 3) << 3) + varint(int(value))


def definition(operator, attributes):
    """The options of a TensorFlow operator: its name and its NodeDef."""
    node = message(1, operator.encode()) + message(2, operator.encode())
    for name, value in attributes.items():
        node += message(5, message(1, name.encode()) + message(2, attribute(value)))
    builder = flexbuffers.Builder()
    with builder.Vector():
        builder.String(operator)
        # String() takes texts only, and a message is none.
        builder._WriteBlob(node, append_zero=True, type_=flexbuffers.Type.STRING)
    return bytes(builder.Finish())


class ListCase(ModelCase):
    """A model of operators on lists of one element type."""

    engine = "tensorflow-cpu"

    def __init__(self, operator, variant, name, kind=None, tolerance="exact"):
        super().__init__(operator, variant, name, "AUTO", tolerance)
        self.kind = kind or variant

    def list(self):
        """A tensor for a list."""
        index = self.value("i32")
        self.builder.graph.tensors[index].type = schema.TensorType.VARIANT
        return index

    def flex(self, name, inputs, outputs, **attributes):
        """An operator on lists; its attribute element_dtype is the case's unless it is None."""
        attributes = {"element_dtype": self.kind, **attributes}
        attributes = {k: v for k, v in attributes.items() if v is not None}
        self.builder.operator("Flex" + name, inputs, outputs, custom=definition(name, attributes))
        return outputs[0]

    def reserve(self, count, shape):
        return self.flex("TensorListReserve", [self.constant(shape_of(shape)),
                                               self.constant(np.int32(count))],
                         [self.list()], shape_type="i32")

    def empty(self, most, shape):
        return self.flex("EmptyTensorList", [self.constant(shape_of(shape)),
                                             self.constant(np.int32(most))],
                         [self.list()], shape_type="i32")

    def set(self, items, position, item, **attributes):
        return self.flex("TensorListSetItem", [items, self.number(position), item],
                         [self.list()], **attributes)

    def get(self, items, position, declared, shape):
        return self.flex("TensorListGetItem",
                         [items, self.number(position), self.constant(shape_of(shape))],
                         [self.value(self.kind, *declared)])

    def stack(self, items, declared, shape, count=-1):
        return self.flex("TensorListStack", [items, self.constant(shape_of(shape))],
                         [self.value(self.kind, *declared)], num_elements=count)

    def number(self, position):
        """A tensor that holds the position, unless it is one."""
        return self.constant(np.int32(position)) if isinstance(position, np.int32) else position

    def draw(self, random, *shape):
        """Values of the case's element type."""
        return random.integers(-99, 99, shape).astype(TYPES[self.kind][1])


def shape_of(shape):
    """Dimensions as int32: a vector, or the scalar −1 for None."""
    return np.int32(-1) if shape is None else np.array(shape, np.int32)


def at(position):
    return np.int32(position)


def set_cases(random):
    for kind in ("f32", "i32"):
        for name, shape in (("known", (2, 3)), ("partial", (-1, 3)), ("unknown", None)):
            case = ListCase("FlexTensorListSetItem", kind, name)
            position, item = case.input("i32"), case.input(kind, 2, 3)
            items = case.set(case.reserve(4, shape), position, item)
            items = case.set(items, at(2), item)
            case.outputs(case.stack(items, (4, 2, 3), shape))
            case.steps = [[scalar(p, "i32"), case.draw(random, 2, 3)] for p in (0, 3, 2)]
            yield case
    # Two lists from one: each sees only its own change.
    case = ListCase("FlexTensorListSetItem", "f32", "branches")
    first, second = case.input("f32", 3), case.input("f32", 3)
    base = case.set(case.reserve(3, (3,)), at(0), first)
    left, right = case.set(base, at(1), second), case.set(base, at(0), second)
    case.outputs(*[case.stack(items, (3, 3), (3,)) for items in (base, left, right, base)])
    case.steps = [[case.draw(random, 3), case.draw(random, 3)] for _ in range(2)]
    yield case
    case = ListCase("FlexTensorListSetItem", "f32", "resizes")
    item = case.input("f32", 2)
    items = case.set(case.reserve(2, (2,)), at(4), item, resize_if_index_out_of_bounds=True)
    case.outputs(case.stack(items, (5, 2), (2,)))
    case.steps = [[case.draw(random, 2)] for _ in range(2)]
    yield case


def get_cases(random):
    for kind in ("f32", "i32"):
        case = ListCase("FlexTensorListGetItem", kind, "position")
        values, position = case.input(kind, 4, 3), case.input("i32")
        items = case.flex("TensorListFromTensor", [values, case.constant(shape_of((3,)))],
                          [case.list()], shape_type="i32")
        case.outputs(case.get(items, position, (3,), (3,)))
        case.steps = [[case.draw(random, 4, 3), scalar(p, "i32")] for p in (0, 3, 1)]
        yield case
    for name, shape in (("zeros", (2,)), ("zeros_like_others", (-1,))):
        case = ListCase("FlexTensorListGetItem", "f32", name)
        items = case.set(case.reserve(3, shape), at(1), case.input("f32", 2))
        case.outputs(case.get(items, at(0), (2,), shape), case.get(items, at(1), (2,), shape))
        case.steps = [[case.draw(random, 2)]]
        yield case


def end_cases(random):
    for operator in ("FlexTensorListPushBack", "FlexTensorListPopBack", "FlexEmptyTensorList",
                     "FlexTensorListLength"):
        case = ListCase(operator, "f32", "ends")
        first, second = case.input("f32", 2), case.input("f32", 2)
        push = "TensorListPushBack"
        two = case.flex(push, [case.flex(push, [case.empty(3, (2,)), first], [case.list()]),
                               second], [case.list()])
        rest, last = case.list(), case.value("f32", 2)
        case.flex("TensorListPopBack", [two, case.constant(shape_of((2,)))], [rest, last])
        again = case.flex(push, [rest, first], [case.list()])
        lengths = [case.flex("TensorListLength", [items], [case.value("i32")],
                             element_dtype=None) for items in (two, rest, again)]
        case.outputs(case.stack(two, (2, 2), (2,)), case.stack(rest, (1, 2), (2,)), last,
                     case.stack(again, (2, 2), (2,)), *lengths)
        case.steps = [[case.draw(random, 2), case.draw(random, 2)] for _ in range(2)]
        yield case
    case = ListCase("FlexTensorListPopBack", "f32", "zeros")
    rest, last = case.list(), case.value("f32", 3)
    item = case.input("f32", 3)
    items = case.set(case.reserve(2, (-1,)), at(0), item)
    case.flex("TensorListPopBack", [items, case.constant(shape_of((3,)))], [rest, last])
    case.outputs(last, case.stack(rest, (1, 3), (3,)))
    case.steps = [[case.draw(random, 3)]]
    yield case


def stack_cases(random):
    for kind in ("f32", "i32"):
        for name, shape, count in (("rows", (2,), -1), ("counted", (2,), 3), ("inferred", (-1,), -1),
                                   ("unknown", None, -1)):
            case = ListCase("FlexTensorListStack", kind, name)
            items = case.set(case.reserve(3, shape), at(1), case.input(kind, 2))
            case.outputs(case.stack(items, (3, 2), shape, count))
            case.steps = [[case.draw(random, 2)] for _ in range(2)]
            yield case
    case = ListCase("FlexTensorListStack", "f32", "scalars")
    items = case.set(case.reserve(2, ()), at(0), case.input("f32"))
    case.outputs(case.stack(items, (2,), ()))
    case.steps = [[case.draw(random)]]
    yield case
    case = ListCase("FlexTensorListReserve", "f32", "zeros")
    count = case.input("i32")
    items = case.flex("TensorListReserve", [case.constant(shape_of((2,))), count], [case.list()],
                      shape_type="i32")
    case.outputs(case.stack(items, (3, 2), (2,)))
    case.steps = [[scalar(n, "i32")] for n in (3, 1, 5)]
    yield case
    for kind in ("i32", "i64"):
        for name, shape in (("partial", (-1, 3)), ("known", (2, 3)), ("unknown", None)):
            case = ListCase("FlexTensorListElementShape", kind, name, "f32")
            items = case.reserve(2, shape)
            declared = () if shape is None else (len(shape),)
            size = case.flex("TensorListElementShape", [items], [case.value(kind, *declared)],
                             element_dtype=None, shape_type=kind)
            case.outputs(size)
            case.steps = [[]]
            yield case
    case = ListCase("FlexTensorListResize", "f32", "sizes")
    size = case.input("i32")
    items = case.set(case.reserve(3, (2,)), at(1), case.input("f32", 2))
    items = case.flex("TensorListResize", [items, size], [case.list()], element_dtype=None)
    case.outputs(case.stack(items, (3, 2), (2,)))
    case.steps = [[scalar(n, "i32"), case.draw(random, 2)] for n in (3, 5, 2)]
    yield case


def part_cases(random):
    case = ListCase("FlexTensorListFromTensor", "f32", "rows")
    items = case.flex("TensorListFromTensor",
                      [case.input("f32", 3, 2, 2), case.constant(shape_of((-1, 2)))],
                      [case.list()], shape_type="i32")
    case.outputs(case.stack(items, (3, 2, 2), (-1, 2)), case.get(items, at(2), (2, 2), (2, 2)))
    case.steps = [[case.draw(random, 3, 2, 2)] for _ in range(2)]
    yield case
    case = ListCase("FlexTensorListGather", "f32", "positions")
    items = case.flex("TensorListFromTensor",
                      [case.input("f32", 4, 2), case.constant(shape_of((2,)))],
                      [case.list()], shape_type="i32")
    chosen = case.flex("TensorListGather", [items, case.input("i32", 3),
                                            case.constant(shape_of((2,)))],
                       [case.value("f32", 3, 2)])
    case.outputs(chosen)
    case.steps = [[case.draw(random, 4, 2), np.array(p, np.int32)]
                  for p in ((0, 3, 3), (2, 1, 0))]
    yield case
    for operator, name, more in (("Scatter", "rows", []), ("ScatterV2", "counted", [5]),
                                 ("ScatterV2", "rows", [-1])):
        case = ListCase(f"FlexTensorList{operator}", "f32", name)
        inputs = [case.input("f32", 2, 3), case.input("i32", 2), case.constant(shape_of((3,)))]
        inputs += [case.constant(np.int32(count)) for count in more]
        items = case.flex("TensorList" + operator, inputs, [case.list()], shape_type="i32")
        case.outputs(case.stack(items, (4, 3), (3,)))
        case.steps = [[case.draw(random, 2, 3), np.array(p, np.int32)] for p in ((3, 0), (1, 3))]
        yield case
    case = ListCase("FlexTensorListScatterIntoExistingList", "f32", "longer")
    items = case.set(case.reserve(2, (3,)), at(1), case.input("f32", 3))
    items = case.flex("TensorListScatterIntoExistingList",
                      [items, case.input("f32", 2, 3), case.input("i32", 2)], [case.list()])
    case.outputs(case.stack(items, (3, 3), (3,)))
    # TensorFlow takes what lies in between when the list gets longer for empty tensors.
    case.steps = [[case.draw(random, 3), case.draw(random, 2, 3), np.array(p, np.int32)]
                  for p in ((2, 0), (1, 0))]
    yield case
    case = ListCase("FlexTensorListSplit", "f32", "lengths")
    items = case.flex("TensorListSplit",
                      [case.input("f32", 5, 2), case.constant(shape_of((-1, 2))),
                       case.constant(np.array([2, 3], np.int64))], [case.list()], shape_type="i32")
    case.outputs(case.get(items, at(0), (2, 2), (-1, 2)), case.get(items, at(1), (3, 2), (-1, 2)))
    case.steps = [[case.draw(random, 5, 2)]]
    yield case
    case = ListCase("FlexTensorListConcatV2", "f32", "lengths")
    items = case.set(case.reserve(3, (-1, 2)), at(0), case.input("f32", 2, 2))
    items = case.set(items, at(2), case.input("f32", 1, 2))
    total, lengths = case.value("f32", 7, 2), case.value("i64", 3)
    case.flex("TensorListConcatV2",
              [items, case.constant(shape_of((-1, 2))),
               case.constant(np.array([9, 4, 9], np.int64))], [total, lengths], shape_type="i32")
    case.outputs(total, lengths)
    case.steps = [[case.draw(random, 2, 2), case.draw(random, 1, 2)]]
    yield case
    case = ListCase("FlexTensorListConcatLists", "f32", "two")
    first = case.set(case.reserve(2, (2,)), at(0), case.input("f32", 2))
    second = case.set(case.reserve(1, (2,)), at(0), case.input("f32", 2))
    items = case.flex("TensorListConcatLists", [first, second], [case.list()])
    case.outputs(case.stack(items, (3, 2), (2,)))
    case.steps = [[case.draw(random, 2), case.draw(random, 2)]]
    yield case


def loop_cases(random):
    """A loop that collects what it computes, as recurrent layers of Keras do."""
    for operator in ("FlexTensorListStack", "FlexTensorListReserve"):
        case = ListCase(operator, "f32", "loop", tolerance="sum")
        values = case.input("f32", 5, 2)
        count, state = case.constant(np.int32(0)), case.constant(np.zeros(2, np.float32))
        items = case.reserve(5, (2,))
        outputs = [case.value("i32"), case.list(), case.value("f32", 2), case.value("f32", 5, 2)]
        condition = case.subgraph("condition")
        state_inputs(case)
        case.outputs(case.op("LESS", [0, case.constant(np.int32(5))], [case.value("bool")],
                             "LessOptions"))
        body = case.subgraph("body")
        index, collected, sums, rows = state_inputs(case)
        row = case.op("GATHER", [rows, index], [case.value("f32", 2)], "GatherOptions")
        sums = case.op("ADD", [sums, row], [case.value("f32", 2)], "AddOptions")
        collected = case.set(collected, index, sums)
        following = case.op("ADD", [index, case.constant(np.int32(1))], [case.value("i32")],
                            "AddOptions")
        case.outputs(following, collected, sums, rows)
        case.main()
        case.op("WHILE", [count, items, state, values], outputs, "WhileOptions",
                condSubgraphIndex=condition, bodySubgraphIndex=body)
        case.outputs(case.stack(outputs[1], (5, 2), (2,)), outputs[2])
        case.steps = [[random.normal(size=(5, 2)).astype(np.float32)] for _ in range(2)]
        yield case


def state_inputs(case):
    """The inputs of a subgraph of the loop."""
    items = [case.input("i32")]
    items.append(case.list())
    case.builder.graph.inputs.append(items[1])
    return items + [case.input("f32", 2), case.input("f32", 5, 2)]


def cases():
    random = np.random.default_rng(20261128)
    for family in (set_cases, get_cases, end_cases, stack_cases, part_cases, loop_cases):
        yield from family(random)

# SPDX-License-Identifier: Apache-2.0
"""Golden cases of operators that run subgraphs or keep values: several subgraphs and steps.

Such a case is a whole model rather than one operator, and may be invoked several times; further
invocations of the same interpreter are the folders step1, step2 …
"""

from dataclasses import dataclass, field

import numpy as np
from ai_edge_litert import schema_py_generated as schema
from flatbuffers import flexbuffers

from golden_case import TYPES, Operand, seed_of, shared_generator
from golden_model import ModelBuilder


@dataclass
class ModelCase:
    """A model and what each invocation is fed."""

    operator: str
    variant: str
    name: str
    kernels: str = "BUILTIN_REF"
    tolerance: str = "arithmetic"
    note: str = ""
    steps: list = field(default_factory=list)

    def __post_init__(self):
        self.seed = seed_of(self.path)
        self.builder = ModelBuilder()

    @property
    def path(self):
        return f"{self.operator}/{self.variant}_{self.name}"

    def subgraph(self, name):
        """Starts another subgraph and gives its index; what follows belongs to it."""
        graph = schema.SubGraphT()
        graph.name = name
        graph.tensors, graph.operators, graph.inputs, graph.outputs = [], [], [], []
        self.builder.model.subgraphs.append(graph)
        self.builder.graph = graph
        return len(self.builder.model.subgraphs) - 1

    def input(self, kind, *shape):
        index = self.value(kind, *shape)
        self.builder.graph.inputs.append(index)
        return index

    def value(self, kind, *shape):
        name = f"tensor_{len(self.builder.graph.tensors)}"
        return self.builder.tensor(name, Operand(kind, "result"), shape)

    def handle(self):
        """A tensor for the handle of a variable or table."""
        index = self.value("i32", 1)
        self.builder.graph.tensors[index].type = schema.TensorType.RESOURCE
        return index

    def constant(self, values):
        values = np.asarray(values)
        kind = next(k for k in ("f32", "i32", "i64", "i8", "u8", "bool")
                    if TYPES[k][1] == values.dtype.type)
        name = f"constant_{len(self.builder.graph.tensors)}"
        return self.builder.tensor(name, Operand(kind, "constant", values), values.shape)

    def op(self, operator, inputs, outputs, table="", **fields):
        self.builder.operator(operator, inputs, outputs, table, fields)
        return outputs[0] if outputs else None

    def op2(self, operator_name, inputs, outputs, table, **fields):
        """An operator whose options are of the schema's second union."""
        self.builder.operator(operator_name, inputs, outputs)
        operator = self.builder.graph.operators[-1]
        operator.builtinOptions2Type = getattr(schema.BuiltinOptions2, table)
        operator.builtinOptions2 = getattr(schema, table + "T")()
        for key, value in fields.items():
            setattr(operator.builtinOptions2, key, value)

    def outputs(self, *tensors):
        self.builder.graph.outputs = list(tensors)

    def main(self):
        """Returns to the first subgraph."""
        self.builder.graph = self.builder.model.subgraphs[0]

    def finish(self):
        return self.builder.finish()


def scalar(value, kind):
    return np.array(value, TYPES[kind][1])


def binary(case, operator, kind, *shape):
    """A subgraph of two inputs of which `operator` makes one output."""
    index = case.subgraph(operator.lower())
    a, b = case.input(kind, *shape), case.input(kind, *shape)
    out = case.op(operator, [a, b], [case.value(kind, *shape)], operator.capitalize() + "Options")
    case.outputs(out)
    return index


def branch_cases(random):
    for kind in ("f32", "i32"):
        for chosen in (True, False):
            case = ModelCase("IF", kind, "then" if chosen else "else")
            condition = case.input("bool")
            a, b = case.input(kind, 2, 3), case.input(kind, 2, 3)
            out = case.value(kind, 2, 3)
            case.outputs(out)
            first, second = binary(case, "ADD", kind, 2, 3), binary(case, "MUL", kind, 2, 3)
            case.main()
            case.op("IF", [condition, a, b], [out], "IfOptions",
                    thenSubgraphIndex=first, elseSubgraphIndex=second)
            draw = [(random.integers(-9, 9, (2, 3))).astype(TYPES[kind][1]) for _ in range(2)]
            case.steps = [[scalar(chosen, "bool")] + draw,
                          [scalar(not chosen, "bool")] + draw]
            yield case
    for chosen in (True, False):
        case = ModelCase("IF", "dynamic_shape", "long" if chosen else "short")
        condition, a = case.input("bool"), case.input("f32", 3)
        out, last = case.value("f32"), case.value("f32")
        case.outputs(last)
        first = case.subgraph("long")
        x = case.input("f32", 3)
        y = case.op("CONCATENATION", [x, x], [case.value("f32", 6)], "ConcatenationOptions")
        case.outputs(y)
        second = case.subgraph("short")
        x = case.input("f32", 3)
        case.outputs(case.op("NEG", [x], [case.value("f32", 3)], "NegOptions"))
        case.main()
        case.op("IF", [condition, a], [out], "IfOptions",
                thenSubgraphIndex=first, elseSubgraphIndex=second)
        case.op("ABS", [out], [last], "AbsOptions")
        numbers = random.standard_normal(3).astype(np.float32)
        case.steps = [[scalar(chosen, "bool"), numbers], [scalar(not chosen, "bool"), numbers]]
        yield case
    for outer in (True, False):
        case = ModelCase("IF", "nested", "outer_then" if outer else "outer_else")
        conditions = [case.input("bool"), case.input("bool")]
        a, b = case.input("f32", 4), case.input("f32", 4)
        out = case.value("f32", 4)
        case.outputs(out)
        add, mul = binary(case, "ADD", "f32", 4), binary(case, "MUL", "f32", 4)
        sub = case.subgraph("sub")
        case.input("bool")
        x, y = case.input("f32", 4), case.input("f32", 4)
        case.outputs(case.op("SUB", [x, y], [case.value("f32", 4)], "SubOptions"))
        inner = case.subgraph("inner")
        c, x, y = case.input("bool"), case.input("f32", 4), case.input("f32", 4)
        z = case.value("f32", 4)
        case.op("IF", [c, x, y], [z], "IfOptions", thenSubgraphIndex=add, elseSubgraphIndex=mul)
        case.outputs(z)
        case.main()
        case.op("IF", [conditions[0], conditions[1], a, b], [out], "IfOptions",
                thenSubgraphIndex=inner, elseSubgraphIndex=sub)
        numbers = [random.standard_normal(4).astype(np.float32) for _ in range(2)]
        case.steps = [[scalar(outer, "bool"), scalar(flag, "bool")] + numbers
                      for flag in (True, False)]
        yield case


def counted(case, kind, limit):
    """A condition on the first of some states: less than `limit`."""
    index = case.subgraph("condition")
    count = case.input(kind, 1)
    return index, count, lambda: case.outputs(
        case.op("LESS", [count, case.constant(np.array([limit], TYPES[kind][1]))],
                [case.value("bool", 1)], "LessOptions"))


def while_cases(random):
    for kind in ("f32", "i32", "i64"):
        for rounds in (0, 1, 7):
            case = ModelCase("WHILE", kind, f"rounds_{rounds}")
            count, state = case.input(kind, 1), case.input(kind, 2, 2)
            outs = [case.value(kind, 1), case.value(kind, 2, 2)]
            case.outputs(*outs)
            condition, _, end = counted(case, kind, rounds)
            case.input(kind, 2, 2)
            end()
            body = case.subgraph("body")
            c, x = case.input(kind, 1), case.input(kind, 2, 2)
            one = case.constant(np.ones(1, TYPES[kind][1]))
            c = case.op("ADD", [c, one], [case.value(kind, 1)], "AddOptions")
            x = case.op("ADD", [x, x], [case.value(kind, 2, 2)], "AddOptions")
            case.outputs(c, x)
            case.main()
            case.op("WHILE", [count, state], outs, "WhileOptions",
                    condSubgraphIndex=condition, bodySubgraphIndex=body)
            start = random.integers(-5, 5, (2, 2)).astype(TYPES[kind][1])
            case.steps = [[np.zeros(1, TYPES[kind][1]), start]]
            yield case
    for rounds in (0, 4):
        case = ModelCase("WHILE", "grow", f"rounds_{rounds}")
        count, state = case.input("i32", 1), case.input("f32", 2)
        outs = [case.value("i32", 1), case.value("f32")]
        last = case.value("f32")
        case.outputs(last)
        condition, _, end = counted(case, "i32", rounds)
        case.input("f32", 2)
        end()
        body = case.subgraph("body")
        c, x = case.input("i32", 1), case.input("f32", 2)
        c = case.op("ADD", [c, case.constant(np.ones(1, np.int32))], [case.value("i32", 1)],
                    "AddOptions")
        x = case.op("CONCATENATION", [x, case.constant(np.array([0.5], np.float32))],
                    [case.value("f32")], "ConcatenationOptions")
        case.outputs(c, x)
        case.main()
        case.op("WHILE", [count, state], outs, "WhileOptions",
                condSubgraphIndex=condition, bodySubgraphIndex=body)
        case.op("NEG", [outs[1]], [last], "NegOptions")
        case.steps = [[np.zeros(1, np.int32), random.standard_normal(2).astype(np.float32)]]
        yield case
    case = ModelCase("WHILE", "multi_state", "swap")
    states = [case.input("i32", 1), case.input("f32", 3), case.input("f32", 3)]
    outs = [case.value("i32", 1), case.value("f32", 3), case.value("f32", 3)]
    case.outputs(*outs)
    condition, _, end = counted(case, "i32", 5)
    case.input("f32", 3), case.input("f32", 3)
    end()
    body = case.subgraph("body")
    c, x, y = case.input("i32", 1), case.input("f32", 3), case.input("f32", 3)
    c = case.op("ADD", [c, case.constant(np.ones(1, np.int32))], [case.value("i32", 1)],
                "AddOptions")
    z = case.op("ADD", [x, y], [case.value("f32", 3)], "AddOptions")
    w = case.op("MUL", [y, case.constant(np.array([0.5], np.float32))], [case.value("f32", 3)],
                "MulOptions")
    case.outputs(c, w, z)
    case.main()
    case.op("WHILE", states, outs, "WhileOptions",
            condSubgraphIndex=condition, bodySubgraphIndex=body)
    case.steps = [[np.zeros(1, np.int32)] + [random.standard_normal(3).astype(np.float32)
                                              for _ in range(2)]]
    yield case
    yield passing_on(random, "fibonacci", lambda case, x, y, z: [
        case.op("ADD", [x, y], [case.value("f32", 3)], "AddOptions"), x, z])
    yield passing_on(random, "rotated", lambda case, x, y, z: [z, x, y])
    yield nested_while(random)


def passing_on(random, name, states):
    """A loop whose body passes inputs on as other outputs: the runtime overwrites them first."""
    case = ModelCase("WHILE", "multi_state", name)
    inputs = [case.input("i32", 1)] + [case.input("f32", 3) for _ in range(3)]
    outs = [case.value("i32", 1)] + [case.value("f32", 3) for _ in range(3)]
    case.outputs(*outs)
    condition, _, end = counted(case, "i32", 4)
    for _ in range(3):
        case.input("f32", 3)
    end()
    body = case.subgraph("body")
    c, parts = case.input("i32", 1), [case.input("f32", 3) for _ in range(3)]
    c = case.op("ADD", [c, case.constant(np.ones(1, np.int32))], [case.value("i32", 1)],
                "AddOptions")
    case.outputs(c, *states(case, *parts))
    case.main()
    case.op("WHILE", inputs, outs, "WhileOptions",
            condSubgraphIndex=condition, bodySubgraphIndex=body)
    case.steps = [[np.zeros(1, np.int32)] + [random.standard_normal(3).astype(np.float32)
                                              for _ in range(3)]]
    return case


def nested_while(random):
    """A loop in a loop: the inner one doubles twice in each of three rounds."""
    case = ModelCase("WHILE", "nested", "three_by_two")
    states = [case.input("i32", 1), case.input("f32", 2)]
    outs = [case.value("i32", 1), case.value("f32", 2)]
    case.outputs(*outs)
    outer, _, end = counted(case, "i32", 3)
    case.input("f32", 2)
    end()
    inner, _, end = counted(case, "i32", 2)
    case.input("f32", 2)
    end()
    one = np.ones(1, np.int32)
    double = case.subgraph("double")
    c, x = case.input("i32", 1), case.input("f32", 2)
    c = case.op("ADD", [c, case.constant(one)], [case.value("i32", 1)], "AddOptions")
    x = case.op("ADD", [x, x], [case.value("f32", 2)], "AddOptions")
    case.outputs(c, x)
    body = case.subgraph("body")
    c, x = case.input("i32", 1), case.input("f32", 2)
    results = [case.value("i32", 1), case.value("f32", 2)]
    case.op("WHILE", [case.constant(np.zeros(1, np.int32)), x], results, "WhileOptions",
            condSubgraphIndex=inner, bodySubgraphIndex=double)
    c = case.op("ADD", [c, case.constant(one)], [case.value("i32", 1)], "AddOptions")
    case.outputs(c, results[1])
    case.main()
    case.op("WHILE", states, outs, "WhileOptions",
            condSubgraphIndex=outer, bodySubgraphIndex=body)
    case.steps = [[np.zeros(1, np.int32), random.standard_normal(2).astype(np.float32)]]
    return case


def variable(case, name):
    handle = case.handle()
    case.op("VAR_HANDLE", [], [handle], "VarHandleOptions", sharedName=name, container="")
    return handle


def variable_cases(random):
    """Variables that CALL_ONCE fills and every invocation adds to."""
    for operator, kind in [("CALL_ONCE", k) for k in ("f32", "i32", "i64", "i8", "u8", "bool")] + [
            ("READ_VARIABLE", "loop"), ("ASSIGN_VARIABLE", "order"), ("VAR_HANDLE", "two_vars")]:
        element = kind if kind in TYPES else "f32"
        case = ModelCase(operator, kind, "counter")
        x, out = case.input(element, 2), None
        names = ["first", "second"] if operator == "VAR_HANDLE" else ["only"]
        start = case.subgraph("start")
        for place, name in enumerate(names):
            initial = np.array([place + 1, 0], TYPES[element][1])
            case.op("ASSIGN_VARIABLE", [variable(case, name), case.constant(initial)], [],
                    "AssignVariableOptions")
        case.main()
        case.op("CALL_ONCE", [], [], "CallOnceOptions", initSubgraphIndex=start)
        results = []
        for name in names:
            handle = variable(case, name)
            value = case.op("READ_VARIABLE", [handle], [case.value(element, 2)],
                            "ReadVariableOptions")
            if element in ("i8", "u8"):
                out = x
            elif element == "bool":
                out = case.op("LOGICAL_OR", [value, x], [case.value("bool", 2)], "LogicalOrOptions")
            else:
                out = case.op("ADD", [value, x], [case.value(element, 2)], "AddOptions")
            case.op("ASSIGN_VARIABLE", [handle, out], [], "AssignVariableOptions")
            if operator == "ASSIGN_VARIABLE":
                out = case.op("READ_VARIABLE", [handle], [case.value(element, 2)],
                              "ReadVariableOptions")
            results += [value, out]
        case.outputs(*results)
        case.steps = [[random.integers(0, 5, 2).astype(TYPES[element][1])] for _ in range(3)]
        yield case


def stablehlo_cases(random):
    for index in (0, 1, 2, -1, 7):
        case = ModelCase("STABLEHLO_CASE", "f32", f"index_{index}".replace("-", "minus_"),
                         kernels="BUILTIN_WITHOUT_DEFAULT_DELEGATES")
        which, a, b = case.input("i32"), case.input("f32", 3), case.input("f32", 3)
        out = case.value("f32", 3)
        case.outputs(out)
        branches = [binary(case, name, "f32", 3) for name in ("ADD", "MUL", "SUB")]
        case.main()
        case.op2("STABLEHLO_CASE", [which, a, b], [out], "StablehloCaseOptions",
                 branchSubgraphIndices=branches)
        case.steps = [[scalar(index, "i32")] + [random.standard_normal(3).astype(np.float32)
                                               for _ in range(2)]]
        yield case
    case = ModelCase("STABLEHLO_COMPOSITE", "f32", "add")
    a, b = case.input("f32", 3), case.input("f32", 3)
    out = case.value("f32", 3)
    case.outputs(out)
    inside = binary(case, "ADD", "f32", 3)
    case.main()
    attributes = flexbuffers.Builder()
    with attributes.Map():
        pass
    case.op2("STABLEHLO_COMPOSITE", [a, b], [out], "StableHLOCompositeOptions",
             name="test.add", decompositionSubgraphIndex=inside,
             compositeAttributes=np.frombuffer(attributes.Finish(), np.uint8))
    case.steps = [[random.standard_normal(3).astype(np.float32) for _ in range(2)]]
    yield case


def cases():
    random = shared_generator(20)
    for family in (branch_cases, while_cases, variable_cases, stablehlo_cases):
        yield from family(random)

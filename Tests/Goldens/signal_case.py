# SPDX-License-Identifier: Apache-2.0
"""Golden cases of the operators of TensorFlow Lite Micro's audio front end, run by that runtime.

    case = SignalCase("SignalWindow", "i16", "one_frame", shift=12)
    case.feeds(lambda: case.codes(1, 480, kind="i16"))
    case.result("i16", shape=(1, 480))

LiteRT lacks these operators; golden_run.py runs such a case on tflite-micro. A case is invoked as
often as its `invocations` say, each time with other values.
"""

from flatbuffers import flexbuffers
from tflite_micro.python.tflite_micro import runtime

from golden_case import KIND_OF, Case, Operand
from golden_model import ModelBuilder, build

# Bytes for all tensors and states of a case.
ARENA = 1 << 22


def options(values):
    """A FlexBuffer map."""
    builder = flexbuffers.Builder()
    with builder.Map():
        for key in sorted(values):
            if isinstance(values[key], bool):
                builder.Bool(key, values[key])
            else:
                builder.Int(key, values[key])
    return bytes(builder.Finish())


class SignalCase(Case):
    """A case of one operator, which may be invoked several times."""

    engine = "tflite-micro"

    def __init__(self, operator, variant, name, invocations=1, tolerance="arithmetic", **values):
        super().__init__(operator, variant, name, tolerance, "tflite-micro")
        self.custom = options(values)
        self.steps = [[] for _ in range(invocations)]

    def feeds(self, draw):
        """An operand whose values `draw` gives anew for each invocation."""
        for feed in self.steps:
            feed.append(draw())
        self.fed(self.steps[0][-1])

    def finish(self):
        return build(self)


class FrontEndCase(SignalCase):
    """A chain of operators from one input to one output."""

    def __init__(self, operator, variant, name, invocations):
        super().__init__(operator, variant, name, invocations)
        self.model = ModelBuilder()
        self.last = []

    def input(self, kind, shape, draw):
        self.feeds(draw)
        self.last = [self.model.tensor("input", Operand(kind, "fed"), shape)]
        self.model.graph.inputs = list(self.last)

    def apply(self, operator, results, constants=(), inputs=None, **values):
        """Adds an operator of the tensors `inputs`, or of the last results, and of constants."""
        place = len(self.model.graph.tensors)
        inputs = list(self.last if inputs is None else inputs)
        for index, array in enumerate(constants):
            operand = Operand(KIND_OF[array.dtype.type], "constant", array)
            inputs.append(self.model.tensor(f"constant_{place}_{index}", operand, array.shape))
        self.last = [self.model.tensor(f"{operator}_{index}", Operand(kind, "result"), shape)
                     for index, (kind, shape) in enumerate(results)]
        custom = options(values) if operator.startswith("Signal") else None
        self.model.operator(operator, inputs, self.last, custom=custom)
        return self.last

    def finish(self):
        self.model.graph.outputs = list(self.last)
        return self.model.finish()


class MicroInterpreter:
    """TensorFlow Lite Micro's interpreter with what golden_run.py calls."""

    def __init__(self, model):
        self.micro = runtime.Interpreter.from_bytes(model, arena_size=ARENA)

    def run(self, feed, count):
        """The outputs of an invocation."""
        for index, values in enumerate(feed):
            self.micro.set_input(values, index)
        self.micro.invoke()
        return [self.micro.get_output(index).copy() for index in range(count)]

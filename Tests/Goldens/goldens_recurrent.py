# SPDX-License-Identifier: Apache-2.0
"""A golden case of one recurrent operator that is invoked three times with the same states."""

from dataclasses import dataclass, field

import numpy as np

from golden_case import TYPES, Case, Operand, per_channel, seed_of
from golden_model import ModelBuilder

STEPS = 3


@dataclass
class RecurrentCase:
    """One operator, its operands in order, and what each invocation is fed."""

    operator: str
    variant: str
    name: str
    kernels: str = "BUILTIN_REF"
    tolerance: str = "recurrent"
    note: str = ""
    steps: list = field(default_factory=lambda: [[] for _ in range(STEPS)])

    def __post_init__(self):
        self.seed = seed_of(self.path)
        self.random = np.random.default_rng(self.seed)
        self.builder = ModelBuilder()
        self.inputs, self.outputs, self.intermediates = [], [], []

    @property
    def path(self):
        return f"{self.operator}/{self.variant}_{self.name}"

    normal = Case.normal
    codes = Case.codes
    weights = Case.weights

    def fed_floats(self, *shape, zero=False):
        """A sequence; `zero` makes it zero in the second invocation."""
        index = self._tensor("f32", "fed", None, shape)
        self._feed(index, [
            np.zeros(shape, np.float32) if zero and step == 1 else self.sequence(*shape)
            for step in range(STEPS)
        ])

    def sequence(self, *shape):
        """The values of one invocation."""
        return self.normal(*shape)

    def fed_codes(self, kind, scale, zero, *shape):
        index = self._tensor(kind, "fed", None, shape, scale, zero)
        self._feed(index, [self.codes(*shape, kind=kind) for _ in range(STEPS)])

    def constant(self, values, kind, scale=(), zero=0):
        values = np.asarray(values).astype(TYPES[kind][1])
        self.inputs.append(self._tensor(kind, "constant", values, values.shape, scale, zero))

    def sparse(self, stored, kind, scale, shape, sparsity):
        """A constant of which only some values are stored."""
        self.inputs.append(self._tensor(kind, "constant", stored, shape, scale))
        self.builder.graph.tensors[-1].sparsity = sparsity

    def variable(self, kind, *shape, scale=(), zero=0):
        self.inputs.append(self._tensor(kind, "variable", None, shape, scale, zero))

    def missing(self):
        self.inputs.append(-1)

    def intermediate(self, kind, scale, zero):
        self.intermediates.append(self._tensor(kind, "intermediate", None, (), scale, zero))

    def result(self, kind, *shape, scale=(), zero=0):
        self.outputs.append(self._tensor(kind, "result", None, shape, scale, zero))

    def options(self, table, **fields):
        graph = self.builder.graph
        self.builder.operator(self.operator, self.inputs, self.outputs, table, fields)
        graph.operators[0].intermediates = self.intermediates or None
        graph.outputs = list(self.outputs)
        return self

    def finish(self):
        return self.builder.finish()

    def _feed(self, index, values):
        self.inputs.append(index)
        self.builder.graph.inputs.append(index)
        for step, array in zip(self.steps, values):
            step.append(array)

    def _tensor(self, kind, role, values, shape, scale=(), zero=0):
        scales, zeros = per_channel(scale, zero)
        operand = Operand(kind, role, values, shape, scales, zeros)
        return self.builder.tensor(f"{role}_{len(self.builder.graph.tensors)}", operand, shape)

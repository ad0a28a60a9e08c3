# SPDX-License-Identifier: Apache-2.0
"""A golden case: one operator, its operands and the values they are given.

A family module makes cases like this:

    case = Case("ADD", "f32", "broadcast")
    case.fed(case.normal(2, 3))
    case.fed(case.normal(3))
    case.result("f32")
    case.options("AddOptions", fusedActivationFunction=RELU6)
    yield case

Types are named as in the catalog of operators: f32 f16 bf16 f64 i2 i4 u4 i8 u8 i16 u16 i32 u32
i64 u64 bool c64 c128 str. Values of 2 and 4-bit types are held one per byte.
"""

import math
import zlib
from dataclasses import dataclass, field

import ml_dtypes
import numpy as np

TYPES = {
    "f32": ("FLOAT32", np.float32),
    "f16": ("FLOAT16", np.float16),
    "bf16": ("BFLOAT16", ml_dtypes.bfloat16),
    "f64": ("FLOAT64", np.float64),
    "i2": ("INT2", np.int8),
    "i4": ("INT4", np.int8),
    "u4": ("UINT4", np.uint8),
    "i8": ("INT8", np.int8),
    "u8": ("UINT8", np.uint8),
    "i16": ("INT16", np.int16),
    "u16": ("UINT16", np.uint16),
    "i32": ("INT32", np.int32),
    "u32": ("UINT32", np.uint32),
    "i64": ("INT64", np.int64),
    "u64": ("UINT64", np.uint64),
    "bool": ("BOOL", np.bool_),
    "c64": ("COMPLEX64", np.complex64),
    "c128": ("COMPLEX128", np.complex128),
    "str": ("STRING", np.bytes_),
}

# A scale and a zero point for operators that only move values.
AFFINE = {"i4": (0.5, 0), "i8": (0.05, -7), "u8": (0.05, 120), "i16": (0.0003, 0)}

RANGES = {"i2": (-2, 1), "i4": (-8, 7), "u4": (0, 15)}

KIND_OF = {scalar: kind for kind, (_, scalar) in TYPES.items() if kind not in RANGES}

# Another number here gives all cases other values; make_goldens.py sets it.
BASE_SEED = 0

# Values of the schema's enumerations.
SAME, VALID = 0, 1
NONE, RELU, RELU_N1_TO_1, RELU6, TANH, SIGN_BIT = range(6)


def seed_of(path):
    """The seed of a case: the CRC-32 of its path, and of the base seed unless that is 0."""
    return zlib.crc32(f"{path} {BASE_SEED}".encode() if BASE_SEED else path.encode())


def shared_generator(usual):
    """A generator that several cases of a family draw from."""
    return np.random.default_rng(usual + BASE_SEED)


def code_range(kind):
    """The least and greatest value of an integer type."""
    if kind in RANGES:
        return RANGES[kind]
    info = np.iinfo(TYPES[kind][1])
    return int(info.min), int(info.max)


@dataclass
class Operand:
    """A tensor of the model: fed, constant, variable or a result."""

    kind: str
    role: str
    values: np.ndarray | None = None
    shape: tuple | None = None
    scale: tuple = ()
    zero: tuple = ()
    axis: int = 0
    sparsity: object = None
    block_scales: np.ndarray | None = None
    block_length: int = 0


@dataclass
class Case:
    """One operator with its operands; `tolerance` is a key of golden_run.ULPS.

    `computation` are the operators of subgraph 1, which combines two scalars of operand 0's type.
    """

    operator: str
    variant: str
    name: str
    tolerance: str = "arithmetic"
    kernels: str = "BUILTIN_REF"
    note: str = ""
    operands: list = field(default_factory=list)
    table: str = ""
    fields: dict = field(default_factory=dict)
    custom: bytes | None = None
    computation: list | None = None

    def __post_init__(self):
        self.seed = seed_of(self.path)
        self.random = np.random.default_rng(self.seed)

    @property
    def path(self):
        return f"{self.operator}/{self.variant}_{self.name}"

    @property
    def kind(self):
        """The type that a variant such as `i8` or `i8_q` names."""
        return self.variant.removesuffix("_q")

    def fed(self, values, kind="", scale=(), zero=0, axis=0):
        """An operand whose values arrive with every invocation."""
        return self._add("fed", values, kind, scale, zero, axis)

    def constant(self, values, kind="", scale=(), zero=0, axis=0):
        """An operand whose values are in the model file."""
        return self._add("constant", values, kind, scale, zero, axis)

    def missing(self):
        """An optional operand left out (index -1)."""
        self.operands.append(Operand("", "missing"))

    def result(self, kind, scale=(), zero=0, axis=0, shape=None):
        """An output; its declared shape is the one the runtime computes unless given."""
        scales, zeros = per_channel(scale, zero)
        self.operands.append(Operand(kind, "result", None, shape, scales, zeros, axis))

    def options(self, table, **fields):
        """The options table, with the schema's field names in camel case."""
        self.table, self.fields = table, fields
        return self

    def normal(self, *shape, spread=1.0, kind="f32"):
        """Normally distributed values."""
        return (self.random.standard_normal(shape) * spread).astype(TYPES[kind][1])

    def codes(self, *shape, kind="i8", low=None, high=None):
        """Uniform integers over the type's range, or over low…high."""
        least, greatest = code_range(kind)
        low = least if low is None else low
        high = greatest if high is None else high
        wide = np.uint64 if kind == "u64" else np.int64
        drawn = self.random.integers(low, high, shape, dtype=wide, endpoint=True)
        return np.asarray(drawn).astype(TYPES[kind][1])

    def weights(self, *shape, kind="i8"):
        """Quantized values without int8's least one, which symmetric weights never have.

        The runtime's hybrid kernels negate weights within int8 and get it wrong; they read uint8
        weights as signed, too.
        """
        codes = self.codes(*shape, kind=kind)
        if kind in ("i8", "u8"):
            codes[codes == (-128 if kind == "i8" else 128)] = 77
        return codes

    def drawn(self, *shape, kind="f32"):
        """Values of any type, small enough to tell apart by eye."""
        if kind == "bool":
            return self.random.random(shape) < 0.5
        if kind == "str":
            words = [f"{i:x}" * (i % 4) for i in self.random.integers(0, 4096, math.prod(shape))]
            return np.array(words, np.bytes_).reshape(shape)
        if kind in ("c64", "c128"):
            parts = self.normal(*shape) + 1j * self.normal(*shape)
            return parts.astype(TYPES[kind][1])
        if kind in ("f32", "f16", "bf16", "f64"):
            return self.normal(*shape, spread=3, kind=kind)
        return self.codes(*shape, kind=kind)

    def _add(self, role, values, kind, scale, zero, axis):
        values = np.asarray(values)
        if not kind:
            kind = KIND_OF[values.dtype.type]
        if kind != "str":
            values = values.astype(TYPES[kind][1])
        scales, zeros = per_channel(scale, zero)
        operand = Operand(kind, role, values, values.shape, scales, zeros, axis)
        self.operands.append(operand)
        return operand


def rows_for(kind, rows):
    """All rows for float32 and int8, the last one for types that merely share their loop."""
    rows = list(rows)
    return rows if kind in ("f32", "i8") else rows[-1:]


def per_channel(scale, zero):
    """Scales and zero points as equally long tuples."""
    scales = tuple(float(s) for s in np.atleast_1d(np.asarray(scale, np.float64)))
    zeros = tuple(int(z) for z in np.atleast_1d(zero))
    if len(zeros) == 1:
        zeros *= len(scales)
    return scales, zeros if scales else ()

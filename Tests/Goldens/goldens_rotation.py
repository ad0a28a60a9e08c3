# SPDX-License-Identifier: Apache-2.0
"""The rotation that AI Edge Quantizer puts before operators: aeq.hadamard_rotation."""

from flatbuffers import flexbuffers

from golden_case import Case


def options(size, signs):
    builder = flexbuffers.Builder()
    with builder.Map():
        builder.Int("hadamard_size", size)
        with builder.Vector("random_binary_vector"):
            for sign in signs:
                builder.Int(sign)
    return bytes(builder.Finish())


def rotation(name, shape, size):
    # The reference resolver does not have it.
    case = Case("aeq.hadamard_rotation", "f32", name, "sum", "AUTO")
    case.fed(case.normal(*shape))
    case.result("f32", shape=shape)
    case.custom = options(size, [1 - 2 * (i % 2) for i in range(size)])
    return case


def cases():
    yield rotation("whole_rows", (2, 3, 16), 16)
    yield rotation("blocks", (5, 32), 8)
    yield rotation("pairs", (2, 2, 6), 2)
    yield rotation("single", (3, 5), 1)

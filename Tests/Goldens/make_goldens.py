#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the golden cases of single operators: what the real runtime answers, as files.

    python3 -m pip install -r requirements.txt
    python3 make_goldens.py [OPERATOR ...]

Without arguments every case of every family is written again, else those of the operators named.
Each case becomes OPERATOR/VARIANT_NAME/ with model.tflite, in_<i>.npy, out_<i>.npy and case.json
(engine, version, kernels, rounding, seed, absolute tolerance per float output; the rule is in
golden_run.py). Inputs come from generators seeded with the CRC-32 of the case's path, so that the
script gives the same bytes each time and a new case changes no other one.

Kernels are the runtime's reference kernels without a delegate; where those lack an operator or are
wrong (CEIL, ELU, ROUND, SUM of int8 and int16, LOCAL_RESPONSE_NORMALIZATION) they are its default
ones, still without a delegate, and case.json says so. Cases that the runtime refuses are listed
and left out.
"""

import importlib
import os
import shutil
import sys
from collections import Counter

from golden_run import write

FAMILIES = [
    "goldens_binary",
    "goldens_unary",
    "goldens_convolution",
    "goldens_matrix",
    "goldens_pooling",
    "goldens_reduction",
    "goldens_normalization",
    "goldens_layout",
    "goldens_slicing",
    "goldens_indexing",
    "goldens_resize",
    "goldens_quantization",
    "goldens_detection",
    "goldens_random",
    "goldens_signal",
    "goldens_stablehlo",
    "goldens_mediapipe",
    "goldens_control",
    "goldens_elements",
    "goldens_segments",
    "goldens_tables",
    "goldens_volumes",
    "goldens_sequence",
    "goldens_comparison",
    "goldens_select",
    "goldens_numbers",
    "goldens_movement",
    "goldens_hashtable",
    "goldens_gru",
]


def main(names):
    root = os.path.dirname(os.path.abspath(__file__))
    cases = [case for name in FAMILIES for case in importlib.import_module(name).cases()]
    if names:
        cases = [case for case in cases if case.operator in names]
    doubles = [path for path, count in Counter(c.path for c in cases).items() if count > 1]
    if doubles:
        sys.exit(f"cases with one path: {' '.join(doubles)}")
    for operator in {case.operator for case in cases}:
        shutil.rmtree(os.path.join(root, operator), ignore_errors=True)
    written = 0
    for case in cases:
        reason = write(case, root)
        if reason is None:
            written += 1
        else:
            print(f"refused {case.path}: {reason}")
    print(f"{written} cases written, {len(cases) - written} refused")


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the golden cases of single operators: what the real runtime answers, as files.

    python3 -m pip install -r requirements.txt
    python3 make_goldens.py [OPERATOR ...]
    python3 make_goldens.py --into FOLDER [--seed N] [--drawn COUNT] [OPERATOR ...]

Without arguments every case of every family is written again, else those of the operators named.
Fresh cases to check the kernels with, which are not kept here, go into another folder: --seed gives
the same cases other values, --drawn adds COUNT cases per operator and variant whose shapes,
attributes and quantization are drawn at random, too (golden_draw.py).
Each case becomes the folder VARIANT_NAME of OPERATOR.zip (golden_archive.py) with model.tflite,
in_<i>.npy, out_<i>.npy and a member of the archive's cases.json (engine, version, kernels, rounding,
seed, absolute tolerance per float output; the rule is in golden_run.py). Inputs come from generators seeded with the CRC-32 of the case's path, so that the
script gives the same bytes each time and a new case changes no other one.

Kernels are the runtime's reference kernels without a delegate; where those lack an operator or are
wrong (CEIL, ELU, ROUND, SUM of int8 and int16, LOCAL_RESPONSE_NORMALIZATION) they are its default
ones, still without a delegate, and case.json says so. Cases that the runtime refuses are listed
and left out.
"""

import argparse
import importlib
import os
import sys
import tempfile
from collections import Counter

import golden_case
from golden_archive import pack_all
from golden_draw import Draw
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
    "goldens_frontend",
    "goldens_stablehlo",
    "goldens_mediapipe",
    "goldens_rotation",
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
    "goldens_beyond",
    "goldens_lists",
]


DRAWN = [
    "drawn_binary",
    "drawn_comparison",
    "drawn_control",
    "drawn_convolution",
    "drawn_detection",
    "drawn_elements",
    "drawn_embedding",
    "drawn_filling",
    "drawn_indexing",
    "drawn_layout",
    "drawn_matrix",
    "drawn_mediapipe",
    "drawn_normalization",
    "drawn_numbers",
    "drawn_pooling",
    "drawn_quantization",
    "drawn_recurrent_integer",
    "drawn_reduction",
    "drawn_resize",
    "drawn_select",
    "drawn_sequence",
    "drawn_signal",
    "drawn_slicing",
    "drawn_stablehlo",
    "drawn_unary",
    "drawn_volumes",
]

# How often a drawn case that the runtime refuses is drawn again.
ATTEMPTS = 8


def all_of(attribute, modules):
    return [getattr(importlib.import_module(name), attribute) for name in modules]


def fixed_cases(names):
    """The cases that the families list."""
    found = [case for cases in all_of("cases", FAMILIES) for case in cases()]
    found = [case for case in found if not names or case.operator in names]
    doubles = [path for path, count in Counter(c.path for c in found).items() if count > 1]
    if doubles:
        sys.exit(f"cases with one path: {' '.join(doubles)}")
    return found


def drawn_case(operator, variant, function, number, root):
    """Writes one drawn case; gives the runtime's last reason if it refuses all attempts."""
    for attempt in range(ATTEMPTS):
        case = golden_case.Case(operator, variant, f"drawn_{number}_{attempt}")
        case = function(case, Draw(case.random)) or case
        reason = write(case, root)
        if reason is None:
            return None
    return f"{case.path}: {reason}"


def write_drawn(names, count, root):
    """Writes `count` drawn cases of each operator and variant."""
    written = 0
    for table in all_of("DRAWN", DRAWN):
        for operator, (variants, function) in table.items():
            if names and operator not in names:
                continue
            for variant in variants.split():
                for number in range(count):
                    reason = drawn_case(operator, variant, function, number, root)
                    written += reason is None
                    if reason:
                        print(f"refused {reason}")
    print(f"{written} drawn cases written")


def main(options):
    here = os.path.dirname(os.path.abspath(__file__))
    into = options.into or here
    if into == here and (options.seed or options.drawn):
        sys.exit("cases with another seed, and drawn ones, go --into another folder")
    golden_case.BASE_SEED = options.seed
    with tempfile.TemporaryDirectory() as root:
        write_all(options, root)
        pack_all(root, into)


def write_all(options, root):
    """Writes the folders of all cases that are asked for."""
    cases = [] if options.only_drawn else fixed_cases(options.operators)
    refusals = [(case.path, write(case, root)) for case in cases]
    for path, reason in refusals:
        if reason is not None:
            print(f"refused {path}: {reason}")
    refused = sum(reason is not None for _, reason in refusals)
    print(f"{len(cases) - refused} cases written, {refused} refused")
    if options.drawn:
        write_drawn(options.operators, options.drawn, root)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--into", metavar="FOLDER", help="where cases go (default: here)")
    parser.add_argument("--seed", type=int, default=0, help="a seed for other values (default: 0)")
    parser.add_argument("--drawn", type=int, default=0, metavar="COUNT", help="drawn cases")
    parser.add_argument("--only-drawn", action="store_true", help="no cases but drawn ones")
    parser.add_argument("operators", nargs="*", metavar="OPERATOR")
    main(parser.parse_args())

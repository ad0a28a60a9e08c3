// SPDX-License-Identifier: Apache-2.0
//
// Where callgrind counts: instructions.py calls these from Python.

#include <valgrind/callgrind.h>

void start_counting(void) { CALLGRIND_START_INSTRUMENTATION; }
void stop_counting(void) { CALLGRIND_STOP_INSTRUMENTATION; }

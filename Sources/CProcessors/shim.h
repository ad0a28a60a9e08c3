// SPDX-License-Identifier: Apache-2.0

// What Linux tells a program of the processors, which Swift's modules of C libraries lack.
#ifdef __linux__
#include <stddef.h>
#include <sys/auxv.h>

// The header declares it for programs that ask for GNU's extensions alone, and no module does.
int allowedProcessors(int process, size_t byteCount, void *mask) __asm__("sched_getaffinity");
#endif

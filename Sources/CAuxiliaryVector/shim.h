// SPDX-License-Identifier: Apache-2.0

// What Linux tells of the processor when it starts a program, which Swift's modules of C libraries lack.
#ifdef __linux__
#include <sys/auxv.h>
#endif

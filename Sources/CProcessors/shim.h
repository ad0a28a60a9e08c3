// SPDX-License-Identifier: Apache-2.0

// What Linux and the processors tell a program, which Swift's modules of C libraries lack.
#ifdef __linux__
#include <stddef.h>
#include <sys/auxv.h>

// The header declares it for programs that ask for GNU's extensions alone, and no module does.
int allowedProcessors(int process, size_t byteCount, void *mask) __asm__("sched_getaffinity");
#endif

#ifdef __x86_64__
#include <cpuid.h>
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#endif

struct CPUIDRegisters {
  unsigned int eax, ebx, ecx, edx;
};

// What CPUID answers to one of the numbers 1, 7 and 0x80000001 and a part of it, zeros where the processor has none.
//
// glibc asks once, when a process begins: virtual machines intercept the instruction, which takes microseconds then.
static inline struct CPUIDRegisters cpuidRegisters(unsigned int number, unsigned int part) {
  struct CPUIDRegisters answer = {0, 0, 0, 0};
#ifdef _SYS_PLATFORM_X86_H
  unsigned int index = number == 1   ? CPUID_INDEX_1
                       : number != 7 ? CPUID_INDEX_80000001
                       : part == 0   ? CPUID_INDEX_7
                                     : CPUID_INDEX_7_ECX_1;
  const unsigned int *known = __x86_get_cpuid_feature_leaf(index)->cpuid_array;
  answer = (struct CPUIDRegisters){known[0], known[1], known[2], known[3]};
#else
  __get_cpuid_count(number, part, &answer.eax, &answer.ebx, &answer.ecx, &answer.edx);
#endif
  return answer;
}

// Asks Linux for the state of AMX's tile registers, which it saves for processes alone that ask: arch_prctl with
// ARCH_REQ_XCOMP_PERM. 0 where it is granted.
static inline long requestTileData(void) {
#ifdef __linux__
  long answer;
  __asm__ volatile("syscall" : "=a"(answer) : "a"(158L), "D"(0x1023L), "S"(18L) : "rcx", "r11", "memory");
  return answer;
#else
  return -1;
#endif
}

// The components of a thread's state that the system saves, as XGETBV says; only where CPUID has OSXSAVE.
static inline unsigned int savedStateComponents(void) {
  unsigned int low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}
#endif

// SPDX-License-Identifier: Apache-2.0
// Makes a library that is loaded see a processor of a lower level: its CPUID instructions become UD2,
// which has the same length, and the signal that UD2 raises answers what CPUID answers, less the
// features of AVX-512, AMX and GFNI, and where the level has none, of AVX-VNNI and of AVX.

#define _GNU_SOURCE
#include <cpuid.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { most_sites = 4096, instruction_length = 2 };

static const uint8_t cpuid_code[instruction_length] = {0x0F, 0xA2};
static const uint8_t ud2_code[instruction_length] = {0x0F, 0x0B};

static uint8_t *sites[most_sites];
static int site_count;
static long answers;
static int has_avx, has_avx_vnni;

// Intel's manual, volume 2, CPUID: leaf 1, bits of AVX (FMA, AVX, F16C); leaf 7, bits of AVX2 and of
// AVX-512 (F, DQ, IFMA, PF, ER, CD, BW, VL; VBMI, VBMI2, GFNI, VNNI, BITALG, VPOPCNTDQ; 4VNNIW,
// 4FMAPS, VP2INTERSECT, AMX, FP16), and subleaf 1, whose first word has AVX-VNNI.
static void without_wide_features(uint32_t leaf, uint32_t subleaf, uint32_t *values) {
  if (leaf == 1 && !has_avx) {
    values[2] &= ~(1u << 12 | 1u << 28 | 1u << 29);
  } else if (leaf == 7 && subleaf == 0) {
    values[1] &= ~(1u << 16 | 1u << 17 | 1u << 21 | 0x3Fu << 26);
    if (!has_avx) values[1] &= ~(1u << 5);
    values[2] &= ~(1u << 1 | 1u << 6 | 1u << 8 | 1u << 11 | 1u << 12 | 1u << 14);
    values[3] &= ~(1u << 2 | 1u << 3 | 1u << 8 | 1u << 22 | 1u << 23 | 1u << 24 | 1u << 25);
  } else if (leaf == 7) {
    values[0] &= subleaf == 1 && has_avx_vnni ? 1u << 4 : 0;
    values[1] = values[2] = values[3] = 0;
  }
}

static void answer(int signal_number, siginfo_t *info, void *state) {
  greg_t *registers = ((ucontext_t *)state)->uc_mcontext.gregs;
  int known = 0;
  for (int i = 0; i < site_count; i++) known |= sites[i] == (uint8_t *)registers[REG_RIP];
  if (!known) {
    signal(signal_number, SIG_DFL);
    return;
  }
  uint32_t leaf = registers[REG_RAX], subleaf = registers[REG_RCX], values[4];
  __cpuid_count(leaf, subleaf, values[0], values[1], values[2], values[3]);
  without_wide_features(leaf, subleaf, values);
  registers[REG_RAX] = values[0];
  registers[REG_RBX] = values[1];
  registers[REG_RCX] = values[2];
  registers[REG_RDX] = values[3];
  registers[REG_RIP] += instruction_length;
  answers++;
}

// Says what the level has of what it may lack.
void keep_features(int avx, int avx_vnni) {
  has_avx = avx;
  has_avx_vnni = avx_vnni;
}

// Replaces the instruction at an address; 0 if that is no CPUID or cannot be written.
int replace_instruction(uint8_t *site) {
  if (site_count == most_sites || memcmp(site, cpuid_code, instruction_length) != 0) return 0;
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
  if (site_count == 0 && sigaction(SIGILL, &action, NULL) != 0) return 0;
  uintptr_t page = (uintptr_t)site & -(uintptr_t)getpagesize();
  size_t length = (uintptr_t)site + instruction_length - page;
  if (mprotect((void *)page, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 0;
  sites[site_count++] = site;
  memcpy(site, ud2_code, instruction_length);
  return mprotect((void *)page, length, PROT_READ | PROT_EXEC) == 0;
}

// How often a replaced instruction was answered.
long answer_count(void) { return answers; }

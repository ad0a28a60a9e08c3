// SPDX-License-Identifier: Apache-2.0
//
// What the language's runtime asks of a C library. A page makes an instance of the module for each
// call and then forgets it, so memory is handed out from the heap's start on and never taken back.
#include <stddef.h>
#include <stdint.h>

enum { pageSize = 65536, outOfMemory = 12 };

extern unsigned char __heap_base;
static uintptr_t next;

int posix_memalign(void **result, size_t alignment, size_t byteCount) {
  if (next == 0) next = (uintptr_t)&__heap_base;
  uintptr_t start = (next + alignment - 1) & ~(uintptr_t)(alignment - 1);
  uintptr_t end = start + byteCount;
  if (start < next || end < start) return outOfMemory;
  uintptr_t available = __builtin_wasm_memory_size(0) * pageSize;
  if (end > available &&
      __builtin_wasm_memory_grow(0, (end - available + pageSize - 1) / pageSize) == (size_t)-1)
    return outOfMemory;
  next = end;
  *result = (void *)start;
  return 0;
}

void free(void *memory) { (void)memory; }

// Tables of strings need no secret seed in a page.
void arc4random_buf(void *buffer, size_t byteCount) { __builtin_memset(buffer, 0, byteCount); }

// The compiler guards the stack of functions that hold buffers.
uintptr_t __stack_chk_guard = 0x5ca1ab1e;
void __stack_chk_fail(void) { __builtin_trap(); }

// A product of 128-bit numbers, from 64-bit ones: the processor has none.
__int128 __multi3(__int128 a, __int128 b) {
  uint64_t aLow = (uint64_t)a, bLow = (uint64_t)b;
  uint64_t aHigh = (uint64_t)((unsigned __int128)a >> 64), bHigh = (uint64_t)((unsigned __int128)b >> 64);
  uint64_t a0 = aLow & 0xffffffff, a1 = aLow >> 32, b0 = bLow & 0xffffffff, b1 = bLow >> 32;
  uint64_t lowest = a0 * b0;
  uint64_t middle = a1 * b0 + (lowest >> 32);
  uint64_t other = a0 * b1 + (middle & 0xffffffff);
  uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32) + aLow * bHigh + aHigh * bLow;
  uint64_t low = (other << 32) | (lowest & 0xffffffff);
  return (__int128)(((unsigned __int128)high << 64) | low);
}

// Halves away from zero; the difference to the truncated number is exact.
double round(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1, x) : whole;
}

float roundf(float x) {
  float whole = __builtin_truncf(x);
  return __builtin_fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1, x) : whole;
}

// A 16-bit float as a 32-bit one: the exponent's bias grows by 112, and a product makes subnormal
// numbers normal.
float __extendhfsf2(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, rest = (uint32_t)(half & 0x7fff) << 13;
  if (rest >= 0x0f800000) return __builtin_bit_cast(float, sign | rest | 0x7f800000);
  float magnitude = __builtin_bit_cast(float, rest) * 0x1p112f;
  return __builtin_bit_cast(float, sign | __builtin_bit_cast(uint32_t, magnitude));
}

// A 32-bit float rounded to a 16-bit one, ties to even.
uint16_t __truncsfhf2(float value) {
  uint32_t bits = __builtin_bit_cast(uint32_t, value);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return sign | 0x7e00 | (bits >> 13 & 0x1ff);
  if (bits >= 0x477ff000) return sign | 0x7c00;
  if (bits < 0x38800000) {
    // Subnormal: adding ½ rounds the number to a multiple of 2^-24.
    float shifted = __builtin_bit_cast(float, bits) + 0.5f;
    return sign | (uint16_t)(__builtin_bit_cast(uint32_t, shifted) - 0x3f000000);
  }
  uint32_t odd = bits >> 13 & 1;
  return sign | (uint16_t)((bits - 0x38000000 + 0xfff + odd) >> 13);
}

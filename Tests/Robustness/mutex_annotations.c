/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells the thread sanitizer of Swift's Mutex.
 *
 * The library Synchronization is not built with the sanitizer, so that it does not see who waited
 * for whom where a Mutex was contended, and takes what the lock protects for a race. Preloaded,
 * these functions stand in front of the library's own and say so. Tests/Robustness/sanitize builds
 * and preloads them; programs without the sanitizer run as they do without.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define CONTEXT __attribute__((swift_context))
#define SWIFT __attribute__((swiftcall))

__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

typedef SWIFT void (*Lock)(uint32_t thread, CONTEXT void *mutex);
typedef SWIFT void (*Unlock)(CONTEXT void *mutex);

SWIFT void lock_slow(uint32_t thread, CONTEXT void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(CONTEXT void *mutex) __asm__(UNLOCK);

/* _MutexHandle._lockSlow(_: UInt32): waits for the lock. */
SWIFT void lock_slow(uint32_t thread, CONTEXT void *mutex) {
  ((Lock)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

/* _MutexHandle._unlockSlow(): gives the lock to somebody who waits. */
SWIFT void unlock_slow(CONTEXT void *mutex) {
  if (__tsan_release) __tsan_release(mutex);
  ((Unlock)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Tells the thread sanitizer how the toolchain's libraries order things.
 *
 * They are not built with the sanitizer. Without help it takes for a race what a contended Mutex
 * protects, and what one thread writes before it resumes a task that reads it on another thread.
 * Tests/Robustness/sanitize builds and preloads this library; programs without the sanitizer run
 * with it as they do without.
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

/* The libraries for tasks tell the sanitizer of what orders them once the standard library's hook
 * has been called. The sanitizer calls the first of this name, which is the program's own, empty. */
__attribute__((constructor)) static void annotate_tasks(void) {
  void (*enable)(void) = (void (*)(void))dlsym(RTLD_NEXT, "__tsan_on_initialize");
  if (__tsan_acquire && enable) enable();
}

/* Except of what had happened before a task came to wait for it: that is told here. */
typedef __attribute__((swiftasynccall)) void (*Await)(void *continuation);
typedef SWIFT void (*Enter)(void *storage);

__attribute__((weak)) SWIFT void *swift_task_getCurrent(void);
__attribute__((swiftasynccall)) void swift_continuation_await(void *continuation);
SWIFT void swift_task_enterThreadLocalContext(void *storage);

static void acquire_current_task(void) {
  void *task = swift_task_getCurrent ? swift_task_getCurrent() : 0;
  if (__tsan_acquire && task) __tsan_acquire(task);
}

/* Makes the task wait, unless it was resumed before. */
__attribute__((swiftasynccall)) void swift_continuation_await(void *continuation) {
  Await next = (Await)dlsym(RTLD_NEXT, "swift_continuation_await");
  acquire_current_task();
  __attribute__((musttail)) return next(continuation);
}

/* What the function above calls where the task is resumed while it goes to wait. */
SWIFT void swift_task_enterThreadLocalContext(void *storage) {
  ((Enter)dlsym(RTLD_NEXT, "swift_task_enterThreadLocalContext"))(storage);
  acquire_current_task();
}

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

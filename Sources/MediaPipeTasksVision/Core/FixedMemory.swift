// SPDX-License-Identifier: Apache-2.0

/// Numbers in memory that does not move.
@safe final class FixedMemory<Element: BitwiseCopyable> {
  let pointer: UnsafePointer<Element>
  /// The memory that belongs to the values; nil for the caller's.
  private let own: UnsafeMutablePointer<Element>?

  init(_ values: UnsafePointer<Element>, count: Int, copies: Bool) {
    guard copies else {
      unsafe pointer = values
      unsafe own = nil
      return
    }
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: count)
    unsafe memory.initialize(from: values, count: count)
    unsafe own = memory
    unsafe pointer = UnsafePointer(memory)
  }

  /// A copy of the values.
  init(_ values: [Element]) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: values.count)
    _ = unsafe UnsafeMutableBufferPointer(start: memory, count: values.count)
      .initialize(from: values)
    unsafe own = memory
    unsafe pointer = UnsafePointer(memory)
  }

  func array(_ count: Int) -> [Element] {
    unsafe Array(UnsafeBufferPointer(start: pointer, count: count))
  }

  deinit { unsafe own?.deallocate() }
}

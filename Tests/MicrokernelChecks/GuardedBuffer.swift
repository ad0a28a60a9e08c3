// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Elements that end where an inaccessible page begins, so that reading or writing past them ends
/// the process.
@safe
package final class GuardedBuffer<Element: BitwiseCopyable> {
  /// How many elements there are.
  package let count: Int
  private let mapping: UnsafeMutableRawPointer
  private let mappedByteCount: Int
  /// The first element; valid while this object lives.
  package let address: UnsafeMutablePointer<Element>

  /// A copy of these elements.
  package init(_ elements: [Element]) {
    count = elements.count
    let page = 4096
    let byteCount = elements.count * MemoryLayout<Element>.stride
    let usable = (byteCount + page) / page * page
    mappedByteCount = usable + page
    let result = unsafe mmap(
      nil, mappedByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    // `MAP_FAILED`, which is −1, is a macro that not every module of the C library has.
    guard let result = unsafe result, unsafe result != UnsafeMutableRawPointer(bitPattern: -1)
    else { preconditionFailure("no memory for a test buffer") }
    unsafe mapping = result
    unsafe precondition(mprotect(result + usable, page, PROT_NONE) == 0, "no guard page")
    unsafe address = (result + (usable - byteCount)).bindMemory(
      to: Element.self, capacity: max(elements.count, 1))
    for (index, element) in elements.enumerated() { unsafe address[index] = element }
  }

  /// `count` elements of this value.
  package convenience init(repeating value: Element, count: Int) {
    self.init([Element](repeating: value, count: count))
  }

  deinit { unsafe _ = munmap(mapping, mappedByteCount) }

  /// The elements as they are now.
  package var elements: [Element] { (0..<count).map { unsafe address[$0] } }

  /// The first element, without its type; valid while this object lives.
  package var rawAddress: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(address) }
}

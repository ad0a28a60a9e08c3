// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededRandom

/// Elements that end where an inaccessible page begins, so that reading or writing past them ends
/// the test process.
@safe
final class GuardedBuffer<Element: BitwiseCopyable> {
  let count: Int
  private let mapping: UnsafeMutableRawPointer
  private let mappedByteCount: Int
  let address: UnsafeMutablePointer<Element>

  init(_ elements: [Element]) {
    count = elements.count
    let page = 4096
    let byteCount = elements.count * MemoryLayout<Element>.stride
    let usable = (byteCount + page) / page * page
    mappedByteCount = usable + page
    let result = unsafe mmap(
      nil, mappedByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let result = unsafe result, unsafe result != MAP_FAILED else {
      preconditionFailure("no memory for a test buffer")
    }
    unsafe mapping = result
    unsafe precondition(mprotect(result + usable, page, PROT_NONE) == 0, "no guard page")
    unsafe address = (result + (usable - byteCount)).bindMemory(
      to: Element.self, capacity: max(elements.count, 1))
    for (index, element) in elements.enumerated() { unsafe address[index] = element }
  }

  deinit { unsafe _ = munmap(mapping, mappedByteCount) }

  var elements: [Element] { (0..<count).map { unsafe address[$0] } }
}

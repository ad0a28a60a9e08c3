// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A reproducible source of random numbers (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

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

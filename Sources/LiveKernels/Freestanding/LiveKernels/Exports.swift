// SPDX-License-Identifier: Apache-2.0

/// Room for a record of `byteCount` bytes, which the page writes into the module's memory.
@c(martlet_allocate)
public func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer.allocate(byteCount: max(byteCount, 1), alignment: 16)
}

/// Computes the node in a record, and returns the address of the answer: see `LiveNode.answer`.
@c(martlet_evaluate)
public func evaluate(
  _ record: UnsafePointer<UInt8>, _ byteCount: Int
) -> UnsafeMutableRawPointer {
  unsafe answer(LiveNode.answer(to: Array(UnsafeBufferPointer(start: record, count: byteCount))))
}

/// Tells how an output element of the node in a record is computed, and returns the address of
/// the answer: see `LiveNode.derivation`.
@c(martlet_derivation)
public func derivation(
  _ record: UnsafePointer<UInt8>, _ byteCount: Int, _ element: Int
) -> UnsafeMutableRawPointer {
  unsafe answer(
    LiveNode.derivation(
      of: element, in: Array(UnsafeBufferPointer(start: record, count: byteCount))))
}

/// The number of `bytes`, as 32 bits, and the bytes.
private func answer(_ bytes: [UInt8]) -> UnsafeMutableRawPointer {
  let answer = UnsafeMutableRawPointer.allocate(byteCount: 4 + bytes.count, alignment: 16)
  unsafe answer.storeBytes(of: Int32(truncatingIfNeeded: bytes.count), as: Int32.self)
  unsafe bytes.withUnsafeBytes { source in
    unsafe UnsafeMutableRawBufferPointer(start: answer + 4, count: bytes.count)
      .copyMemory(from: source)
  }
  return unsafe answer
}

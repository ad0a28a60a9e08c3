// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// `TOPK_V2` of bytes with int32 indices: the same elements as the reference kernel, which sorts
/// whole rows.
///
/// How often each of 256 values occurs says where in the result it begins.
final class LargestBytesOfRows: Kernel {
  private let rows: TopRows
  /// What turns bytes into unsigned numbers in the same order.
  private let flip: UInt8

  /// The search of `loop`; nil where indices are not int32, or do not fit it.
  init?<Element: TensorElement & FixedWidthInteger>(_ loop: TopKLoop<Element>) {
    guard !loop.rows.indicesAreInt16, Int32(exactly: loop.rows.rowLength) != nil else { return nil }
    rows = loop.rows
    flip = Element.isSigned ? 0x80 : 0
  }

  func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    guard rows.count > 0, let address = unsafe frame.inputAddress(0) else { return }
    let input = unsafe address.assumingMemoryBound(to: UInt8.self)
    let elements = unsafe frame.outputAddress(0).assumingMemoryBound(to: UInt8.self)
    let indices = unsafe frame.outputAddress(1).assumingMemoryBound(to: Int32.self)
    let rowCount = frame.input(0, as: UInt8.self).count / max(rows.rowLength, 1)
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { places in
      guard let places = places.baseAddress else { return }
      for row in 0..<rowCount {
        let first = unsafe input + row * rows.rowLength
        unsafe countPlaces(first, places)
        let target = row * rows.count
        for index in 0..<rows.rowLength {
          let byte = unsafe first[index]
          let value = Int(byte ^ flip)
          let place = unsafe Int(places[value])
          guard place < rows.count else { continue }
          unsafe places[value] &+= 1
          unsafe elements[target &+ place] = byte
          unsafe indices[target &+ place] = Int32(truncatingIfNeeded: index)
        }
      }
    }
  }

  /// Writes to `places`, by value, where in the result its first element goes.
  private func countPlaces(
    _ row: UnsafePointer<UInt8>, _ places: UnsafeMutablePointer<Int32>
  ) {
    unsafe places.update(repeating: 0, count: 256)
    for index in 0..<rows.rowLength { unsafe places[Int(row[index] ^ flip)] &+= 1 }
    var place: Int32 = 0
    for value in stride(from: 255, through: 0, by: -1) {
      let count = unsafe places[value]
      unsafe places[value] = place
      place &+= count
    }
  }
}

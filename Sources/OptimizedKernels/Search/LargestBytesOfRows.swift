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
    unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: 256) { places in
      guard let places = places.baseAddress else { return }
      unsafe rows.forEachRow(of: frame, as: UInt8.self) { row, elements, indices in
        unsafe countPlaces(row, places)
        for index in 0..<rows.rowLength {
          let byte = unsafe row[index]
          let value = Int(byte ^ flip)
          let place = unsafe Int(places[value])
          guard place < rows.count else { continue }
          unsafe places[value] &+= 1
          unsafe elements[place] = byte
          unsafe indices[place] = Int32(truncatingIfNeeded: index)
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

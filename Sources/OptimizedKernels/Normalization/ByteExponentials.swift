// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// The exponentials of the distances of 8-bit scores from the largest of their row.
struct ByteExponentials: Sendable {
  /// For each distance the exponential, a number without integer bits.
  let exponentials: [Int32]
  /// The same with 12 integer bits.
  private let terms: [Int32]

  /// The exponentials of distances that are scaled like this.
  init(_ scaling: ScaledDifference) {
    exponentials = (0..<256).map { distance -> Int32 in
      let difference = 0 - Int32(distance)
      guard difference >= scaling.lowest else { return 0 }
      return FixedPoint.exponential(ofNegative: scaling.multiplier.scale(difference))
    }
    terms = exponentials.map { FixedPointMultiplier.roundingShift($0, by: 12) }
  }

  /// The largest of a row's scores, and the sum of the exponentials; `flip` makes scores unsigned,
  /// which keeps their order.
  @inline(__always)
  func sum(_ row: Span<UInt8>, flip: UInt8) -> (largest: UInt8, sum: Int32) {
    var largest: UInt8 = 0
    for index in row.indices { largest = max(largest, row[index] ^ flip) }
    var sum: Int32 = 0
    for index in row.indices { sum &+= terms[Int(largest &- (row[index] ^ flip))] }
    return (largest, sum)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A float sum in the order of TFLite's code for registers of four numbers.
///
/// Every fourth product is added to the same of four sums; these are added up, and then the
/// products that fill no register one by one.
package struct FourLaneSum {
  /// In which order the four sums are added up.
  package enum Order: Sendable {
    /// `((s₀ + s₁) + s₂) + s₃`. TFLite: `AccumulateNeonLane` (`neon_tensor_utils.cc`).
    case inTurn
    /// `(s₀ + s₂) + (s₁ + s₃)`. Eigen: `predux<Packet4f>`.
    case crosswise
  }

  /// The sum of what has been added.
  package private(set) var value: Float
  private var lanes: (Float, Float, Float, Float) = (0, 0, 0, 0)
  private let order: Order
  private let blockEnd: Int

  /// A sum of `count` products, beginning with `start`.
  package init(_ order: Order, count: Int, start: Float = 0) {
    self.order = order
    value = start
    blockEnd = count / 4 * 4
  }

  /// Adds the product of number `index`; they come in order.
  @inline(__always)
  package mutating func add(_ product: Float, at index: Int) {
    guard index < blockEnd else {
      value += product
      return
    }
    switch index % 4 {
    case 0: lanes.0 += product
    case 1: lanes.1 += product
    case 2: lanes.2 += product
    default: lanes.3 += product
    }
    guard index == blockEnd - 1 else { return }
    switch order {
    case .inTurn: value += lanes.0 + lanes.1 + lanes.2 + lanes.3
    case .crosswise: value += (lanes.0 + lanes.2) + (lanes.1 + lanes.3)
    }
  }
}

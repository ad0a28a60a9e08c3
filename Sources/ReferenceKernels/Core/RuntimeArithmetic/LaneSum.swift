// SPDX-License-Identifier: Apache-2.0

/// A float sum of products in the order of the runtime's code for registers of four numbers.
///
/// Products go to several partial sums in turn, as far as they fill blocks; the partial sums are
/// added up, and then the products that are left, one by one. Where sums cancel, the order decides
/// about the last digits.
package struct LaneSum {
  /// Which partial sums there are, and how they are added up.
  package enum Order: Sendable {
    /// None.
    case oneByOne
    /// Four: `((s₀ + s₁) + s₂) + s₃`. TFLite: `AccumulateNeonLane` (`neon_tensor_utils.cc`).
    case inTurn
    /// Four: `(s₀ + s₂) + (s₁ + s₃)`. Eigen: `general_matrix_vector_product`.
    case crosswise
    /// Four in each of two registers, which become one before a last block of four; then as
    /// `crosswise`. Eigen: `redux_impl`.
    case twoRegisters
    /// Two, in blocks of eight products. Eigen: `lhs_process_one_packet`.
    case evenAndOdd
    /// Four: `(s₀ + s₁) + (s₂ + s₃)`. Eigen: `gebp_kernel`, rows that fill no register.
    case neighbors
  }

  /// The sum of what has been added.
  package private(set) var value: Float
  private var lanes: (Lanes, Lanes) = (Lanes(), Lanes())
  private let order: Order
  /// How many products go to partial sums.
  private let blockEnd: Int
  /// How many of them go to both registers.
  private let pairEnd: Int

  /// A sum of `count` products, beginning with `start`.
  package init(_ order: Order, count: Int, start: Float = 0) {
    self.order = order
    value = start
    blockEnd =
      switch order {
      case .oneByOne: 0
      case .inTurn, .crosswise, .twoRegisters, .neighbors: count / 4 * 4
      case .evenAndOdd: count / 8 * 8
      }
    pairEnd = order == .twoRegisters ? count / 8 * 8 : 0
  }

  /// Adds the product of number `index`; they come in order.
  @inline(__always)
  package mutating func add(_ product: Float, at index: Int) {
    guard index < blockEnd else {
      value += product
      return
    }
    if index < pairEnd, index % 8 > 3 {
      lanes.1[index % 4] += product
    } else {
      lanes.0[index % (order == .evenAndOdd ? 2 : 4)] += product
    }
    if index == pairEnd - 1 {
      for lane in 0..<4 { lanes.0[lane] += lanes.1[lane] }
    }
    if index == blockEnd - 1 { value += partialSums }
  }

  /// How the products are added up.
  fileprivate var text: String { (blockEnd == 0 ? Order.oneByOne : order).text }

  private var partialSums: Float {
    let lanes = lanes.0
    return switch order {
    case .oneByOne, .inTurn: lanes[0] + lanes[1] + lanes[2] + lanes[3]
    case .crosswise, .twoRegisters: (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
    case .evenAndOdd: lanes[0] + lanes[1]
    case .neighbors: (lanes[0] + lanes[1]) + (lanes[2] + lanes[3])
    }
  }
}

extension LaneSum {
  /// Four partial sums.
  private struct Lanes {
    private var values: (Float, Float, Float, Float) = (0, 0, 0, 0)

    subscript(index: Int) -> Float {
      get {
        switch index {
        case 0: values.0
        case 1: values.1
        case 2: values.2
        default: values.3
        }
      }
      set {
        switch index {
        case 0: values.0 = newValue
        case 1: values.1 = newValue
        case 2: values.2 = newValue
        default: values.3 = newValue
        }
      }
    }
  }
}

extension LaneSum.Order {
  /// How Eigen adds the `depth` products of element (`row`, `column`) of a matrix product.
  ///
  /// Vectors, and matrices so small that each element is a sum of its own, go other ways than
  /// large ones, of which registers take rows four or eight at a time and four columns. Products
  /// deeper than a cache's block, of some hundred elements, are beyond this.
  /// Eigen: `GeneralProduct.h`, `GeneralMatrixMatrix.h`, `GeneralBlockPanelKernel.h`.
  package static func eigen(row: Int, of rows: Int, column: Int, of columns: Int, depth: Int)
    -> Self
  {
    if rows == 1, columns == 1 { return .twoRegisters }
    if rows == 1 || columns == 1 { return .crosswise }
    if depth + rows + columns < 20 { return .twoRegisters }
    guard column < columns / 4 * 4 else { return .oneByOne }
    if row >= rows / 4 * 4 { return .neighbors }
    return row < rows / 8 * 8 ? .oneByOne : .evenAndOdd
  }
}

extension LaneSum.Order {
  /// How products are added up.
  fileprivate var text: String {
    switch self {
    case .oneByOne: "one by one"
    case .inTurn: "every fourth for itself, ((s₀ + s₁) + s₂) + s₃"
    case .crosswise: "every fourth for itself, (s₀ + s₂) + (s₁ + s₃)"
    case .twoRegisters: "every eighth for itself, (s₀ + s₂) + (s₁ + s₃) of sᵢ + sᵢ₊₄"
    case .evenAndOdd: "every second for itself, s₀ + s₁"
    case .neighbors: "every fourth for itself, (s₀ + s₁) + (s₂ + s₃)"
    }
  }
}

extension Steps {
  /// A sum of `count` products that began with `start`.
  @inline(__always)
  mutating func accumulator(_ sum: LaneSum, of count: Int, from start: Float = 0) -> Float {
    note(
      "accumulator",
      "\(start == 0 ? "" : "\(start) + ")sum of \(count) products in float32, \(sum.text)",
      sum.value)
  }
}

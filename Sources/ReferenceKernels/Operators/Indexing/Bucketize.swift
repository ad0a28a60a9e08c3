// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let bucketize = CatalogEntry(
    .bucketize, chapter: .indexing, formula: "y = number of boundaries b ≤ x", versions: .upTo(1),
    variants: "f32 f64 i32 i64", optimized: "",
    work: .eachOutput, reads: .everything
  ) { node throws(KernelError) in Bucketize(options: try node.options()) }
}

/// `BUCKETIZE`: for each element, which of the intervals between boundaries it lies in.
///
/// The boundaries are float32 and must not descend. int32 and int64 elements are rounded to
/// float32 for the comparison, so large ones may fall on the wrong side. NaN lies behind all
/// boundaries. TFLite: `bucketize.cc`.
struct Bucketize: Operator {
  let options: BucketizeOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let boundaries = options.boundaries
    for (lower, upper) in zip(boundaries, boundaries.dropFirst()) where upper < lower {
      throw .invalid("boundary \(upper) behind \(lower)")
    }
    let input = try node.input(0)
    let output = TensorType(
      .int32, input.shape, quantization: try node.declaredOutput().quantization)
    switch input.elementType {
    case .float32: return Prepared(output, kernel(of: Float.self))
    case .float64: return Prepared(output, kernel(of: Double.self))
    case .int32: return Prepared(output, kernel(of: Int32.self))
    case .int64: return Prepared(output, kernel(of: Int64.self))
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func kernel<Element: BucketElement>(of type: Element.Type) -> any Kernel {
    UnaryKernel(BucketNumber<Element>(boundaries: options.boundaries))
  }
}

/// An element that lies between boundaries.
package protocol BucketElement: TensorElement {
  /// Whether the element is less than `boundary`, as C++ compares them.
  func isBelow(_ boundary: Float) -> Bool
}

extension Float: BucketElement {
  package func isBelow(_ boundary: Float) -> Bool { self < boundary }
}

extension Double: BucketElement {
  package func isBelow(_ boundary: Float) -> Bool { self < Double(boundary) }
}

extension Int32: BucketElement {
  package func isBelow(_ boundary: Float) -> Bool { Float(self) < boundary }
}

extension Int64: BucketElement {
  package func isBelow(_ boundary: Float) -> Bool { Float(self) < boundary }
}

/// How many boundaries an element is not below, by bisection.
package struct BucketNumber<Element: BucketElement>: UnaryArithmetic {
  /// The boundaries in ascending order.
  package let boundaries: [Float]

  package func apply(_ value: Element, _ steps: inout some Steps) -> Int32 {
    var first = 0
    var count = boundaries.count
    while count > 0 {
      let half = count / 2
      if value.isBelow(boundaries[first + half]) {
        count = half
      } else {
        first += half + 1
        count -= half + 1
      }
    }
    return Int32(clamping: first)
  }
}

// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let atan2 = CatalogEntry(
    .atan2, chapter: .elementwise, formula: "angle = atan2(y, x)", versions: .upTo(1),
    variants: "f32 f64 f16", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in Arctangent() }
}

/// `ATAN2`: the angle of the point (x, y), from −π to π.
///
/// - Input 0: `y`.
/// - Input 1: `x`, of the same shape. TFLite compares only the ranks, and reads out of bounds where
///   the shapes differ.
///
/// TFLite: `atan2.cc`.
struct Arctangent: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    guard binary.left.shape == binary.right.shape else {
      throw .invalid("shape \(binary.right.shape) beside \(binary.left.shape)", .input(1))
    }
    try binary.declared.expect(binary.left.elementType, .output(0))
    switch binary.left.elementType {
    case .float32: return binary.prepared(SingleArctangent<Float>())
    case .float16: return binary.prepared(SingleArctangent<Float16>())
    case .float64: return binary.prepared(DoubleArctangent())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `atan2` in single precision, narrowed to the element.
package struct SingleArctangent<Element: FloatElement>: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    Element(narrowing: FloatMath.atan2(left.widened, right.widened))
  }
}

/// `atan2` in double precision.
package struct DoubleArctangent: BinaryArithmetic {
  @inline(__always)
  package func apply(_ left: Double, _ right: Double, _ steps: inout some Steps) -> Double {
    FloatMath.atan2(left, right)
  }
}

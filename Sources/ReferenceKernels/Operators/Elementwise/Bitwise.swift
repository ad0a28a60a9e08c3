// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let bitwiseXor = CatalogEntry(
    .bitwiseXor, chapter: .elementwise, formula: "y = a ⊕ b", versions: .upTo(1),
    variants: "i8 u8 i16 u16 i32 u32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in BitwiseXor() }

  static let rightShift = CatalogEntry(
    .rightShift, chapter: .elementwise, formula: "y = a >> min(max(b, 0), width − 1)",
    versions: .upTo(1),
    variants: "i8 u8 i16 u16 i32 u32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in RightShift() }
}

/// `BITWISE_XOR`: the bits in which two integers differ, broadcast to each other.
///
/// TFLite: `bitwise_xor.cc`.
struct BitwiseXor: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .int8: return binary.prepared(DifferingBits<Int8>())
    case .uint8: return binary.prepared(DifferingBits<UInt8>())
    case .int16: return binary.prepared(DifferingBits<Int16>())
    case .uint16: return binary.prepared(DifferingBits<UInt16>())
    case .int32: return binary.prepared(DifferingBits<Int32>())
    case .uint32: return binary.prepared(DifferingBits<UInt32>())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `RIGHT_SHIFT`: integers shifted right, broadcast to each other.
///
/// Signed integers keep their sign; a shift that is negative or too far is limited.
/// TFLite: `right_shift.cc`.
struct RightShift: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .int8: return binary.prepared(LimitedRightShift<Int8>())
    case .uint8: return binary.prepared(LimitedRightShift<UInt8>())
    case .int16: return binary.prepared(LimitedRightShift<Int16>())
    case .uint16: return binary.prepared(LimitedRightShift<UInt16>())
    case .int32: return binary.prepared(LimitedRightShift<Int32>())
    case .uint32: return binary.prepared(LimitedRightShift<UInt32>())
    case let other: throw .elementType(other, .input(0))
    }
  }
}

/// `a ⊕ b`.
package struct DifferingBits<Element>: BinaryArithmetic
where Element: TensorElement & FixedWidthInteger {
  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    left ^ right
  }
}

/// `a >> b` with `b` limited to the element's bits.
package struct LimitedRightShift<Element>: BinaryArithmetic
where Element: TensorElement & FixedWidthInteger {
  @inline(__always)
  package func apply(_ left: Element, _ right: Element, _ steps: inout some Steps) -> Element {
    left &>> min(max(right, 0), Element(Element.bitWidth - 1))
  }
}

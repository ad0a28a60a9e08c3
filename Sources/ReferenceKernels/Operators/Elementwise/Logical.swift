// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let logicalAnd = CatalogEntry(
    .logicalAnd, chapter: .elementwise, formula: "y = a ∧ b", versions: .upTo(1),
    variants: "bool", optimized: "bool",
    work: .eachOutput, reads: .everything
  ) { _ in
    LogicalConnective(isConjunction: true)
  }

  static let logicalOr = CatalogEntry(
    .logicalOr, chapter: .elementwise, formula: "y = a ∨ b", versions: .upTo(1),
    variants: "bool", optimized: "bool",
    work: .eachOutput, reads: .everything
  ) { _ in
    LogicalConnective(isConjunction: false)
  }

  static let logicalNot = CatalogEntry(
    .logicalNot, chapter: .elementwise, formula: "y = ¬x", versions: .upTo(1),
    variants: "bool", optimized: "bool",
    work: .eachOutput, reads: .everything
  ) { _ in LogicalNot() }
}

/// `LOGICAL_AND` and `LOGICAL_OR`: a connective of two tensors, broadcast to each other.
///
/// TFLite: `logical.cc`.
struct LogicalConnective: Operator {
  let isConjunction: Bool

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    guard binary.left.elementType == .bool else {
      throw .elementType(binary.left.elementType, .input(0))
    }
    return binary.prepared(Connective(isConjunction: isConjunction))
  }
}

/// `LOGICAL_NOT`: the opposite of each element.
///
/// TFLite: `elementwise.cc`.
struct LogicalNot: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let unary = try UnaryNode(node)
    guard unary.input.elementType == .bool else {
      throw .elementType(unary.input.elementType, .input(0))
    }
    return unary.prepared(Opposite())
  }
}

/// `a ∧ b` or `a ∨ b`.
package struct Connective: BinaryArithmetic {
  package let isConjunction: Bool

  @inline(__always)
  package func apply(_ left: BoolByte, _ right: BoolByte, _ steps: inout some Steps) -> BoolByte {
    BoolByte(isConjunction ? left.value && right.value : left.value || right.value)
  }
}

/// `¬a`.
package struct Opposite: UnaryArithmetic {
  @inline(__always)
  package func apply(_ value: BoolByte, _ steps: inout some Steps) -> BoolByte {
    BoolByte(!value.value)
  }
}

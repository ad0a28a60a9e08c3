// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// The tensors of an element-wise node with one operand.
package struct UnaryNode {
  /// The operand's type.
  package let input: TensorType
  /// The result's type: element type and shape are the operand's.
  package let output: TensorType

  /// The tensors of `node`.
  ///
  /// - Throws: `KernelError` where the declared output has another element type.
  package init(_ node: PrepareContext) throws(KernelError) {
    try node.expect(inputs: 1...1)
    input = try node.input(0)
    let declared = try node.declaredOutput()
    guard declared.elementType == input.elementType else {
      throw .invalid(
        "element type \(declared.elementType.schemaName), wanted \(input.elementType.schemaName)",
        .output(0))
    }
    output = TensorType(input.elementType, input.shape, quantization: declared.quantization)
  }

  /// The per-tensor quantization of both.
  ///
  /// - Throws: `KernelError` where one is missing or slices differ.
  package func affine() throws(KernelError) -> (input: Affine, output: Affine) {
    (try input.affine(.input(0)), try output.affine(.output(0)))
  }

  /// The per-tensor quantization of both, whose zero points must be 0, as int16 ones are.
  ///
  /// - Throws: `KernelError` where one is missing, slices differ or a zero point is not 0.
  package func symmetric() throws(KernelError) -> (input: Affine, output: Affine) {
    let affine = try affine()
    try input.expectSymmetric(.input(0))
    try output.expectSymmetric(.output(0))
    return affine
  }

  /// The node with the loop of `arithmetic`.
  package func prepared<Arithmetic: UnaryArithmetic>(_ arithmetic: Arithmetic) -> Prepared {
    Prepared(output, UnaryKernel(arithmetic))
  }
}

/// The tensors of an element-wise node with two operands, broadcast to each other.
package struct BinaryNode {
  /// The first operand's type.
  package let left: TensorType
  /// The second operand's type.
  package let right: TensorType
  /// The declared output, whose quantization is binding.
  package let declared: TensorType
  /// How the operands are walked.
  package let broadcast: Broadcast

  /// The tensors of `node`.
  ///
  /// - Throws: `KernelError` where the operands differ in type or cannot be broadcast.
  package init(_ node: PrepareContext) throws(KernelError) {
    try node.expect(inputs: 2...2)
    left = try node.input(0)
    right = try node.input(1)
    declared = try node.declaredOutput()
    guard left.elementType == right.elementType else {
      throw .invalid(
        "element type \(right.elementType.schemaName) beside \(left.elementType.schemaName)",
        .input(1))
    }
    broadcast = try Broadcast([left.shape, right.shape])
  }

  /// The per-tensor quantization of all three.
  ///
  /// - Throws: `KernelError` where one is missing or slices differ.
  package func affine() throws(KernelError) -> (left: Affine, right: Affine, output: Affine) {
    (
      try left.affine(.input(0)), try right.affine(.input(1)), try declared.affine(.output(0))
    )
  }

  /// Checks that all zero points are 0, as int16 ones must be.
  ///
  /// - Throws: `KernelError` where one is not.
  package func expectSymmetric() throws(KernelError) {
    try left.expectSymmetric(.input(0))
    try right.expectSymmetric(.input(1))
    try declared.expectSymmetric(.output(0))
  }

  /// The node with the loop of `arithmetic`; results are of its output's element type.
  package func prepared<Arithmetic: BinaryArithmetic>(_ arithmetic: Arithmetic) -> Prepared {
    prepared(BinaryKernel(arithmetic, broadcast), as: Arithmetic.Output.elementType)
  }

  /// The node with a kernel of its own.
  package func prepared(_ kernel: any Kernel, as elementType: ElementType) -> Prepared {
    Prepared(
      TensorType(elementType, broadcast.shape, quantization: declared.quantization), kernel)
  }
}

extension TensorType {
  /// Checks that quantized values have zero point 0.
  ///
  /// - Throws: `KernelError` where they have not, or parameters are missing.
  package func expectSymmetric(_ tensor: KernelError.Tensor) throws(KernelError) {
    guard try affine(tensor).zeroPoint == 0 else {
      throw .invalid("\(elementType.schemaName) zero point must be 0", tensor)
    }
  }
}

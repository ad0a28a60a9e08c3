// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A way of moving elements that never looks at them, so that only their size matters.
///
/// RESHAPE, TRANSPOSE, SLICE and their kin are written once over a *unit*, an unsigned integer as
/// wide as the element, instead of once per element type.
package protocol Movement: Sendable {
  /// The kernel for elements as wide as `Unit`.
  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel
}

extension Movement {
  /// The preparation of a node whose outputs are moved elements of its inputs.
  ///
  /// Elements narrower than a byte are unpacked to bytes first and packed again afterwards, see
  /// `PackedElementsKernel`; of strings, the numbers are moved, see `StringMovementKernel`.
  ///
  /// - Throws: `KernelError` for resources and variants, and while strings are not known.
  package func prepared(
    _ node: PrepareContext, outputs: [TensorType]
  ) throws(KernelError) -> Prepared {
    guard let elementType = outputs.first?.elementType else {
      throw .invalid("the node has no outputs")
    }
    if elementType == .string {
      let kernel = try StringMovementKernel(kernel(of: UInt32.self), node, outputs: outputs)
      var prepared = Prepared(outputs: outputs, kernel: kernel)
      prepared.outputByteCounts = kernel.outputByteCounts
      return prepared
    }
    return Prepared(outputs: outputs, kernel: try kernel(moving: elementType, node, outputs))
  }

  private func kernel(
    moving type: ElementType, _ node: PrepareContext, _ outputs: [TensorType]
  ) throws(KernelError) -> any Kernel {
    switch type {
    case .int8, .uint8, .bool: kernel(of: UInt8.self)
    case .float16, .bfloat16, .int16, .uint16: kernel(of: UInt16.self)
    case .float32, .int32, .uint32: kernel(of: UInt32.self)
    case .float64, .int64, .uint64, .complex64: kernel(of: UInt64.self)
    case .complex128: kernel(of: Complex<Double>.self)
    case .int2: packed(bitCount: 2, type, node, outputs)
    case .int4, .uint4: packed(bitCount: 4, type, node, outputs)
    case .string, .resource, .variant: throw .elementType(type, .output(0))
    }
  }

  private func packed(
    bitCount: Int, _ type: ElementType, _ node: PrepareContext, _ outputs: [TensorType]
  ) -> any Kernel {
    PackedElementsKernel(
      kernel(of: UInt8.self), bitCount: bitCount,
      inputCounts: node.inputs.map { operand in
        operand?.type.elementType == type ? operand?.type.shape.elementCount : nil
      },
      outputCounts: outputs.map(\.shape.elementCount))
  }
}

extension TensorType {
  /// Checks that quantized values of this type mean in `other` what they mean here.
  ///
  /// As TFLite does, only per-tensor parameters are compared.
  ///
  /// - Throws: `KernelError` about `tensor`, which has the type `other`.
  func expectSameScale(
    as other: TensorType, _ tensor: KernelError.Tensor
  ) throws(KernelError) {
    guard quantization?.perTensor == other.quantization?.perTensor else {
      throw .invalid("quantization differs from that of the moved values", tensor)
    }
  }

  /// Checks that the element type is the one of the operand beside it.
  ///
  /// - Throws: `KernelError` about `tensor`, which has this type.
  func expect(_ wanted: ElementType, _ tensor: KernelError.Tensor) throws(KernelError) {
    guard elementType == wanted else {
      throw .invalid(
        "element type \(elementType.schemaName), wanted \(wanted.schemaName)", tensor)
    }
  }

  /// Checks that there is a zero to fill gaps with: numbers have one, strings have none.
  ///
  /// - Throws: `KernelError` about `tensor`, which has this type.
  func expectNumbers(_ tensor: KernelError.Tensor) throws(KernelError) {
    guard elementType != .string else { throw .elementType(elementType, tensor) }
  }

  /// The same element type and quantization as the output `declared`, with another shape.
  func moved(to shape: Shape, declared: TensorType) -> TensorType {
    TensorType(elementType, shape, quantization: declared.quantization)
  }
}

extension PrepareContext {
  /// The value of an integer input that holds one number, or the first of several.
  ///
  /// - Throws: `KernelError` as `integers(_:)` does, and where the input is empty.
  func integer(_ position: Int) throws(KernelError) -> Int {
    guard let value = try integers(position).first else {
      throw .invalid("a number is missing", .input(position))
    }
    return value
  }
}

extension Int {
  /// The product with `other`, both lengths from a model.
  ///
  /// - Throws: `KernelError` where it overflows.
  func times(_ other: Int) throws(KernelError) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    guard !overflow else { throw .invalid("length \(self) × \(other) is too large") }
    return product
  }

  /// The sum with `other`, both lengths from a model.
  ///
  /// - Throws: `KernelError` where it overflows.
  func plus(_ other: Int) throws(KernelError) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    guard !overflow else { throw .invalid("length \(self) + \(other) is too large") }
    return sum
  }
}

// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A way of moving elements that never looks at them, so that only their size matters.
///
/// RESHAPE, TRANSPOSE, SLICE and their kin are written once over a *unit*, an unsigned integer as
/// wide as the element, instead of once per element type.
package protocol Movement: Sendable {
  /// The kernel for elements as wide as `Unit`.
  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel

  /// Of each output, the part of an input that it repeats, of elements of `elementByteCount` bytes;
  /// none where some output repeats none.
  func repeatedParts(of outputs: [TensorType], elementByteCount: Int) -> [RepeatedPart]
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
    try node.prepared(
      outputs: outputs, by: kernel,
      repeating: { repeatedParts(of: outputs, elementByteCount: $0.rawValue) })
  }

  package func repeatedParts(of outputs: [TensorType], elementByteCount: Int) -> [RepeatedPart] {
    []
  }

  /// All that is compiled for each movement.
  private func kernel(_ unit: MovedUnit) -> any Kernel {
    switch unit {
    case .one: kernel(of: UInt8.self)
    case .two: kernel(of: UInt16.self)
    case .four: kernel(of: UInt32.self)
    case .eight: kernel(of: UInt64.self)
    case .sixteen: kernel(of: Complex<Double>.self)
    }
  }
}

/// How many bytes are moved at once.
private enum MovedUnit: Int {
  case one = 1
  case two = 2
  case four = 4
  case eight = 8
  case sixteen = 16
}

extension PrepareContext {
  /// The preparation of a node whose outputs are moved by the kernel for their width.
  fileprivate func prepared(
    outputs: [TensorType], by kernel: (MovedUnit) -> any Kernel,
    repeating parts: (MovedUnit) -> [RepeatedPart]
  ) throws(KernelError) -> Prepared {
    guard let type = outputs.first?.elementType else {
      throw .invalid("the node has no outputs")
    }
    func moved(_ unit: MovedUnit) -> Prepared {
      var prepared = Prepared(outputs: outputs, kernel: kernel(unit))
      prepared.repeatedParts = parts(unit)
      return prepared
    }
    switch type {
    case .int8, .uint8, .bool: return moved(.one)
    case .float16, .bfloat16, .int16, .uint16: return moved(.two)
    case .float32, .int32, .uint32: return moved(.four)
    case .float64, .int64, .uint64, .complex64: return moved(.eight)
    case .complex128: return moved(.sixteen)
    case .int2: return Prepared(outputs: outputs, kernel: packed(2, outputs, kernel(.one)))
    case .int4, .uint4: return Prepared(outputs: outputs, kernel: packed(4, outputs, kernel(.one)))
    case .string:
      let kernel = try StringMovementKernel(kernel(.four), self, outputs: outputs)
      var prepared = Prepared(outputs: outputs, kernel: kernel)
      prepared.outputByteCounts = kernel.outputByteCounts
      return prepared
    case .resource, .variant: throw .elementType(type, .output(0))
    }
  }

  private func packed(
    _ bitCount: Int, _ outputs: [TensorType], _ kernel: any Kernel
  ) -> any Kernel {
    let type = outputs[0].elementType
    return PackedElementsKernel(
      kernel, bitCount: bitCount,
      inputCounts: inputs.map { operand in
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

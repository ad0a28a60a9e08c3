// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension ModelFile {
  /// What the file says about a tensor.
  package final class Tensor: Sendable {
    /// The name, empty if the file gives none.
    package let name: String
    /// Element type, shape and affine quantization; unknown dimensions count as 1.
    package let type: TensorType
    /// The dimensions with -1 for unknown ones; nil when all are known.
    package let shapeSignature: [Int]?
    /// Whether a tensor without dimensions is known to be a scalar.
    package let hasRank: Bool
    /// The buffer with the contents; 0 for a tensor without contents.
    package let buffer: Int
    /// The slice of another file with the contents; 0 for none.
    package let externalBuffer: Int
    /// Whether the contents persist between invocations.
    package let isVariable: Bool
    /// Everything the file says about quantization, or nil.
    package let quantization: QuantizationParameters?
    /// Where the non-zero elements lie, if only those are stored.
    package let sparsity: SparsityParameters?
    /// The types of the tensors that a variant tensor holds.
    package let variantTypes: [VariantType]

    init(_ table: Table, name: String) throws(FlatBufferError) {
      let elementType: ElementType = try table.enumeration(
        Slot.Tensor.type, default: .float32, field: "type")
      let dimensions = try table.indices(Slot.Tensor.shape)
      quantization = try ModelFile.QuantizationParameters(inTensor: table)
      let shape = try Self.shape(dimensions, in: table)
      type = TensorType(elementType, shape, quantization: quantization?.affine(shape))
      shapeSignature = try Self.signature(dimensions, in: table)
      buffer = Int(try table.scalar(Slot.Tensor.buffer))
      self.name = name
      isVariable = try table.bool(Slot.Tensor.isVariable)
      sparsity = try SparsityParameters(inTensor: table)
      hasRank = try table.bool(Slot.Tensor.hasRank)
      variantTypes = try Self.variantTypes(table)
      externalBuffer = Int(try table.scalar(Slot.Tensor.externalBuffer))
    }
  }

  /// The type of a tensor within a variant tensor.
  package struct VariantType: Sendable, Equatable {
    package let elementType: ElementType
    package let shape: [Int]
    package let hasRank: Bool
  }
}

extension ModelFile.Tensor: Equatable {
  /// Whether a file says the same about two tensors.
  package static func == (one: ModelFile.Tensor, other: ModelFile.Tensor) -> Bool {
    one.name == other.name && one.type == other.type && one.shapeSignature == other.shapeSignature
      && one.hasRank == other.hasRank && one.buffer == other.buffer
      && one.externalBuffer == other.externalBuffer && one.isVariable == other.isVariable
      && one.quantization == other.quantization && one.sparsity == other.sparsity
      && one.variantTypes == other.variantTypes
  }
}

extension ModelFile.Tensor {
  /// Old files write -1 into the shape itself; it is read as 1, as newer files have it.
  private static func shape(_ dimensions: [Int], in table: Table) throws(FlatBufferError) -> Shape {
    do {
      return try Shape(dimensions.contains(-1) ? dimensions.map { $0 == -1 ? 1 : $0 } : dimensions)
    } catch {
      throw FlatBufferError(
        .invalidValue(field: "shape", problem: error.description), at: table.position)
    }
  }

  private static func signature(
    _ dimensions: [Int], in table: Table
  ) throws(FlatBufferError) -> [Int]? {
    let signature = try table.indices(Slot.Tensor.shapeSignature)
    if let wrong = signature.first(where: { $0 < -1 }) {
      throw FlatBufferError(
        .invalidValue(field: "shape_signature", problem: "dimension \(wrong)"),
        at: table.position)
    }
    let known = signature.count == dimensions.count ? signature : dimensions
    return known.contains(-1) ? known : nil
  }

  private static func variantTypes(
    _ table: Table
  ) throws(FlatBufferError) -> [ModelFile.VariantType] {
    let tables = try table.tables(Slot.Tensor.variantTensors)
    var types: [ModelFile.VariantType] = []
    for index in 0..<tables.count {
      let entry = try tables.table(at: index)
      types.append(
        ModelFile.VariantType(
          elementType: try entry.enumeration(
            Slot.VariantSubType.type, default: .float32, field: "type"),
          shape: try entry.indices(Slot.VariantSubType.shape),
          hasRank: try entry.bool(Slot.VariantSubType.hasRank)))
    }
    return types
  }
}

extension ModelFile {
  /// Where the file holds the values of `tensor`; nil where it holds none.
  package func values(of tensor: Tensor) -> Range<Int>? {
    // Buffer 0 stands for "none", even in a file without buffers.
    guard tensor.buffer != 0, buffers.indices.contains(tensor.buffer),
      !buffers[tensor.buffer].isEmpty
    else { return nil }
    return buffers[tensor.buffer]
  }
}

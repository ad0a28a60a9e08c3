// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
package import Tensors

extension ModelFile {
  /// Everything that the file says about how a tensor is quantized.
  package struct QuantizationParameters: Sendable, Equatable {
    /// The smallest real values seen, for producers of models.
    package let minimum: [Float]
    /// The largest real values seen, for producers of models.
    package let maximum: [Float]
    /// One scale with its zero point, or one for each slice along an axis; there may be none.
    package let slices: Quantization
    /// The zero points that the file gives, which should be as many as scales.
    private let zeroPointCount: Int
    /// Parameters of another kind, which replace the scales.
    package let details: Details?

    /// Quantization parameters of another kind than one scale per tensor or slice.
    package enum Details: Sendable, Equatable {
      /// Bytes that only the producer understands; the scales hold nevertheless.
      case custom([UInt8])
      /// Scales for blocks along the quantized dimension, held by other tensors.
      case blockwise(scales: Int, zeroPoints: Int, blockSize: Int)
      /// Scales for blocks along several dimensions, held by other tensors.
      case multiAxis(scales: Int, zeroPoints: Int, blockSize: Int, axes: [Int])
    }

    /// The scales and zero points of a tensor of this shape, unless there are none or `details`
    /// replace them.
    package func affine(_ shape: Shape) -> Quantization? {
      switch details {
      case .blockwise, .multiAxis: nil
      case .custom, nil:
        if slices.scaleCount == 0 {
          nil
        } else if borrowsAxis(shape) {
          Quantization(scales: slices.scales, zeroPoints: slices.zeroPoints)
        } else {
          slices
        }
      }
    }

    /// Whether elements in a row have a scale each along a dimension that there is not.
    ///
    /// Some converters copy the quantized dimension of a filter to its bias. LiteRT refuses such a
    /// file, TensorFlow Lite Micro reads it.
    package func borrowsAxis(_ shape: Shape) -> Bool {
      shape.rank == 1 && slices.axis > 0 && slices.scaleCount > 0 && slices.scaleCount == shape[0]
    }
  }
}

extension ModelFile.QuantizationParameters {
  init?(inTensor tensor: Table) throws(FlatBufferError) {
    guard let table = try tensor.table(Slot.Tensor.quantization) else { return nil }
    minimum = try table.floats(Slot.QuantizationParameters.min) ?? []
    maximum = try table.floats(Slot.QuantizationParameters.max) ?? []
    let axis = Int(try table.scalar(Slot.QuantizationParameters.quantizedDimension))
    if let scale = try table.onlyFloat(Slot.QuantizationParameters.scale),
      let zeroPoint = try table.onlyInt64(Slot.QuantizationParameters.zeroPoint)
    {
      slices = Quantization(scale: scale, zeroPoint: zeroPoint, axis: axis)
      zeroPointCount = 1
    } else {
      let zeroPoints = try table.int64s(Slot.QuantizationParameters.zeroPoint) ?? []
      slices = Quantization(
        scales: try table.floats(Slot.QuantizationParameters.scale) ?? [],
        zeroPoints: zeroPoints, axis: axis)
      zeroPointCount = zeroPoints.count
    }
    details = try Self.details(table)
  }

  private static func details(_ table: Table) throws(FlatBufferError) -> Details? {
    let member = try table.scalar(Slot.QuantizationParameters.detailsType)
    guard member != 0, let details = try table.table(Slot.QuantizationParameters.details) else {
      return nil
    }
    switch SchemaUnion.quantizationDetails.member(member)?.name {
    case SchemaTable.customQuantization.name:
      return .custom(try details.bytes(Slot.CustomQuantization.custom) ?? [])
    case SchemaTable.blockwiseQuantization.name:
      return .blockwise(
        scales: Int(try details.scalar(Slot.BlockwiseQuantization.scales)),
        zeroPoints: Int(try details.scalar(Slot.BlockwiseQuantization.zeroPoints)),
        blockSize: Int(try details.scalar(Slot.BlockwiseQuantization.blockSize)))
    case SchemaTable.multiAxisQuantization.name:
      return .multiAxis(
        scales: Int(try details.scalar(Slot.MultiAxisQuantization.scales)),
        zeroPoints: Int(try details.scalar(Slot.MultiAxisQuantization.zeroPoints)),
        blockSize: Int(try details.scalar(Slot.MultiAxisQuantization.blockSize)),
        axes: try details.indices(Slot.MultiAxisQuantization.quantizedDimensions))
    case _:
      throw FlatBufferError(
        .unknownValue(field: "quantization details", value: Int(member)), at: table.position)
    }
  }

  /// What contradicts the shape of the tensor or the `tensorCount` tensors beside it, or nil.
  func problem(shape: Shape, tensorCount: Int) -> String? {
    switch details {
    case .custom, nil: affineProblem(shape)
    case .blockwise(let scales, let zeroPoints, let blockSize):
      blockProblem(scales, zeroPoints, tensorCount: tensorCount)
        ?? (blockSize < 1 ? "block size \(blockSize)" : axisProblem(slices.axis, shape))
    case .multiAxis(let scales, let zeroPoints, let blockSize, let axes):
      blockProblem(scales, zeroPoints, tensorCount: tensorCount)
        ?? (blockSize < 0 ? "block size \(blockSize)" : nil)
        ?? (axes.isEmpty ? "no quantized dimension" : nil)
        ?? axes.lazy.compactMap { axisProblem($0, shape) }.first
    }
  }

  private func affineProblem(_ shape: Shape) -> String? {
    let (count, axis) = (slices.scaleCount, slices.axis)
    guard count != 0 else { return nil }
    guard count == zeroPointCount else {
      return "\(count) scales but \(zeroPointCount) zero points"
    }
    guard !borrowsAxis(shape) else { return nil }
    if let problem = axisProblem(axis, shape) { return problem }
    guard count != 1, shape.rank > 0, count != shape[axis] else { return nil }
    return "\(count) scales for \(shape[axis]) slices along dimension \(axis)"
  }

  private func axisProblem(_ axis: Int, _ shape: Shape) -> String? {
    guard axis < 0 || (shape.rank > 0 && axis >= shape.rank) else { return nil }
    return "quantized dimension \(axis) of a tensor of rank \(shape.rank)"
  }

  private func blockProblem(_ scales: Int, _ zeroPoints: Int, tensorCount: Int) -> String? {
    guard 0..<tensorCount ~= scales else {
      return "scales in tensor \(scales) of \(tensorCount)"
    }
    guard zeroPoints == -1 || 0..<tensorCount ~= zeroPoints else {
      return "zero points in tensor \(zeroPoints) of \(tensorCount)"
    }
    return nil
  }
}

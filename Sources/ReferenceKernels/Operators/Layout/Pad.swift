// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let pad = CatalogEntry(
    .pad, chapter: .layout, formula: "y[before + i…] = x[i…],   elsewhere the padding value",
    versions: .upTo(6),
    variants: "f32 i8_q u8_q i16_q i32 i64 bool f16 bf16 i8",
    optimized: "bf16 bool f16 f32 i16_q i32 i64 i8 i8_q u8_q",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in Pad() }

  static let padV2 = CatalogEntry(
    .padV2, chapter: .layout, formula: "y[before + i…] = x[i…],   elsewhere the padding value",
    versions: .upTo(6),
    variants: "f32 i8_q u8_q i16_q i32 i64 bool f16 bf16 i8",
    optimized: "bf16 bool f16 f32 i16_q i32 i64 i8 i8_q u8_q",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in Pad() }
}

/// `PAD` and `PADV2`: a tensor with elements added around it.
///
/// - Input 0: the elements.
/// - Input 1: `[rank, 2]`, how many elements go before and after them along each axis.
/// - Input 2: optional (`PADV2`), the added element, with the output's quantization. Without it,
///   quantized tensors get the output's zero point and others 0.
///
/// TFLite: `pad.cc`, `reference/pad.h`.
struct Pad: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...3)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    try input.expectNumbers(.input(0))
    let background = try background(node, input, output)
    let rank = input.shape.rank
    let paddings = try node.input(1)
    guard paddings.shape == (try Shape.checked([rank, 2])) else {
      throw .invalid("shape \(paddings.shape), wanted \(rank)x2", .input(1))
    }
    let counts = try node.integers(1)
    guard counts.allSatisfy({ 0...Int(Int32.max) ~= $0 }) else {
      throw .invalid("paddings \(counts) are not all from 0 to 2^31 - 1", .input(1))
    }
    let shape = try Shape.checked(
      (0..<rank).map { counts[2 * $0] + input.shape[$0] + counts[2 * $0 + 1] })
    let strides = shape.strides
    let axes = zip(input.shape.dimensions, zip(input.shape.strides, strides)).map {
      BoxCopy.Axis($0, input: $1.0, output: $1.1)
    }
    // An axis without elements may be padded beyond the output's end.
    let start =
      input.shape.elementCount == 0
      ? 0
      : (0..<rank).reduce(0) { sum, axis in
        sum + counts[2 * axis] * strides[axis]
      }
    return try BoxCopies([[BoxCopy(to: start, axes)]], over: background).prepared(
      node, outputs: [input.moved(to: shape, declared: output)])
  }

  private func background(
    _ node: PrepareContext, _ input: TensorType, _ output: TensorType
  ) throws(KernelError) -> BoxCopies.Background {
    switch input.elementType {
    case .uint8:
      return try quantizedBackground(node, output, as: UInt8.self)
    case .int8 where input.quantization != nil:
      return try quantizedBackground(node, output, as: Int8.self)
    case .int16 where input.quantization != nil:
      return try quantizedBackground(node, output, as: Int16.self)
    case .float32, .float16, .int32, .int64, .string, .bool, .int16, .complex64, .int8, .float64,
      .complex128, .uint64, .resource, .variant, .uint32, .uint16, .int4, .bfloat16, .int2,
      .uint4:
      // Zero bits are the number 0 in every type.
      return try givenValue(node, output) ?? .value(TensorBytes(zeroed: 16))
    }
  }

  private func quantizedBackground<Quantized: TensorElement & FixedWidthInteger>(
    _ node: PrepareContext, _ output: TensorType, as type: Quantized.Type
  ) throws(KernelError) -> BoxCopies.Background {
    if let value = try givenValue(node, output) {
      try output.expectSameScale(as: try node.input(2), .input(2))
      return value
    }
    let zeroPoint = output.quantization?.perTensor?.zeroPoint ?? 0
    guard let quantized = Quantized(exactly: zeroPoint) else {
      throw .invalid("zero point \(zeroPoint) lies outside of the element type", .output(0))
    }
    return .value(TensorBytes(copying: [quantized]))
  }

  private func givenValue(
    _ node: PrepareContext, _ output: TensorType
  ) throws(KernelError) -> BoxCopies.Background? {
    guard let value = node.optionalInput(2) else { return nil }
    try value.expect(output.elementType, .input(2))
    guard value.shape.elementCount == 1 else {
      throw .invalid("\(value.shape.elementCount) values to pad with, wanted 1", .input(2))
    }
    return .input(2)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Tensors

extension Interpreter {
  /// The real numbers that an output's values stand for, in row-major order.
  ///
  /// Quantised codes are dequantised in float32, `scale × (code − zeroPoint)`; other numbers are
  /// converted.
  ///
  /// - Throws: `InferenceError` before the first run, and for types that are no real numbers.
  public func dequantizedOutput(_ position: Int) throws(InferenceError) -> [Float] {
    let type = try outputType(position)
    switch type.elementType {
    case .float32: return try output(position, as: Float.self)
    case .float64: return try output(position, as: Double.self).map(Float.init)
    case .float16: return try output(position, as: Float16.self).map(Float.init)
    case .bfloat16: return try output(position, as: BFloat16.self).map(\.float)
    case .uint8: return try dequantized(position, UInt8.self, type)
    case .int8: return try dequantized(position, Int8.self, type)
    case .int16: return try dequantized(position, Int16.self, type)
    case .uint16: return try dequantized(position, UInt16.self, type)
    case .int32: return try dequantized(position, Int32.self, type)
    case .uint32: return try dequantized(position, UInt32.self, type)
    case .int64: return try dequantized(position, Int64.self, type)
    case .uint64: return try dequantized(position, UInt64.self, type)
    case .string, .bool, .complex64, .complex128, .resource, .variant, .int4, .int2, .uint4:
      throw .invalidRequest(
        "output \(position) is \(type.elementType.schemaName), which has no plain real values")
    }
  }

  private func dequantized<Element: TensorElement & FixedWidthInteger>(
    _ position: Int, _ element: Element.Type, _ type: TensorType
  ) throws(InferenceError) -> [Float] {
    let codes = try output(position, as: element)
    guard let affine = type.quantization?.perTensor else { return codes.map { Float($0) } }
    let zeroPoint = Int64(affine.zeroPoint)
    return codes.map { affine.scale * Float(Int64(clamping: $0) &- zeroPoint) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Tensors

extension Interpreter {
  /// The real numbers that an output's values stand for, in row-major order.
  ///
  /// Quantized codes are dequantized in float32, `scale × (code − zeroPoint)`; other numbers are
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
    case let other:
      throw .invalidRequest(
        "output \(position) is \(other.schemaName), which has no plain real values")
    }
  }

  /// Copies real numbers into an input, as codes of its own scale and zero point.
  ///
  ///     code = clamp(round(x / scale) + zeroPoint)
  ///
  /// with halves rounded away from zero; NaN becomes the zero point. A float32 input takes the
  /// numbers as they are.
  ///
  /// - Throws: `InferenceError` where the number of values is not the input's, and for types that
  ///   hold no codes.
  public func setInput(_ position: Int, quantizing values: [Float]) throws(InferenceError) {
    let type = try inputInfo(position).type
    switch type?.elementType {
    case .float32: try setInput(position, values)
    case .uint8: try setInput(position, quantized(values, UInt8.self, type))
    case .int8: try setInput(position, quantized(values, Int8.self, type))
    case .int16: try setInput(position, quantized(values, Int16.self, type))
    case let other:
      throw .invalidRequest(
        "input \(position) is \(other?.schemaName ?? "unknown"), which takes no quantized values")
    }
  }

  private func quantized<Element: TensorElement & FixedWidthInteger>(
    _ values: [Float], _ element: Element.Type, _ type: TensorType?
  ) throws(InferenceError) -> [Element] {
    guard let affine = type?.quantization?.perTensor, affine.scale > 0 else {
      throw .invalidRequest("the input has no quantization parameters")
    }
    let zeroPoint = Double(affine.zeroPoint)
    return values.map { value in
      let steps = Double((value / affine.scale).rounded(.toNearestOrAwayFromZero))
      let code = steps.isNaN ? zeroPoint : steps + zeroPoint
      return Element(max(min(code, Double(Element.max)), Double(Element.min)))
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

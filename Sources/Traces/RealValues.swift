// SPDX-License-Identifier: Apache-2.0

package import Npy
package import Tensors

/// A tensor's elements in row-major order, as the real numbers that they stand for.
///
/// Quantized values are `scale × (quantized − zeroPoint)`, computed in float64; truth values are 0
/// and 1; a complex number is its two parts, real first.
package struct RealValues {
  /// The numbers.
  package let numbers: [Double]
  /// The quantized values of a quantized tensor, the values of another integer or truth tensor;
  /// else nil.
  package let integers: [Int64]?

  /// The numbers of `array`, which holds a tensor of `type`; nil for strings and handles.
  ///
  /// - Precondition: the array's element type is the one that stands for the tensor's.
  package init?(_ type: TensorType, _ array: NpyArray) {
    switch type.elementType {
    case .string, .resource, .variant: return nil
    case .bfloat16:
      numbers = (array.values(as: BFloat16.self) ?? []).map { Double($0.float) }
      integers = nil
    case .float16, .float32, .float64, .complex64, .complex128:
      numbers = array.numbers()
      integers = nil
    case .uint64:
      let bits = array.integers()
      numbers = bits.map { Double(UInt64(bitPattern: $0)) }
      integers = bits
    case .int4, .int2, .uint4, .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .bool:
      let quantizedValues = array.integers()
      integers = quantizedValues
      guard let scales = AffineScales(type) else {
        numbers = quantizedValues.map(Double.init)
        return
      }
      numbers = scales.reals(quantizedValues)
    }
  }

  /// `numbers` in the form of a tensor of `type`, in row-major order.
  ///
  /// Quantized tensors get the nearest quantized values, `clamp(round(x / scale) + zeroPoint)`,
  /// other integers the nearest ones that they hold; halves are rounded away from zero, and NaN
  /// becomes the zero point. Floats are rounded to the nearest.
  ///
  /// - Throws: `NpyError` for types that hold no real numbers, or another number of them.
  package static func array(_ numbers: [Double], as type: TensorType) throws(NpyError) -> NpyArray {
    let shape = type.shape
    switch type.elementType {
    case .float32: return try NpyArray(numbers.map(Float.init), shape: shape)
    case .float64: return try NpyArray(numbers, shape: shape)
    case .float16: return try NpyArray(numbers.map(Float16.init), shape: shape)
    case .bfloat16: return try NpyArray(numbers.map { BFloat16(Float($0)) }, shape: shape)
    case .bool: return try NpyArray(numbers.map { BoolByte($0 != 0) }, shape: shape)
    case .int8, .int4, .int2:
      return try NpyArray(quantizedValues(numbers, type, Int8.self), shape: shape)
    case .uint8, .uint4:
      return try NpyArray(quantizedValues(numbers, type, UInt8.self), shape: shape)
    case .int16: return try NpyArray(quantizedValues(numbers, type, Int16.self), shape: shape)
    case .uint16: return try NpyArray(quantizedValues(numbers, type, UInt16.self), shape: shape)
    case .int32: return try NpyArray(quantizedValues(numbers, type, Int32.self), shape: shape)
    case .uint32: return try NpyArray(quantizedValues(numbers, type, UInt32.self), shape: shape)
    case .int64: return try NpyArray(quantizedValues(numbers, type, Int64.self), shape: shape)
    case .uint64, .string, .resource, .variant, .complex64, .complex128:
      throw NpyError("real numbers for a tensor of \(type.elementType.schemaName)")
    }
  }

  private static func quantizedValues<Quantized: FixedWidthInteger>(
    _ numbers: [Double], _ type: TensorType, _ quantized: Quantized.Type
  ) -> [Quantized] {
    let range =
      type.elementType.quantizedRange ?? Int64(Quantized.min)...Int64(clamping: Quantized.max)
    let scales = AffineScales(type)
    return numbers.enumerated().map { element, number in
      Quantized(
        clamping: scales?.quantized(number, at: element, in: range) ?? range.nearest(number))
    }
  }
}

/// The scale and zero point of every element of a quantized tensor.
package struct AffineScales {
  private let scales: [Double]
  private let zeroPoints: [Double]
  /// Elements that one slice along the quantized axis has behind each other.
  private let runLength: Int

  /// The scales of tensors of `type`; nil where it is not quantized, or not as its shape asks.
  package init?(_ type: TensorType) {
    guard type.elementType.quantizedRange != nil, let quantization = type.quantization,
      quantization.scaleCount > 0, quantization.scales.allSatisfy({ $0.isFinite && $0 > 0 })
    else { return nil }
    scales = quantization.scales.map(Double.init)
    zeroPoints = quantization.zeroPoints.map(Double.init)
    guard quantization.isPerChannel else {
      runLength = 1
      return
    }
    let shape = type.shape
    guard shape.dimensions.indices.contains(quantization.axis),
      shape[quantization.axis] == scales.count
    else { return nil }
    runLength = shape.strides[quantization.axis]
  }

  private func slice(_ element: Int) -> Int {
    scales.count == 1 ? 0 : element / runLength % scales.count
  }

  /// The numbers that all quantized values of a tensor stand for.
  func reals(_ quantizedValues: [Int64]) -> [Double] {
    if scales.count == 1 {
      let (scale, zeroPoint) = (scales[0], zeroPoints[0])
      return quantizedValues.map { scale * (Double($0) - zeroPoint) }
    }
    return quantizedValues.enumerated().map { element, quantized in
      let slice = slice(element)
      return scales[slice] * (Double(quantized) - zeroPoints[slice])
    }
  }

  /// The quantized value that stands for a number best.
  func quantized(_ number: Double, at element: Int, in range: ClosedRange<Int64>) -> Int64 {
    let slice = slice(element)
    let steps = (number / scales[slice]).rounded(.toNearestOrAwayFromZero)
    return range.nearest(steps.isNaN ? zeroPoints[slice] : steps + zeroPoints[slice])
  }
}

extension ElementType {
  /// The quantized values that quantized tensors of the type may hold; nil for types that hold
  /// none.
  package var quantizedRange: ClosedRange<Int64>? {
    switch self {
    case .int2: -2...1
    case .int4: -8...7
    case .uint4: 0...15
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32768...32767
    case .uint16: 0...65535
    case .int32: Int64(Int32.min)...Int64(Int32.max)
    case .uint32: 0...Int64(UInt32.max)
    case .int64: Int64.min...Int64.max
    case _: nil
    }
  }
}

extension ClosedRange<Int64> {
  /// The integer of the range that is nearest to a number, halves away from zero; NaN counts as 0.
  fileprivate func nearest(_ number: Double) -> Int64 {
    if number.isNaN { return Swift.min(Swift.max(0, lowerBound), upperBound) }
    let rounded = number.rounded(.toNearestOrAwayFromZero)
    if rounded >= Double(upperBound) { return upperBound }
    if rounded <= Double(lowerBound) { return lowerBound }
    return Int64(rounded)
  }
}

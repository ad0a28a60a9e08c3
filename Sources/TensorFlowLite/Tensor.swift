// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Martlet

/// An input or output of a model, with a copy of its values.
public struct Tensor: Equatable, Hashable {
  /// The tensor's name.
  public let name: String
  /// What one element is.
  public let dataType: DataType
  /// The lengths along each axis.
  public let shape: Shape
  /// A copy of the values: little-endian, row-major; strings in TFLite's packed form.
  public let data: Data
  /// How stored integers stand for real numbers; nil for tensors that are not quantized, and for
  /// those quantized per channel.
  public let quantizationParameters: QuantizationParameters?
}

extension Tensor {
  /// The element types of tensors.
  ///
  /// The first eight cases are those of TensorFlowLiteSwift; the others are additions, so that
  /// fully quantized models can be fed and read. A `switch` over all cases needs a `default`.
  public enum DataType: Equatable, Hashable, Sendable {
    /// A truth value, one byte.
    case bool
    /// An 8-bit unsigned integer.
    case uInt8
    /// A 16-bit signed integer.
    case int16
    /// A 32-bit signed integer.
    case int32
    /// A 64-bit signed integer.
    case int64
    /// A 16-bit floating-point number.
    case float16
    /// A 32-bit floating-point number.
    case float32
    /// A 64-bit floating-point number.
    case float64
    /// An 8-bit signed integer. An addition.
    case int8
    /// A 16-bit unsigned integer. An addition.
    case uInt16
    /// A 32-bit unsigned integer. An addition.
    case uInt32
    /// A 64-bit unsigned integer. An addition.
    case uInt64
    /// A 4-bit signed integer, two to a byte. An addition.
    case int4
    /// A 4-bit unsigned integer, two to a byte. An addition.
    case uInt4
    /// A 2-bit signed integer, four to a byte. An addition.
    case int2
    /// The upper half of a 32-bit floating-point number. An addition.
    case bfloat16
    /// A complex number of two 32-bit parts. An addition.
    case complex64
    /// A complex number of two 64-bit parts. An addition.
    case complex128
    /// A string of bytes, in TFLite's packed form. An addition.
    case string

    /// The façade's name for an element type; nil for those that no caller can hold.
    init?(_ elementType: ElementType) {
      switch elementType {
      case .bool: self = .bool
      case .uint8: self = .uInt8
      case .int16: self = .int16
      case .int32: self = .int32
      case .int64: self = .int64
      case .float16: self = .float16
      case .float32: self = .float32
      case .float64: self = .float64
      case .int8: self = .int8
      case .uint16: self = .uInt16
      case .uint32: self = .uInt32
      case .uint64: self = .uInt64
      case .int4: self = .int4
      case .uint4: self = .uInt4
      case .int2: self = .int2
      case .bfloat16: self = .bfloat16
      case .complex64: self = .complex64
      case .complex128: self = .complex128
      case .string: self = .string
      case .resource, .variant: return nil
      }
    }
  }
}

extension Tensor {
  /// The lengths of a tensor along its axes, outermost first.
  public struct Shape: Equatable, Hashable, Sendable, ExpressibleByArrayLiteral {
    /// The number of axes.
    public let rank: Int
    /// The lengths along each axis, outermost first.
    public let dimensions: [Int]

    /// A shape with these lengths.
    public init(_ dimensions: [Int]) {
      rank = dimensions.count
      self.dimensions = dimensions
    }

    /// A shape with these lengths.
    public init(_ elements: Int...) { self.init(elements) }

    /// A shape with these lengths.
    public init(arrayLiteral elements: Int...) { self.init(elements) }
  }
}

/// How the integers of a quantized tensor stand for real numbers:
/// `real = scale × (stored − zeroPoint)`.
public struct QuantizationParameters: Equatable, Hashable, Sendable {
  /// The real distance of neighboring integers.
  public let scale: Float
  /// The integer that stands for real zero.
  public let zeroPoint: Int
}

// SPDX-License-Identifier: Apache-2.0

/// Everything about a tensor but its values: element type, shape and quantization.
public struct TensorType: Sendable, Hashable {
  /// What each element is.
  public let elementType: ElementType
  /// The dimensions, outermost first.
  public let shape: Shape
  /// The quantization parameters; nil for plain numbers.
  public let quantization: Quantization?

  /// A tensor type of these parts.
  public init(_ elementType: ElementType, _ shape: Shape, quantization: Quantization? = nil) {
    self.elementType = elementType
    self.shape = shape
    self.quantization = quantization
  }

  /// The same type with another shape.
  public func with(shape: Shape) -> TensorType {
    TensorType(elementType, shape, quantization: quantization)
  }

  /// The bytes that a tensor of this type takes; nil for strings and variants.
  public var byteCount: Int? { elementType.byteCount(of: shape.elementCount) }
}

extension TensorType: CustomStringConvertible {
  /// Element type and shape, as in `INT8 1x224x224x3`.
  public var description: String { "\(elementType.schemaName) \(shape)" }
}

// SPDX-License-Identifier: Apache-2.0

import Martlet

/// What one element of a tensor is, with the numbers of LiteRT's C API (`litert_model_types.h`).
public enum ElementType: UInt32, Sendable {
  /// No type.
  case none = 0
  /// Truth values, one byte each.
  case bool = 6
  /// Signed integers of 2 bits, four to a byte.
  case int2 = 20
  /// Signed integers of 4 bits, two to a byte.
  case int4 = 18
  /// Signed integers of 8 bits.
  case int8 = 9
  /// Signed integers of 16 bits.
  case int16 = 7
  /// Signed integers of 32 bits.
  case int32 = 2
  /// Signed integers of 64 bits.
  case int64 = 4
  /// Unsigned integers of 8 bits.
  case uint8 = 3
  /// Unsigned integers of 16 bits.
  case uint16 = 17
  /// Unsigned integers of 32 bits.
  case uint32 = 16
  /// Unsigned integers of 64 bits.
  case uint64 = 13
  /// IEEE 754 numbers of 16 bits.
  case float16 = 10
  /// The upper 16 bits of IEEE 754 numbers of 32 bits.
  case bfloat16 = 19
  /// IEEE 754 numbers of 32 bits.
  case float32 = 1
  /// IEEE 754 numbers of 64 bits.
  case float64 = 11
  /// Pairs of 32-bit numbers.
  case complex64 = 8
  /// Pairs of 64-bit numbers.
  case complex128 = 12
  /// Handles of variables and tables.
  case tfResource = 14
  /// Strings, in TFLite's packed form: how many, where each begins, their bytes.
  case tfString = 5
  /// Values of any type.
  case tfVariant = 15

  /// The type of a tensor in a model; `none` for one that LiteRT has no name for.
  init(_ type: Martlet.ElementType) {
    self =
      switch type {
      case .float32: .float32
      case .float16: .float16
      case .int32: .int32
      case .uint8: .uint8
      case .int64: .int64
      case .string: .tfString
      case .bool: .bool
      case .int16: .int16
      case .complex64: .complex64
      case .int8: .int8
      case .float64: .float64
      case .complex128: .complex128
      case .uint64: .uint64
      case .resource: .tfResource
      case .variant: .tfVariant
      case .uint32: .uint32
      case .uint16: .uint16
      case .int4: .int4
      case .bfloat16: .bfloat16
      case .int2: .int2
      case .uint4: .none
      }
  }

  /// Bits of an element; nil for types whose elements differ in size.
  var bitCount: Int? {
    switch self {
    case .int2: 2
    case .int4: 4
    case .bool, .int8, .uint8: 8
    case .int16, .uint16, .float16, .bfloat16: 16
    case .int32, .uint32, .float32: 32
    case .int64, .uint64, .float64, .complex64: 64
    case .complex128: 128
    case .none, .tfResource, .tfString, .tfVariant: nil
    }
  }
}

/// The dimensions of a tensor, and how far apart its elements lie.
public struct Layout: Equatable, Sendable {
  /// The dimensions, outermost first; -1 for one that is open.
  public let dimensions: [Int]
  /// Elements from one index of a dimension to the next; empty where elements lie in row-major order
  /// without gaps.
  public let strides: [Int]

  /// A layout of these dimensions.
  public init(dimensions: [Int], strides: [Int] = []) {
    self.dimensions = dimensions
    self.strides = strides
  }

  /// How many dimensions there are.
  public var rank: Int { dimensions.count }

  /// Whether the distances of elements are given.
  public var hasStrides: Bool { !strides.isEmpty }

  /// How many elements there are; nil where a dimension is open, or more than an `Int` holds.
  public var elementCount: Int? {
    var count = 1
    for dimension in dimensions {
      guard dimension >= 0 else { return nil }
      let (product, overflows) = count.multipliedReportingOverflow(by: dimension)
      guard !overflows else { return nil }
      count = product
    }
    return count
  }
}

/// What a tensor is: the type of its elements and its layout.
public struct TensorType: Equatable, Sendable {
  /// The type of the elements.
  public let elementType: ElementType
  /// The dimensions.
  public let layout: Layout

  /// A tensor of these elements.
  public init(elementType: ElementType, layout: Layout) {
    self.elementType = elementType
    self.layout = layout
  }

  /// What an input or output of a model is, with open dimensions as -1 where `isDeclared`.
  init(_ info: Interpreter.TensorInfo, isDeclared: Bool) {
    let type = info.type
    let dimensions = type?.shape.dimensions ?? info.shapeSignature ?? []
    self.init(
      elementType: type.map { ElementType($0.elementType) } ?? .none,
      layout: Layout(dimensions: isDeclared ? info.shapeSignature ?? dimensions : dimensions))
  }

  /// Bytes of all elements without gaps; nil where a dimension is open or the elements differ in size.
  var byteCount: Int? {
    guard let count = layout.elementCount, let bits = elementType.bitCount else { return nil }
    let (total, overflows) = count.multipliedReportingOverflow(by: bits)
    return overflows ? nil : total / 8 + (total % 8 > 0 ? 1 : 0)
  }
}

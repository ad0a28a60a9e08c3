// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The values of a model's outputs.
public final class ModelOutputs: NSObject, @unchecked Sendable {
  /// The values of one output.
  struct Value: Sendable {
    let type: ModelElementType
    let dimensions: [Int]
    /// Little-endian elements, row by row.
    let bytes: [UInt8]
  }

  private let values: [UInt: Value]

  init(_ values: [UInt: Value]) { self.values = values }

  /// The values of an output: `NSNumber`s in arrays of arrays, one level for each dimension of its
  /// format, so `[[NSNumber]]` for an output of two dimensions.
  ///
  /// - Throws: `NSError` of code `invalidArgument` where no format was given for that output.
  public func output(index: UInt) throws -> Any {
    let value = try value(index)
    switch value.type {
    case .float32: return nested(try scalars(index: index, as: Float.self), value.dimensions)
    case .int32: return nested(try scalars(index: index, as: Int32.self), value.dimensions)
    case .uInt8: return nested(value.bytes, value.dimensions)
    case .int64: return nested(try scalars(index: index, as: Int64.self), value.dimensions)
    case .unknown: throw missing(index)
    }
  }

  /// The values of an output row by row, without an object for each (an addition).
  ///
  /// - Parameters:
  ///   - index: which output.
  ///   - type: the type of its format.
  /// - Returns: the elements row by row.
  /// - Throws: `NSError` of code `invalidArgument` where no format was given for that output, or
  ///   one of another type.
  public func scalars<Scalar: ModelScalar>(
    index: UInt, as type: Scalar.Type = Scalar.self
  ) throws -> [Scalar] {
    let value = try value(index)
    guard value.type == Scalar.modelElementType else {
      throw Generation.firebase.error(
        .invalidArgument,
        "Output \(index) has elements of type \(value.type), not \(Scalar.modelElementType).")
    }
    let size = MemoryLayout<Scalar>.size
    return stride(from: 0, to: value.bytes.count - size + 1, by: size).map {
      Scalar(littleEndianBytes: value.bytes[$0..<$0 + size])
    }
  }

  /// The lengths of an output along each axis, outermost first (an addition).
  ///
  /// - Throws: `NSError` of code `invalidArgument` where no format was given for that output.
  public func dimensions(index: UInt) throws -> [Int] { try value(index).dimensions }

  private func value(_ index: UInt) throws(NSError) -> Value {
    guard let value = values[index] else { throw missing(index) }
    return value
  }

  private func missing(_ index: UInt) -> NSError {
    Generation.firebase.error(.invalidArgument, "There is no output at index \(index).")
  }

  private func nested<Scalar: ModelScalar>(_ scalars: [Scalar], _ dimensions: [Int]) -> Any {
    level(scalars[...].map(\.number)[...], dimensions[...])
  }

  private func level(_ numbers: ArraySlice<NSNumber>, _ dimensions: ArraySlice<Int>) -> Any {
    guard dimensions.count > 1, let length = dimensions.first, length > 0 else {
      return Array(numbers)
    }
    let size = numbers.count / length
    let rows = (0..<length).map { row in
      let start = numbers.startIndex + row * size
      return level(numbers[start..<start + size], dimensions.dropFirst())
    }
    // Two dimensions, the most common, as an array that needs no conversion.
    return (rows as? [[NSNumber]]) ?? rows
  }
}

/// A number that an output can be read as.
public protocol ModelScalar: Sendable {
  /// The type of the elements that these numbers are.
  static var modelElementType: ModelElementType { get }
  /// The number as an object.
  var number: NSNumber { get }
  /// The number that these bytes are.
  init(littleEndianBytes: ArraySlice<UInt8>)
}

extension FixedWidthInteger {
  fileprivate init(assembling bytes: ArraySlice<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}

extension Float: ModelScalar {
  /// Floats are `float32`.
  public static var modelElementType: ModelElementType { .float32 }
  /// The number as an object.
  public var number: NSNumber { NSNumber(value: self) }
  /// The number that four bytes are.
  public init(littleEndianBytes bytes: ArraySlice<UInt8>) {
    self.init(bitPattern: UInt32(assembling: bytes))
  }
}

extension Int32: ModelScalar {
  /// These are `int32`.
  public static var modelElementType: ModelElementType { .int32 }
  /// The number as an object.
  public var number: NSNumber { NSNumber(value: self) }
  /// The number that four bytes are.
  public init(littleEndianBytes bytes: ArraySlice<UInt8>) {
    self.init(bitPattern: UInt32(assembling: bytes))
  }
}

extension UInt8: ModelScalar {
  /// Bytes are `uInt8`.
  public static var modelElementType: ModelElementType { .uInt8 }
  /// The number as an object.
  public var number: NSNumber { NSNumber(value: self) }
  /// The number that one byte is.
  public init(littleEndianBytes bytes: ArraySlice<UInt8>) { self = bytes.first ?? 0 }
}

extension Int64: ModelScalar {
  /// These are `int64`.
  public static var modelElementType: ModelElementType { .int64 }
  /// The number as an object.
  public var number: NSNumber { NSNumber(value: self) }
  /// The number that eight bytes are.
  public init(littleEndianBytes bytes: ArraySlice<UInt8>) {
    self.init(bitPattern: UInt64(assembling: bytes))
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A Swift type whose memory layout is that of a tensor's element.
public protocol TensorElement: BitwiseCopyable, Sendable, Equatable {
  /// The element type that this Swift type stores.
  static var elementType: ElementType { get }
}

extension Float: TensorElement {
  /// `FLOAT32`.
  public static var elementType: ElementType { .float32 }
}

extension Double: TensorElement {
  /// `FLOAT64`.
  public static var elementType: ElementType { .float64 }
}

#if !(os(macOS) && arch(x86_64))
  extension Float16: TensorElement {
    /// `FLOAT16`.
    public static var elementType: ElementType { .float16 }
  }
#endif

extension Int8: TensorElement {
  /// `INT8`.
  public static var elementType: ElementType { .int8 }
}

extension UInt8: TensorElement {
  /// `UINT8`.
  public static var elementType: ElementType { .uint8 }
}

extension Int16: TensorElement {
  /// `INT16`.
  public static var elementType: ElementType { .int16 }
}

extension UInt16: TensorElement {
  /// `UINT16`.
  public static var elementType: ElementType { .uint16 }
}

extension Int32: TensorElement {
  /// `INT32`.
  public static var elementType: ElementType { .int32 }
}

extension UInt32: TensorElement {
  /// `UINT32`.
  public static var elementType: ElementType { .uint32 }
}

extension Int64: TensorElement {
  /// `INT64`.
  public static var elementType: ElementType { .int64 }
}

extension UInt64: TensorElement {
  /// `UINT64`.
  public static var elementType: ElementType { .uint64 }
}

/// One element of a `BOOL` tensor: a byte, zero for false and anything else for true.
///
/// `Swift.Bool` is no tensor element: bytes other than 0 and 1 would be undefined behavior.
public struct BoolByte: TensorElement {
  /// The byte as stored.
  public var byte: UInt8

  /// The byte that stands for `value`.
  public init(_ value: Bool) { byte = value ? 1 : 0 }

  /// `BOOL`.
  public static var elementType: ElementType { .bool }

  /// Whether the byte means true.
  public var value: Bool { byte != 0 }
}

/// A 16-bit float with the range of `Float`: its upper half.
public struct BFloat16: TensorElement {
  /// Sign, eight exponent bits, seven fraction bits.
  public var bitPattern: UInt16

  /// The value with these bits.
  public init(bitPattern: UInt16) { self.bitPattern = bitPattern }

  /// `value` rounded to the nearest, ties to even; NaN stays NaN.
  public init(_ value: Float) {
    let bits = value.bitPattern
    if value.isNaN {
      bitPattern = UInt16(truncatingIfNeeded: bits >> 16) | 0x40
    } else {
      let roundingBias = 0x7FFF &+ (bits >> 16 & 1)
      bitPattern = UInt16(truncatingIfNeeded: (bits &+ roundingBias) >> 16)
    }
  }

  /// `BFLOAT16`.
  public static var elementType: ElementType { .bfloat16 }

  /// The same value as a `Float`, exactly.
  public var float: Float { Float(bitPattern: UInt32(bitPattern) << 16) }
}

/// A complex number as `COMPLEX64` and `COMPLEX128` tensors store it: real part first.
public struct Complex<Part: TensorElement & BinaryFloatingPoint>: TensorElement {
  /// The real part.
  public var real: Part
  /// The imaginary part.
  public var imaginary: Part

  /// The number `real + imaginary · i`.
  public init(_ real: Part, _ imaginary: Part) {
    self.real = real
    self.imaginary = imaginary
  }

  /// `COMPLEX64` or `COMPLEX128`.
  public static var elementType: ElementType {
    Part.elementType == .float32 ? .complex64 : .complex128
  }
}

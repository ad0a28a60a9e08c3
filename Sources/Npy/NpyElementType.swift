// SPDX-License-Identifier: Apache-2.0

public import Tensors

/// What one element of an npy array is: the part of NumPy's `dtype` that tensors need.
public enum NpyElementType: Sendable, Hashable {
  /// One byte, 0 or 1: `|b1`.
  case bool
  /// `|i1`.
  case int8
  /// `|u1`.
  case uint8
  /// `<i2`.
  case int16
  /// `<u2`; bfloat16 tensors are stored as these, bit pattern by bit pattern.
  case uint16
  /// `<i4`.
  case int32
  /// `<u4`.
  case uint32
  /// `<i8`.
  case int64
  /// `<u8`.
  case uint64
  /// `<f2`.
  case float16
  /// `<f4`.
  case float32
  /// `<f8`.
  case float64
  /// `<c8`: two `float32`.
  case complex64
  /// `<c16`: two `float64`.
  case complex128
  /// `|S<n>`: byte strings of a fixed length, shorter ones filled up with NUL.
  case string(byteCount: Int)

  /// Bytes that one element takes.
  public var byteCount: Int {
    switch self {
    case .bool, .int8, .uint8: 1
    case .int16, .uint16, .float16: 2
    case .int32, .uint32, .float32: 4
    case .int64, .uint64, .float64, .complex64: 8
    case .complex128: 16
    case .string(let byteCount): byteCount
    }
  }

  /// The type as a header's `descr` says it, little-endian: `<f4`, `|u1`, `|S12`.
  public var descriptor: String {
    switch self {
    case .string: "|S\(byteCount)"
    case .bool, .int8, .uint8: "|\(kind)1"
    case _: "<\(kind)\(byteCount)"
    }
  }

  /// The letter of NumPy's `dtype.kind`.
  private var kind: String {
    switch self {
    case .bool: "b"
    case .int8, .int16, .int32, .int64: "i"
    case .uint8, .uint16, .uint32, .uint64: "u"
    case .float16, .float32, .float64: "f"
    case .complex64, .complex128: "c"
    case .string: "S"
    }
  }

  /// The type that a kind letter and a size mean; nil where no tensor has such elements.
  init?(kind: UInt8, byteCount: Int) {
    switch (kind, byteCount) {
    case (UInt8(ascii: "b"), 1): self = .bool
    case (UInt8(ascii: "i"), 1): self = .int8
    case (UInt8(ascii: "i"), 2): self = .int16
    case (UInt8(ascii: "i"), 4): self = .int32
    case (UInt8(ascii: "i"), 8): self = .int64
    case (UInt8(ascii: "u"), 1): self = .uint8
    case (UInt8(ascii: "u"), 2): self = .uint16
    case (UInt8(ascii: "u"), 4): self = .uint32
    case (UInt8(ascii: "u"), 8): self = .uint64
    case (UInt8(ascii: "f"), 2): self = .float16
    case (UInt8(ascii: "f"), 4): self = .float32
    case (UInt8(ascii: "f"), 8): self = .float64
    case (UInt8(ascii: "c"), 8): self = .complex64
    case (UInt8(ascii: "c"), 16): self = .complex128
    case (UInt8(ascii: "S"), _), (UInt8(ascii: "a"), _): self = .string(byteCount: byteCount)
    case (_, _): return nil
    }
  }

  /// The npy type that stands for a tensor's elements; nil for strings, whose length varies,
  /// and for handles.
  ///
  /// NumPy has neither bfloat16 nor types below a byte: the former are stored as their bit
  /// patterns (`uint16`), the latter widened (`int8`, `uint8`).
  public init?(_ elementType: ElementType) {
    switch elementType {
    case .bool: self = .bool
    case .int8, .int4, .int2: self = .int8
    case .uint8, .uint4: self = .uint8
    case .int16: self = .int16
    case .uint16, .bfloat16: self = .uint16
    case .int32: self = .int32
    case .uint32: self = .uint32
    case .int64: self = .int64
    case .uint64: self = .uint64
    case .float16: self = .float16
    case .float32: self = .float32
    case .float64: self = .float64
    case .complex64: self = .complex64
    case .complex128: self = .complex128
    case .string, .resource, .variant: return nil
    }
  }

  /// Bytes that change places together where the byte order differs: the parts of a complex
  /// number are swapped one by one, strings not at all.
  var swapUnit: Int {
    switch self {
    case .complex64: 4
    case .complex128: 8
    case .string: 1
    case _: byteCount
    }
  }
}

extension NpyElementType: CustomStringConvertible {
  /// NumPy's name: `float32`, `S12`.
  public var description: String {
    switch self {
    case .string(let byteCount): "S\(byteCount)"
    case .bool: "bool"
    case .int8, .int16, .int32, .int64: "int\(8 * byteCount)"
    case .uint8, .uint16, .uint32, .uint64: "uint\(8 * byteCount)"
    case .float16, .float32, .float64: "float\(8 * byteCount)"
    case .complex64, .complex128: "complex\(8 * byteCount)"
    }
  }
}

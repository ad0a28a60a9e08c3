// SPDX-License-Identifier: Apache-2.0

/// What one element of a tensor is: the schema's `TensorType`, with its codes as raw values.
public enum ElementType: Int8, Sendable, Hashable, CaseIterable {
  case float32 = 0
  case float16 = 1
  case int32 = 2
  case uint8 = 3
  case int64 = 4
  case string = 5
  case bool = 6
  case int16 = 7
  case complex64 = 8
  case int8 = 9
  case float64 = 10
  case complex128 = 11
  case uint64 = 12
  case resource = 13
  case variant = 14
  case uint32 = 15
  case uint16 = 16
  case int4 = 17
  case bfloat16 = 18
  case int2 = 19
  case uint4 = 20

  /// Bits that one element takes in memory; nil where an element has no fixed size.
  public var bitCount: Int? {
    switch self {
    case .int2: 2
    case .int4, .uint4: 4
    case .uint8, .int8, .bool: 8
    case .float16, .bfloat16, .int16, .uint16: 16
    case .float32, .int32, .uint32, .resource: 32
    case .int64, .uint64, .float64, .complex64: 64
    case .complex128: 128
    case .string, .variant: nil
    }
  }

  /// Bytes that `count` elements take, sub-byte types packed low bits first;
  /// nil for types without a fixed size and where the product overflows.
  public func byteCount(of count: Int) -> Int? {
    guard let bitCount else { return nil }
    let (bits, overflow) = count.multipliedReportingOverflow(by: bitCount)
    return overflow || bits > Int.max - 7 ? nil : (bits + 7) / 8
  }

  /// The schema's name, such as `FLOAT32`, as the command line prints it.
  public var schemaName: String { "\(self)".uppercased() }
}

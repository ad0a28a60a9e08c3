// SPDX-License-Identifier: Apache-2.0

extension ElementType {
  /// Bits that one element takes in memory; nil where an element has no fixed size.
  public var bitCount: Int? {
    switch self {
    case .int2: 2
    case .int4, .uint4: 4
    case .uint8, .int8, .bool: 8
    case .float16, .bfloat16, .int16, .uint16: 16
    case .float32, .int32, .uint32, .resource: 32
    case .int64, .uint64, .float64, .complex64, .variant: 64
    case .complex128: 128
    case .string: nil
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

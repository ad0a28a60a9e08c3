// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// How integers lie in a tensor: one per element, or several packed into a byte.
package protocol CodeFormat: Sendable {
  /// The element that holds them.
  associatedtype Stored: TensorElement
  /// The least code.
  static var lowest: Int32 { get }
  /// The greatest code.
  static var highest: Int32 { get }

  /// The code at a flat index.
  static func load(_ index: Int, from stored: Span<Stored>) -> Int32

  /// Writes the code at a flat index; packed codes must be written in order.
  static func store(_ code: Int32, _ index: Int, to stored: inout MutableSpan<Stored>)
}

/// One integer of at most 32 bits per element.
package enum WholeCodes<Element: TensorElement & FixedWidthInteger>: CodeFormat {
  package static var lowest: Int32 { Int32(clamping: Element.min) }
  package static var highest: Int32 { Int32(clamping: Element.max) }

  @inline(__always)
  package static func load(_ index: Int, from stored: Span<Element>) -> Int32 {
    Int32(truncatingIfNeeded: stored[index])
  }

  @inline(__always)
  package static func store(
    _ code: Int32, _ index: Int, to stored: inout MutableSpan<Element>
  ) {
    stored[index] = Element(truncatingIfNeeded: code)
  }
}

/// Integers of less than a byte, the first in the lowest bits.
package protocol PackedCodes: CodeFormat where Stored == UInt8 {
  /// Bits of one code: 2 or 4.
  static var bitCount: Int { get }
  /// Whether the codes are two's complement.
  static var isSigned: Bool { get }
}

extension PackedCodes {
  package static var lowest: Int32 { isSigned ? -(1 << (bitCount - 1)) : 0 }
  package static var highest: Int32 { lowest + (1 << bitCount) - 1 }

  @inline(__always)
  package static func load(_ index: Int, from stored: Span<UInt8>) -> Int32 {
    let location = index % (8 / bitCount) * bitCount
    let code = Int32(stored[index / (8 / bitCount)]) >> Int32(location) & ((1 << bitCount) - 1)
    return code > highest ? code - (1 << bitCount) : code
  }

  @inline(__always)
  package static func store(_ code: Int32, _ index: Int, to stored: inout MutableSpan<UInt8>) {
    let location = index % (8 / bitCount) * bitCount
    let bits = UInt8(truncatingIfNeeded: code) & ((1 << bitCount) - 1)
    let byte = index / (8 / bitCount)
    stored[byte] = (location == 0 ? 0 : stored[byte]) | bits << UInt8(location)
  }
}

/// `INT4`.
package enum Int4Codes: PackedCodes {
  package static let bitCount = 4
  package static let isSigned = true
}

/// `UINT4`.
package enum UInt4Codes: PackedCodes {
  package static let bitCount = 4
  package static let isSigned = false
}

/// `INT2`.
package enum Int2Codes: PackedCodes {
  package static let bitCount = 2
  package static let isSigned = true
}

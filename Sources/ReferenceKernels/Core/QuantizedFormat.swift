// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// How integers lie in a tensor: one per element, or several packed into a byte.
package protocol QuantizedFormat: Sendable {
  /// The element that holds them.
  associatedtype Stored: TensorElement
  /// The least quantized value.
  static var lowest: Int32 { get }
  /// The greatest quantized value.
  static var highest: Int32 { get }

  /// The quantized value at a flat index.
  static func load(_ index: Int, from stored: Span<Stored>) -> Int32

  /// Writes the quantized value at a flat index; packed quantized values must be written in order.
  static func store(_ quantized: Int32, _ index: Int, to stored: inout MutableSpan<Stored>)
}

/// One integer of at most 32 bits per element.
package enum WholeElements<Element: TensorElement & FixedWidthInteger>: QuantizedFormat {
  package static var lowest: Int32 { Int32(clamping: Element.min) }
  package static var highest: Int32 { Int32(clamping: Element.max) }

  @inline(__always)
  package static func load(_ index: Int, from stored: Span<Element>) -> Int32 {
    Int32(truncatingIfNeeded: stored[index])
  }

  @inline(__always)
  package static func store(
    _ quantized: Int32, _ index: Int, to stored: inout MutableSpan<Element>
  ) {
    stored[index] = Element(truncatingIfNeeded: quantized)
  }
}

/// Integers of less than a byte, the first in the lowest bits.
package protocol PackedElements: QuantizedFormat where Stored == UInt8 {
  /// Bits of one quantized value: 2 or 4.
  static var bitCount: Int { get }
  /// Whether the quantized values are two's complement.
  static var isSigned: Bool { get }
}

extension PackedElements {
  package static var lowest: Int32 { isSigned ? -(1 << (bitCount - 1)) : 0 }
  package static var highest: Int32 { lowest + (1 << bitCount) - 1 }

  @inline(__always)
  package static func load(_ index: Int, from stored: Span<UInt8>) -> Int32 {
    let location = index % (8 / bitCount) * bitCount
    let quantized = Int32(stored[index / (8 / bitCount)]) >> Int32(location) & ((1 << bitCount) - 1)
    return quantized > highest ? quantized - (1 << bitCount) : quantized
  }

  @inline(__always)
  package static func store(_ quantized: Int32, _ index: Int, to stored: inout MutableSpan<UInt8>) {
    let location = index % (8 / bitCount) * bitCount
    let bits = UInt8(truncatingIfNeeded: quantized) & ((1 << bitCount) - 1)
    let byte = index / (8 / bitCount)
    stored[byte] = (location == 0 ? 0 : stored[byte]) | bits << UInt8(location)
  }
}

/// `INT4`.
package enum Int4Elements: PackedElements {
  package static let bitCount = 4
  package static let isSigned = true
}

/// `UINT4`.
package enum UInt4Elements: PackedElements {
  package static let bitCount = 4
  package static let isSigned = false
}

/// `INT2`.
package enum Int2Elements: PackedElements {
  package static let bitCount = 2
  package static let isSigned = true
}

// SPDX-License-Identifier: Apache-2.0
//
// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

package import Tensors

/// The part of an npy file before the data: element type, order and shape.
package struct NpyHeader: Equatable {
  /// What each element is.
  package let elementType: NpyElementType
  /// Whether numbers are stored most significant byte first.
  package let isBigEndian: Bool
  /// Whether the first axis varies fastest.
  package let isFortranOrder: Bool
  /// The dimensions, outermost first.
  package let shape: Shape
  /// Where the data begins.
  package let dataOffset: Int

  /// The longest header text that is read.
  package static let lengthLimit = 1 << 16

  static let magic: [UInt8] = [0x93] + Array("NUMPY".utf8)

  /// The header at the start of `bytes`, format versions 1 to 3.
  ///
  /// - Throws: `NpyError` with the offset of what is not as the format says.
  package init(parsing bytes: Span<UInt8>) throws(NpyError) {
    for (offset, wanted) in Self.magic.enumerated() {
      guard offset < bytes.count else { throw NpyError("file ends early", offset: bytes.count) }
      guard bytes[offset] == wanted else {
        throw NpyError("not an npy file: wrong magic number", offset: offset)
      }
    }
    guard bytes.count >= 8 else { throw NpyError("file ends early", offset: bytes.count) }
    let version = bytes[6]
    guard (1...3).contains(version) else {
      throw NpyError("npy version \(version).\(bytes[7]), wanted 1 to 3", offset: 6)
    }
    let start = version == 1 ? 10 : 12
    guard bytes.count >= start else { throw NpyError("file ends early", offset: bytes.count) }
    var length = 0
    for offset in (8..<start).reversed() { length = length << 8 | Int(bytes[offset]) }
    guard length <= Self.lengthLimit else {
      throw NpyError("header of \(length) bytes, at most \(Self.lengthLimit) allowed", offset: 8)
    }
    guard length <= bytes.count - start else {
      throw NpyError("file ends within the header", offset: bytes.count)
    }
    var text: [UInt8] = []
    text.reserveCapacity(length)
    for offset in start..<start + length { text.append(bytes[offset]) }
    var literal = NpyHeaderLiteral(text, at: start)
    let fields = try literal.fields()
    (elementType, isBigEndian) = fields.elementType
    isFortranOrder = fields.isFortranOrder
    do throws(ShapeError) { shape = try Shape(fields.dimensions) } catch {
      throw NpyError(error.description, offset: start)
    }
    dataOffset = start + length
  }

  /// Bytes that the data takes; nil where that is no number.
  package var dataByteCount: Int? {
    let (count, overflow) = shape.elementCount.multipliedReportingOverflow(
      by: elementType.byteCount)
    return overflow ? nil : count
  }

  /// The bytes that begin a file of this type and shape, exactly as NumPy writes them.
  package static func encoded(_ elementType: NpyElementType, _ shape: Shape) -> [UInt8] {
    let dimensions = shape.dimensions.map(String.init).joined(separator: ", ")
    let tuple = "(\(dimensions)\(shape.rank == 1 ? "," : ""))"
    let dictionary =
      "{'descr': '\(elementType.descriptor)', 'fortran_order': False, 'shape': \(tuple), }"
    // Room in which the first dimension may grow to 21 digits, as NumPy leaves, then the end of
    // a block of 64 bytes. The rank limit keeps the text below the 65,535 bytes of version 1.
    let growth = shape.dimensions.first.map { 21 - String($0).utf8.count } ?? 0
    let used = magic.count + 4 + dictionary.utf8.count + growth + 1
    let padding = growth + 64 - used % 64
    let length = dictionary.utf8.count + padding + 1
    return magic + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(dictionary.utf8)
      + Array(repeating: UInt8(ascii: " "), count: padding) + [UInt8(ascii: "\n")]
  }
}

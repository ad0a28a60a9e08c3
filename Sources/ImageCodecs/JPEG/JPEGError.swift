// SPDX-License-Identifier: Apache-2.0

/// Why a file is not a JPEG that can be decoded, and where.
public struct JPEGError: Error, Sendable, Hashable {
  /// What is wrong.
  public let reason: Reason

  /// The byte of the file at which it was found: that of the marker, or in the compressed data.
  public let offset: Int

  init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What can be wrong with a JPEG file.
  public enum Reason: Sendable, Hashable {
    /// The first two bytes are not those of a JPEG file.
    case signature
    /// The file ends inside a segment, inside a scan or before `EOI`.
    case truncated
    /// A marker that cannot be ignored is not known.
    case unknownMarker(UInt8)
    /// A marker stands where it must not.
    case misplacedMarker(UInt8)
    /// A segment's length does not fit its content.
    case segmentLength(Int, marker: UInt8)
    /// The coding process of this start-of-frame marker (`SOF3`, `SOF9`…) is not supported.
    case codingProcess(Int)
    /// The samples do not have 8 bits.
    case samplePrecision(Int)
    /// Width or height is 0.
    case size(width: Int, height: Int)
    /// The image has a number of components that is not 1, 3 or 4.
    case componentCount(Int)
    /// A sampling factor is not one of 1 to 4.
    case samplingFactor(Int)
    /// A component is named that does not exist, or twice.
    case componentIdentifier(Int)
    /// A quantization table has an impossible number or precision.
    case quantizationTable(Int)
    /// A Huffman table has an impossible number, too many codes or an impossible symbol.
    case huffmanTable(Int)
    /// A component uses a quantization table that is not there.
    case missingQuantizationTable(Int)
    /// A scan uses a Huffman table that is not there.
    case missingHuffmanTable(Int)
    /// There is a scan, or the end, before any frame.
    case missingFrame
    /// The file ends properly without a scan for this component.
    case missingScan(component: Int)
    /// A scan's coefficients or bit positions are impossible.
    case scanParameters
    /// A scan repeats or refines what another has, or has not yet, given.
    case scanOrder
    /// The scans take more work than the image's size justifies.
    case tooManyScans(Int)
    /// The image would take more pixels or bytes than the limits allow.
    case tooLarge(width: Int, height: Int)
    /// The file is too short for the image's size, however well compressed.
    case implausibleSize(width: Int, height: Int, byteCount: Int)
    /// Bits that are no code of the Huffman table.
    case huffmanCode
    /// A block has more than 64 coefficients.
    case coefficientIndex
    /// A marker where there should be more compressed data.
    case scanTooShort(marker: UInt8)
    /// Another marker than the restart marker that is due.
    case restartMarker(UInt8, wanted: UInt8)
  }
}

extension JPEGError: CustomStringConvertible {
  /// One line, such as `the file ends early at byte 41`.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension JPEGError.Reason: CustomStringConvertible {
  /// The reason alone, without its location.
  public var description: String {
    switch self {
    case .signature: "not a JPEG file"
    case .truncated: "the file ends early"
    case .unknownMarker(let code): "unknown marker \(JPEGMarker(code: code))"
    case .misplacedMarker(let code): "misplaced marker \(JPEGMarker(code: code))"
    case .segmentLength(let length, let code):
      "impossible length \(length) of segment \(JPEGMarker(code: code))"
    case .codingProcess(let number):
      "unsupported coding process SOF\(number) (\(JPEGMarker.processName(number)))"
    case .samplePrecision(let bits): "unsupported precision of \(bits) bits, wanted 8"
    case .size(let width, let height): "impossible size \(width)x\(height)"
    case .componentCount(let count): "\(count) components, wanted 1, 3 or 4"
    case .samplingFactor(let factor): "impossible sampling factor \(factor)"
    case .componentIdentifier(let number): "unknown or repeated component \(number)"
    case .quantizationTable(let number): "malformed quantization table \(number)"
    case .huffmanTable(let number): "malformed Huffman table \(number)"
    case .missingQuantizationTable(let number): "missing quantization table \(number)"
    case .missingHuffmanTable(let number): "missing Huffman table \(number)"
    case .missingFrame: "no frame header (SOF)"
    case .missingScan(let number): "no scan for component \(number)"
    case .scanParameters: "impossible coefficients or bit positions of a scan"
    case .scanOrder: "a scan out of order"
    case .tooManyScans(let count): "too many scans (\(count))"
    case .tooLarge(let width, let height): "size \(width)x\(height) beyond the limits"
    case .implausibleSize(let width, let height, let count):
      "\(count) bytes for a size of \(width)x\(height)"
    case .huffmanCode: "bad Huffman code"
    case .coefficientIndex: "a block of more than 64 coefficients"
    case .scanTooShort(let code):
      "compressed data ends early at marker \(JPEGMarker(code: code))"
    case .restartMarker(let code, let wanted):
      "marker \(JPEGMarker(code: code)) instead of \(JPEGMarker(code: wanted))"
    }
  }
}

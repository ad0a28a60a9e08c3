// SPDX-License-Identifier: Apache-2.0

internal import Compression

/// One chunk of a PNG file: its name and where its data lies.
struct PNGChunk {
  /// The four letters, the first in the most significant byte.
  var name: Name
  /// The chunk's first byte, that of its length.
  var offset: Int
  /// The data's bytes in the file.
  var data: Range<Int>
  /// Whether the checksum agrees with name and data.
  var isIntact: Bool

  var location: PNGError.Location { .init(chunk: name.description, offset: offset) }

  /// A chunk's name, whose letters' case tells how to treat it.
  struct Name: Equatable {
    var code: UInt32

    init(code: UInt32) { self.code = code }

    init(_ letters: StaticString) {
      code = letters.description.utf8.reduce(0) { $0 << 8 | UInt32($1) }
    }

    private var bytes: [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }
    }

    /// An image cannot be decoded without understanding the chunk: a capital first letter.
    var isCritical: Bool { code & 0x2000_0000 == 0 }

    var isFourLetters: Bool {
      bytes.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    }

    static let header = Name("IHDR")
    static let palette = Name("PLTE")
    static let imageData = Name("IDAT")
    static let end = Name("IEND")
    static let transparency = Name("tRNS")
    static let exif = Name("eXIf")
    static let appleVariant = Name("CgBI")
  }
}

extension PNGChunk.Name: CustomStringConvertible {
  var description: String {
    guard isFourLetters else { return "0x" + String(code, radix: 16) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Walks the chunks of a file, checking lengths, names and checksums.
struct PNGChunkReader {
  private var position = PNGChunkReader.signature.count

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Starts behind the signature, which it checks.
  init(_ file: Span<UInt8>) throws(PNGError) {
    for index in PNGChunkReader.signature.indices {
      guard index < file.count, file[index] == PNGChunkReader.signature[index] else {
        throw PNGError(PNGChunkReader.diagnoseStart(of: file))
      }
    }
  }

  /// The next chunk.
  ///
  /// - Throws: `PNGError` when the file ends inside it, when its length or name are impossible,
  ///   or when the checksum of a critical chunk disagrees.
  mutating func next(in file: Span<UInt8>) throws(PNGError) -> PNGChunk {
    let offset = position
    guard file.count - offset >= 8 else {
      throw PNGError(.truncated, at: .init(chunk: nil, offset: offset))
    }
    let length = file.bigEndian32(at: offset)
    let name = PNGChunk.Name(code: UInt32(truncatingIfNeeded: file.bigEndian32(at: offset + 4)))
    let data = offset + 8..<offset + 8 + length
    var chunk = PNGChunk(name: name, offset: offset, data: data, isIntact: false)
    guard name.isFourLetters else { throw PNGError(.chunkName, at: chunk.location) }
    guard length <= Int(Int32.max) else {
      throw PNGError(.chunkLength(length, wanted: "less than 2^31"), at: chunk.location)
    }
    guard file.count - data.upperBound >= 4 else {
      throw PNGError(.truncated, at: chunk.location)
    }
    let checksum = UInt32(truncatingIfNeeded: file.bigEndian32(at: data.upperBound))
    let body = file.extracting(offset + 4..<data.upperBound)
    chunk.isIntact = Checksum.crc32(body) == checksum
    guard chunk.isIntact || !name.isCritical else { throw PNGError(.crc, at: chunk.location) }
    position = data.upperBound + 4
    return chunk
  }

  /// What first bytes that are not PNG's belong to.
  private static func diagnoseStart(of file: Span<UInt8>) -> PNGError.Reason {
    let starts: [(bytes: [UInt8], reason: PNGError.Reason)] = [
      ([0xFF, 0xD8, 0xFF], .otherFormat("JPEG")),
      (Array("GIF8".utf8), .otherFormat("GIF")),
      (Array("RIFF".utf8), .otherFormat("RIFF (WebP)")),
      (Array("BM".utf8), .otherFormat("BMP")),
      (Array("II*\0".utf8), .otherFormat("TIFF")),
      (Array("MM\0*".utf8), .otherFormat("TIFF")),
      ([0x89, 0x50, 0x4E, 0x47, 0x0A], .changedLineEnds),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0D], .changedLineEnds),
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x1A], .changedLineEnds),
    ]
    let known = starts.first { start in
      file.count >= start.bytes.count
        && start.bytes.indices.allSatisfy { file[$0] == start.bytes[$0] }
    }
    return known?.reason ?? .signature
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A PNG file with every chunk that decides its pixels checked, and nothing inflated.
///
/// Unknown and damaged ancillary chunks are passed over. `tRNS` is checked as a critical chunk
/// is once its checksum agrees, since pixels depend on it.
struct PNGContents {
  var header: PNGHeader
  /// Red, green, blue of each palette entry, one after the other.
  var palette: [UInt8]
  var transparency: PNGTransparency
  /// The chunks that hold the compressed rows, one after the other.
  var imageData: [PNGChunk]
  var orientation: ImageOrientation?

  /// Reads all chunks up to `IEND`; bytes behind it belong to somebody else.
  init(_ file: Span<UInt8>) throws(PNGError) {
    var reader = try PNGChunkReader(file)
    let first = try reader.next(in: file)
    header = try PNGContents.header(first, in: file)
    palette = []
    transparency = .none
    imageData = []

    var isBehindImageData = false
    while true {
      let chunk = try reader.next(in: file)
      switch chunk.name {
      case .imageData:
        if isBehindImageData { throw PNGError(.misplacedChunk(after: "IDAT"), at: chunk.location) }
        imageData.append(chunk)
        continue
      case .end:
        try finish(chunk)
        return
      case .header: throw PNGError(.duplicateChunk, at: chunk.location)
      case .palette: try readPalette(chunk, in: file)
      case .transparency where chunk.isIntact: try readTransparency(chunk, in: file)
      case .exif where chunk.isIntact:
        orientation = orientation ?? exifOrientation(file.extracting(chunk.data))
      default:
        if chunk.name.isCritical { throw PNGError(.unknownCriticalChunk, at: chunk.location) }
      }
      isBehindImageData = !imageData.isEmpty
    }
  }

  /// The header that the first chunk must be.
  static func header(
    _ chunk: PNGChunk, in file: Span<UInt8>
  ) throws(PNGError) -> PNGHeader {
    if chunk.name == .appleVariant {
      throw PNGError(.appleVariant, at: chunk.location)
    }
    guard chunk.name == .header else { throw PNGError(.missingHeader, at: chunk.location) }
    return try PNGHeader(file.extracting(chunk.data), at: chunk.location)
  }

  /// Reads the colors, be they more than the indices can reach.
  ///
  /// Greyscale files may not have a palette, but some do; it is read and not used.
  private mutating func readPalette(
    _ chunk: PNGChunk, in file: Span<UInt8>
  ) throws(PNGError) {
    guard palette.isEmpty else { throw PNGError(.duplicateChunk, at: chunk.location) }
    guard imageData.isEmpty else {
      throw PNGError(.misplacedChunk(after: "IDAT"), at: chunk.location)
    }
    let count = chunk.data.count
    guard count > 0, count.isMultiple(of: 3), count <= 3 * 256 else {
      throw PNGError(
        .chunkLength(count, wanted: "3 to 768 bytes, three per color"), at: chunk.location)
    }
    palette = file.bytes(chunk.data)
  }

  private mutating func readTransparency(
    _ chunk: PNGChunk, in file: Span<UInt8>
  ) throws(PNGError) {
    guard transparency == .none else { throw PNGError(.duplicateChunk, at: chunk.location) }
    guard imageData.isEmpty else {
      throw PNGError(.misplacedChunk(after: "IDAT"), at: chunk.location)
    }
    transparency = try PNGTransparency(
      file.extracting(chunk.data), header: header, paletteCount: palette.count / 3,
      at: chunk.location)
  }

  private func finish(_ end: PNGChunk) throws(PNGError) {
    guard end.data.isEmpty else {
      throw PNGError(.chunkLength(end.data.count, wanted: "0"), at: end.location)
    }
    guard let firstData = imageData.first else {
      throw PNGError(.missingImageData, at: end.location)
    }
    if header.colorType == .indexed, palette.isEmpty {
      throw PNGError(.missingPalette, at: firstData.location)
    }
  }
}

/// What a `tRNS` chunk makes transparent.
enum PNGTransparency: Equatable {
  case none
  /// Pixels whose stored samples, at full depth, are these: one for grey, three for colors.
  case key([UInt16])
  /// The alpha of the first palette entries; the others are opaque.
  case palette([UInt8])

  init(
    _ data: Span<UInt8>, header: PNGHeader, paletteCount: Int, at location: PNGError.Location
  ) throws(PNGError) {
    switch header.colorType {
    case .grey, .rgb:
      guard data.count == 2 * header.colorType.channelCount else {
        let wanted = "\(2 * header.colorType.channelCount)"
        throw PNGError(.chunkLength(data.count, wanted: wanted), at: location)
      }
      // Samples of fewer bits stand in the low bits; the others are to be ignored.
      let mask = UInt16.max >> (16 - header.bitDepth)
      self = .key(
        (0..<header.colorType.channelCount).map {
          UInt16(truncatingIfNeeded: data.bigEndian16(at: 2 * $0)) & mask
        })
    case .indexed:
      guard paletteCount > 0 else { throw PNGError(.missingPalette, at: location) }
      guard data.count >= 1, data.count <= paletteCount else {
        let wanted = "1 to \(paletteCount), one per color"
        throw PNGError(.chunkLength(data.count, wanted: wanted), at: location)
      }
      self = .palette(data.bytes(data.indices))
    case .greyAlpha, .rgba:
      // Not allowed, but the alpha channel leaves nothing open.
      self = .none
    }
  }
}

extension Span<UInt8> {
  /// A copy of the bytes in `range`.
  func bytes(_ range: Range<Int>) -> [UInt8] {
    range.map { self[$0] }
  }
}

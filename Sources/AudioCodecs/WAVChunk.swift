// SPDX-License-Identifier: Apache-2.0

/// A chunk of a RIFF file: where its contents begin, and how many bytes they are said to have.
struct WAVChunk {
  /// The four letters of its name.
  let name: [UInt8]
  /// The offset of its contents.
  let start: Int
  /// The declared length of its contents.
  let byteCount: UInt64

  /// The length of the contents, all of which are in the file.
  func count(in file: Span<UInt8>) throws(AudioFileError) -> Int {
    guard byteCount <= UInt64(file.count - start) else {
      throw AudioFileError(.truncated, at: file.count)
    }
    return Int(byteCount)
  }
}

/// The outermost structure of a WAV file: the form, and the chunks that describe the samples.
///
/// Microsoft and IBM's RIFF (and its big-endian sister RIFX), and EBU Tech 3306's RF64, which
/// ITU-R BS.2088 calls BW64: there the 32-bit sizes are 0xFFFFFFFF, and a chunk `ds64` has the
/// sizes in 64 bits.
struct WAVChunks {
  let order: ByteOrder
  let format: WAVFormat
  /// The samples.
  let data: Range<Int>
  /// The frames that the chunk `fact` announces.
  let announcedFrameCount: UInt64?

  /// A size that stands for one given elsewhere, or for one that was not known yet.
  static let unknownSize: UInt64 = 0xFFFF_FFFF
  /// From here on, sizes that go beyond the file come from writers to pipes, which did not know
  /// them: sox writes about 0x7F000000.
  static let leastStreamedSize: UInt64 = 0x7EFF_0000

  init(_ file: Span<UInt8>) throws(AudioFileError) {
    guard file.count >= 12 else { throw AudioFileError(.truncated, at: file.count) }
    let form = Self.letters(file, at: 0)
    let isWide = form == Array("RF64".utf8) || form == Array("BW64".utf8)
    order = form == Array("RIFX".utf8) ? .bigEndian : .littleEndian
    guard isWide || order == .bigEndian || form == Array("RIFF".utf8),
      Self.letters(file, at: 8) == Array("WAVE".utf8)
    else { throw AudioFileError(.notWAV, at: 0) }

    var sizes = isWide ? WideSizes() : nil
    var format: WAVFormat?
    var announced: UInt64?
    var offset = 12
    while let chunk = try Self.chunk(at: offset, in: file, order) {
      switch chunk.name {
      case Array("ds64".utf8) where isWide: sizes = try WideSizes(chunk, in: file)
      case Array("fmt ".utf8): format = try WAVFormat(chunk, in: file, order)
      case Array("fact".utf8) where chunk.byteCount >= 4 && file.count - chunk.start >= 4:
        announced = file.integer(at: chunk.start, byteCount: 4, order)
      case Array("data".utf8):
        guard let format else { throw AudioFileError(.missingChunk("fmt "), at: offset) }
        self.format = format
        let form = file.integer(at: 4, byteCount: 4, order)
        data = try Self.data(chunk, in: file, form: form, sizes)
        announcedFrameCount =
          announced == Self.unknownSize ? sizes?.frameCount ?? announced : announced
        return
      default: break
      }
      let size = sizes?.byteCount(of: chunk) ?? chunk.byteCount
      // Contents of odd length are followed by a byte that belongs to none.
      guard size < UInt64(file.count - chunk.start) else { break }
      offset = chunk.start + Int(size) + Int(size % 2)
    }
    throw AudioFileError(.missingChunk(format == nil ? "fmt " : "data"), at: file.count)
  }

  private static func letters(_ file: Span<UInt8>, at offset: Int) -> [UInt8] {
    (offset..<offset + 4).map { file[$0] }
  }

  /// The chunk whose name is at `offset`; nil at the end of the file.
  private static func chunk(
    at offset: Int, in file: Span<UInt8>, _ order: ByteOrder
  ) throws(AudioFileError) -> WAVChunk? {
    guard offset < file.count else { return nil }
    guard file.count - offset >= 8 else { throw AudioFileError(.truncated, at: file.count) }
    return WAVChunk(
      name: letters(file, at: offset), start: offset + 8,
      byteCount: file.integer(at: offset + 4, byteCount: 4, order))
  }

  /// Where the samples are.
  ///
  /// Programs that write to a pipe cannot go back to fill in sizes. A size of 0xFFFFFFFF, of about
  /// 0x7F000000 beyond the end of the file, or of 0 where the form's own size, `form`, does not
  /// account for what follows, means all up to the end.
  private static func data(
    _ chunk: WAVChunk, in file: Span<UInt8>, form: UInt64, _ sizes: WideSizes?
  ) throws(AudioFileError) -> Range<Int> {
    let available = file.count - chunk.start
    var declared = chunk.byteCount
    if declared == unknownSize, let wide = sizes?.dataByteCount, wide != 0 { declared = wide }
    let isStreamed =
      declared == unknownSize || declared == .max
      || declared == 0 && (form == unknownSize || form + 8 <= UInt64(chunk.start))
      || declared >= leastStreamedSize && declared < unknownSize && declared > UInt64(available)
    if isStreamed { return chunk.start..<file.count }
    guard declared <= UInt64(available) else {
      throw AudioFileError(
        .dataBeyondEnd(declared: declared, available: available), at: chunk.start)
    }
    return chunk.start..<chunk.start + Int(declared)
  }
}

/// The sizes in a chunk `ds64`: of the whole, of `data`, and of other chunks that need 64 bits.
struct WideSizes {
  private(set) var dataByteCount: UInt64?
  private(set) var frameCount: UInt64?
  private var others: [[UInt8]: UInt64] = [:]

  /// No sizes, until the chunk is read.
  init() {}

  init(_ chunk: WAVChunk, in file: Span<UInt8>) throws(AudioFileError) {
    let byteCount = try chunk.count(in: file)
    guard byteCount >= 24 else {
      throw AudioFileError(.shortChunk("ds64", byteCount: chunk.byteCount), at: chunk.start)
    }
    dataByteCount = file.integer(at: chunk.start + 8, byteCount: 8, .littleEndian)
    frameCount = file.integer(at: chunk.start + 16, byteCount: 8, .littleEndian)
    guard byteCount >= 28 else { return }
    let count = Int(file.integer(at: chunk.start + 24, byteCount: 4, .littleEndian))
    // Entries of a name and a size; no more than there are bytes for.
    for index in 0..<min(count, (byteCount - 28) / 12) {
      let entry = chunk.start + 28 + 12 * index
      others[(entry..<entry + 4).map { file[$0] }] =
        file.integer(at: entry + 4, byteCount: 8, .littleEndian)
    }
  }

  /// The size of a chunk that is not `data`.
  func byteCount(of chunk: WAVChunk) -> UInt64 {
    chunk.byteCount == WAVChunks.unknownSize
      ? others[chunk.name] ?? chunk.byteCount : chunk.byteCount
  }
}

// SPDX-License-Identifier: Apache-2.0

/// What the segments of a file say, up to the scan that was reached.
struct JPEGContents {
  private var reader: JPEGSegmentReader

  private(set) var frame: JPEGFrame?
  private(set) var quantization = QuantizationTables()
  private(set) var huffman = HuffmanTables()
  private(set) var restartInterval = 0
  private(set) var orientation: ImageOrientation?
  private var isJFIF = false
  private var adobeTransform: UInt8?

  init(_ file: Span<UInt8>) throws(JPEGError) {
    reader = try JPEGSegmentReader(file)
  }

  /// The location in the file that has been reached.
  var position: Int { reader.position }

  /// Goes on behind the compressed data of a scan.
  mutating func resume(at position: Int) { reader.position = position }

  /// Reads segments up to the next scan; nil at the end of the file's image.
  mutating func nextScan(in file: Span<UInt8>) throws(JPEGError) -> JPEGScan? {
    while true {
      let segment = try reader.next(in: file)
      switch segment.marker {
      case .startOfScan:
        guard let frame else { throw JPEGError(.missingFrame, at: segment.offset) }
        return try JPEGScan(segment, in: file, frame: frame)
      case .endOfImage:
        if frame == nil { throw JPEGError(.missingFrame, at: segment.offset) }
        return nil
      case .huffmanTables: try huffman.read(segment, in: file)
      case .quantizationTables: try quantization.read(segment, in: file)
      case .restartInterval:
        guard segment.data.count == 2 else { throw segment.lengthError() }
        restartInterval = file.bigEndian16(at: segment.data.lowerBound)
      case .arithmeticConditioning, .numberOfLines: continue
      case .startOfImage:
        throw JPEGError(.misplacedMarker(segment.marker.code), at: segment.offset)
      case _ where segment.marker.standsAlone: continue
      case _ where segment.marker.isIgnorable: readApplicationData(segment, in: file)
      default: try readFrame(segment, in: file)
      }
    }
  }

  private mutating func readFrame(
    _ segment: JPEGSegment, in file: Span<UInt8>
  ) throws(JPEGError) {
    guard let number = segment.marker.frameNumber else {
      throw JPEGError(.unknownMarker(segment.marker.code), at: segment.offset)
    }
    let processes: [JPEGProcess] = [.baseline, .extendedSequential, .progressive]
    guard number < processes.count else {
      throw JPEGError(.codingProcess(number), at: segment.offset)
    }
    guard frame == nil else {
      throw JPEGError(.misplacedMarker(segment.marker.code), at: segment.offset)
    }
    let process = processes[number]
    let hasHeight = segment.data.count < 3 || file.bigEndian16(at: segment.data.lowerBound + 1) > 0
    let lineCount = hasHeight ? nil : try lineCount(in: file)
    frame = try JPEGFrame(segment, in: file, process: process, lineCount: lineCount)
  }

  /// The height that a `DNL` segment behind the first scan gives.
  private func lineCount(in file: Span<UInt8>) throws(JPEGError) -> Int? {
    var reader = reader
    while true {
      let segment = try reader.next(in: file)
      if segment.marker == .endOfImage { return nil }
      if segment.marker == .startOfScan { break }
    }
    // Restart markers stand alone; the next one with data ends the scan.
    var segment = try reader.next(in: file)
    while segment.marker.isRestart { segment = try reader.next(in: file) }
    guard segment.marker == .numberOfLines, segment.data.count == 2 else { return nil }
    return file.bigEndian16(at: segment.data.lowerBound)
  }

  /// Reads what application data says about colors and orientation.
  private mutating func readApplicationData(_ segment: JPEGSegment, in file: Span<UInt8>) {
    let data = file.extracting(segment.data)
    func begins(with letters: StaticString) -> Bool {
      let bytes = Array(letters.description.utf8)
      return data.count >= bytes.count && bytes.indices.allSatisfy { data[$0] == bytes[$0] }
    }
    switch segment.marker {
    case .jfif where data.count >= 14 && begins(with: "JFIF\0"): isJFIF = true
    case .adobe where data.count >= 12 && begins(with: "Adobe"): adobeTransform = data[11]
    case .exif where begins(with: "Exif\0\0"): orientation = orientation ?? exifOrientation(data)
    default: break
    }
  }

  /// What a user of the file wants to know.
  func header() throws(JPEGError) -> JPEGHeader {
    guard let frame else { throw JPEGError(.missingFrame, at: position) }
    let identifiers = frame.components.map(\.identifier)
    let model = JPEGColorModel(
      identifiers: identifiers, isJFIF: isJFIF, adobeTransform: adobeTransform)
    return JPEGHeader(
      width: frame.width, height: frame.height, process: frame.process,
      colorModel: model ?? .grey,
      samplingFactors: frame.components.map {
        .init(horizontal: $0.horizontalSampling, vertical: $0.verticalSampling)
      },
      orientation: orientation)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import ResourceLimits

/// Decodes the scans of a file and brings their pixels into location.
struct JPEGDecoder {
  private var contents: JPEGContents
  private let firstScan: JPEGScan
  private let frame: JPEGFrame
  private let header: JPEGHeader

  /// The quantization table of each component, as it was when its first scan began.
  private var steps: [QuantizationTable?]

  init(_ file: Span<UInt8>, limits: Limits) throws(JPEGError) {
    contents = try JPEGContents(file)
    let scan = try contents.nextScan(in: file)
    guard let frame = contents.frame else { throw JPEGError(.missingFrame, at: contents.position) }
    guard let scan else {
      let number = Int(frame.components[0].identifier)
      throw JPEGError(.missingScan(component: number), at: contents.position - 2)
    }
    self.frame = frame
    firstScan = scan
    header = try contents.header()
    steps = Array(repeating: nil, count: frame.components.count)

    // Sides have 16 bits, so that no product overflows.
    let byteCount =
      4 * frame.width * frame.height + file.count + RowRenderer.byteCount(frame)
      + CoefficientStore.byteCount(frame, rowCount: isOneScan ? 1 : frame.unitRows)
    guard max(frame.width, frame.height) <= limits.imageSide,
      frame.width * frame.height <= limits.imagePixelCount,
      byteCount <= limits.imageByteCount
    else {
      throw JPEGError(.tooLarge(width: frame.width, height: frame.height), at: scan.offset)
    }
    // A block takes a code for its first coefficient and, unless it is split among scans, one
    // for the end: a bit each at least.
    let bitCount = frame.codedBlockCount * (frame.process == .progressive ? 1 : 2)
    guard bitCount / 8 <= file.count - scan.dataStart else {
      throw JPEGError(
        .implausibleSize(width: frame.width, height: frame.height, byteCount: file.count),
        at: scan.offset)
    }
  }

  /// The first scan holds all there is to know about the image.
  private var isOneScan: Bool {
    frame.process != .progressive && firstScan.components.count == frame.components.count
  }

  mutating func decode(_ file: Span<UInt8>) throws(JPEGError) -> DecodedImage {
    let pixels = isOneScan ? try decodeOneScan(file) : try decodeScans(file)
    return DecodedImage(
      width: frame.width, height: frame.height, pixels: pixels, deepPixels: nil, hasAlpha: false,
      orientation: contents.orientation)
  }

  /// Renders each row of units as soon as it is decoded.
  private mutating func decodeOneScan(_ file: Span<UInt8>) throws(JPEGError) -> [UInt8] {
    var decoder = try begin(firstScan, in: file)
    var renderer = try renderer()
    var store = CoefficientStore(frame, rowCount: 1)
    var pixels = [UInt8](repeating: 255, count: 4 * frame.width * frame.height)
    for row in 0..<frame.unitRows {
      store.startRow(row)
      try decoder.decodeRow(row, into: &store, in: file)
      var target = pixels.mutableSpan
      renderer.render(row, of: store, to: &target)
    }
    contents.resume(at: decoder.end)
    if let surplus = try contents.nextScan(in: file) {
      throw JPEGError(.scanOrder, at: surplus.offset)
    }
    return pixels
  }

  /// Collects the coefficients of all scans, then renders them.
  private mutating func decodeScans(_ file: Span<UInt8>) throws(JPEGError) -> [UInt8] {
    var progress = JPEGProgress(frame)
    var store = CoefficientStore(frame, rowCount: frame.unitRows)
    var scan: JPEGScan? = firstScan
    while let current = scan {
      try progress.begin(current, frame: frame)
      var decoder = try begin(current, in: file)
      for row in 0..<decoder.rowCount { try decoder.decodeRow(row, into: &store, in: file) }
      contents.resume(at: decoder.end)
      scan = try contents.nextScan(in: file)
    }
    if let missing = progress.missingComponent {
      let number = Int(frame.components[missing].identifier)
      throw JPEGError(.missingScan(component: number), at: contents.position - 2)
    }

    var renderer = try renderer()
    var pixels = [UInt8](repeating: 255, count: 4 * frame.width * frame.height)
    var target = pixels.mutableSpan
    for row in 0..<frame.unitRows { renderer.render(row, of: store, to: &target) }
    return pixels
  }

  private mutating func begin(
    _ scan: JPEGScan, in file: Span<UInt8>
  ) throws(JPEGError) -> ScanDecoder {
    for component in scan.components where steps[component.index] == nil {
      let number = frame.components[component.index].quantizationTable
      guard let table = contents.quantization[number] else {
        throw JPEGError(.missingQuantizationTable(number), at: scan.offset)
      }
      steps[component.index] = table
    }
    return try ScanDecoder(
      scan, frame: frame, tables: contents.huffman, restartInterval: contents.restartInterval,
      in: file)
  }

  private func renderer() throws(JPEGError) -> RowRenderer {
    RowRenderer(frame, colorModel: header.colorModel, steps: steps.compactMap(\.self))
  }
}

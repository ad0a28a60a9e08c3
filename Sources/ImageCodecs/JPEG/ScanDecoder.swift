// SPDX-License-Identifier: Apache-2.0

/// Decodes the compressed data of one scan into coefficients, a row of units at a time.
struct ScanDecoder {
  private let scan: JPEGScan
  private let frame: JPEGFrame
  private let tables: [BlockDecoder.Tables]
  private let restartInterval: Int
  private var blocks: BlockDecoder

  private var unitsUntilRestart: Int
  private var restartCount = 0

  /// Begins a scan; its tables are those defined at this location of the file.
  init(
    _ scan: JPEGScan, frame: JPEGFrame, tables: HuffmanTables, restartInterval: Int,
    in file: Span<UInt8>
  ) throws(JPEGError) {
    self.scan = scan
    self.frame = frame
    self.restartInterval = restartInterval
    unitsUntilRestart = restartInterval == 0 ? .max : restartInterval
    var used: [BlockDecoder.Tables] = []
    for component in scan.components {
      used.append(try tables.tables(component, of: scan))
    }
    self.tables = used
    blocks = BlockDecoder(scan)
    try blocks.reader.load(file, from: scan.dataStart)
  }

  /// Rows of units, or, of a lone component, of blocks.
  var rowCount: Int {
    isInterleaved ? frame.unitRows : frame.components[scan.components[0].index].blockRows
  }

  /// Where the marker behind the compressed data read so far stands.
  var end: Int { blocks.reader.markerOffset }

  private var isInterleaved: Bool { scan.components.count > 1 }

  /// Decodes the next row.
  mutating func decodeRow(
    _ row: Int, into store: inout CoefficientStore, in file: Span<UInt8>
  ) throws(JPEGError) {
    if isInterleaved {
      for column in 0..<frame.unitColumns {
        try startUnit(in: file)
        try decodeUnit(row: row, column: column, into: &store, in: file)
      }
      return
    }
    let index = scan.components[0].index
    let start = store.start(component: index, blockRow: row)
    for column in 0..<frame.components[index].blockColumns {
      try startUnit(in: file)
      try decodeBlock(0, at: start + 64 * column, into: &store, in: file)
      try checkOverrun(in: file)
    }
  }

  private mutating func decodeUnit(
    row: Int, column: Int, into store: inout CoefficientStore, in file: Span<UInt8>
  ) throws(JPEGError) {
    for number in scan.components.indices {
      let index = scan.components[number].index
      let horizontal = frame.components[index].horizontalSampling
      let vertical = frame.components[index].verticalSampling
      for blockRow in row * vertical..<(row + 1) * vertical {
        let start = store.start(component: index, blockRow: blockRow) + 64 * column * horizontal
        for blockColumn in 0..<horizontal {
          try decodeBlock(number, at: start + 64 * blockColumn, into: &store, in: file)
        }
      }
    }
    try checkOverrun(in: file)
  }

  @inline(__always)
  private mutating func decodeBlock(
    _ number: Int, at start: Int, into store: inout CoefficientStore, in file: Span<UInt8>
  ) throws(JPEGError) {
    var values = store.values.mutableSpan
    var block = values._mutatingExtracting(start..<start + 64)
    do throws(EntropyFault) {
      try blocks.decode(&block, component: number, tables[number])
    } catch {
      // Zeros behind the end are no codes to complain about.
      try checkOverrun(in: file)
      throw JPEGError(error.reason, at: blocks.reader.offset(in: file))
    }
  }

  private func checkOverrun(in file: Span<UInt8>) throws(JPEGError) {
    guard blocks.reader.isOverrun else { return }
    let marker = blocks.reader.marker.code
    throw JPEGError(.scanTooShort(marker: marker), at: blocks.reader.markerOffset)
  }

  /// Passes the restart marker where one is due.
  @inline(__always)
  private mutating func startUnit(in file: Span<UInt8>) throws(JPEGError) {
    if unitsUntilRestart == 0 { try restart(in: file) }
    unitsUntilRestart &-= 1
  }

  private mutating func restart(in file: Span<UInt8>) throws(JPEGError) {
    let wanted = JPEGMarker.restart(restartCount)
    let marker = blocks.reader.marker
    guard marker == wanted else {
      throw JPEGError(
        .restartMarker(marker.code, wanted: wanted.code), at: blocks.reader.markerOffset)
    }
    restartCount += 1
    unitsUntilRestart = restartInterval
    try blocks.reader.load(file, from: blocks.reader.markerOffset + 2)
    blocks.restart()
  }
}

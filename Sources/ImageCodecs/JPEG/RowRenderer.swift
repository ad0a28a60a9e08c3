// SPDX-License-Identifier: Apache-2.0

/// Turns the coefficients of rows of units, which come in order, into lines of pixels.
///
/// The last line of a row of units may take samples of the next row: it is written with that.
struct RowRenderer {
  private let frame: JPEGFrame
  private let colorModel: JPEGColorModel
  private let steps: [QuantizationTable]
  private var upsampling: [ComponentUpsampling]

  // Of each component: the last row of samples of the row of units before, then the rows of this
  // one; and a line of pixels. A component whose samples are those of pixels has no such line.
  private var planes: [[UInt8]]
  private var lines: [[UInt8]]
  private var lineRows: [ComponentUpsampling.Rows?]

  init(_ frame: JPEGFrame, colorModel: JPEGColorModel, steps: [QuantizationTable]) {
    self.frame = frame
    self.colorModel = colorModel
    self.steps = steps
    planes = frame.components.map {
      Array(repeating: 0, count: RowRenderer.rowSize($0) * (1 + 8 * $0.verticalSampling))
    }
    upsampling = frame.components.map { ComponentUpsampling($0, of: frame) }
    lines = upsampling.map { Array(repeating: 0, count: $0.isDirect ? 0 : frame.width) }
    lineRows = Array(repeating: nil, count: frame.components.count)
  }

  /// The samples of a component's row.
  private static func rowSize(_ component: JPEGComponent) -> Int { 8 * component.storedColumns }

  /// The bytes that a renderer takes.
  static func byteCount(_ frame: JPEGFrame) -> Int {
    let rows = frame.components.reduce(0) { $0 + 3 * rowSize($1) }
    return 64 * frame.blocksPerUnitRow + rows + frame.width * frame.components.count
  }

  /// Writes the pixels of a row of units: from the last line of the row before to the last but one
  /// of this row, or to the image's end.
  mutating func render(
    _ row: Int, of store: borrowing CoefficientStore, to pixels: inout MutableSpan<UInt8>
  ) {
    for index in frame.components.indices { transform(index, row: row, of: store) }
    for index in lineRows.indices { lineRows[index] = nil }
    let firstLine = row * frame.unitHeight
    let isLast = row == frame.unitRows - 1
    for line in max(0, firstLine - 1)..<(isLast ? frame.height : firstLine + frame.unitHeight - 1) {
      let start = 4 * frame.width * line
      var target = pixels._mutatingExtracting(start..<start + 4 * frame.width)
      write(line, unitRow: row, to: &target)
    }
  }

  /// Fills a component's plane with samples, behind the last of those that it holds.
  private mutating func transform(_ index: Int, row: Int, of store: borrowing CoefficientStore) {
    let component = frame.components[index]
    let steps = steps[index]
    let values = store.values.span
    var plane = planes[index].mutableSpan
    let stride = RowRenderer.rowSize(component)
    let end = plane.count - stride
    for column in 0..<stride { plane[column] = plane[end + column] }
    for blockRow in 0..<component.verticalSampling {
      let start = store.start(
        component: index, blockRow: row * component.verticalSampling + blockRow)
      for column in 0..<component.storedColumns {
        let block = values.extracting(start + 64 * column..<start + 64 * column + 64)
        InverseDCT.write(
          block, steps: steps.span, to: &plane, at: (1 + 8 * blockRow) * stride + 8 * column,
          stride: stride)
      }
    }
  }

  /// Writes the pixels of a line of the image while the planes hold this row of units.
  private mutating func write(_ line: Int, unitRow: Int, to pixels: inout MutableSpan<UInt8>) {
    let rows = upsampling.map { $0.rows(ofLine: line) }
    for index in rows.indices { fillLine(index, of: rows[index], unitRow: unitRow) }
    let samples = rows.indices.map { index in
      lines[index].isEmpty ? range(rows[index].near, index, unitRow) : 0..<frame.width
    }
    let first = planeOrLine(0)
    let firstSpan = first.span.extracting(samples[0])
    guard samples.count >= 3 else {
      PixelLineMixer.grey(firstSpan, to: &pixels)
      return
    }
    let second = planeOrLine(1)
    let third = planeOrLine(2)
    let secondSpan = second.span.extracting(samples[1])
    let thirdSpan = third.span.extracting(samples[2])
    switch colorModel {
    case .yCbCr, .ycck: PixelLineMixer.yCbCr(firstSpan, secondSpan, thirdSpan, to: &pixels)
    case .rgb, .cmyk, .grey: PixelLineMixer.rgb(firstSpan, secondSpan, thirdSpan, to: &pixels)
    }
    guard samples.count == 4 else { return }
    let fourth = planeOrLine(3)
    PixelLineMixer.multiply(
      fourth.span.extracting(samples[3]), isComplement: colorModel == .ycck, into: &pixels)
  }

  private func planeOrLine(_ index: Int) -> [UInt8] {
    lines[index].isEmpty ? planes[index] : lines[index]
  }

  /// Where a component's plane has the samples of a row, as many as the image has columns or all.
  private func range(_ row: Int, _ index: Int, _ unitRow: Int) -> Range<Int> {
    let component = frame.components[index]
    let size = RowRenderer.rowSize(component)
    let start = (1 + row - 8 * component.verticalSampling * unitRow) * size
    return start..<start + min(size, frame.width)
  }

  /// Makes a component's line of pixels from its rows, unless it is there already.
  private mutating func fillLine(_ index: Int, of rows: ComponentUpsampling.Rows, unitRow: Int) {
    guard !lines[index].isEmpty, lineRows[index] != rows else { return }
    lineRows[index] = rows
    let plane = planes[index]
    let near = plane.span.extracting(range(rows.near, index, unitRow))
    let far = plane.span.extracting(range(rows.far ?? rows.near, index, unitRow))
    var line = lines[index].mutableSpan
    upsampling[index].write(near, far, isUpper: rows.isUpper, to: &line)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Turns the coefficients of a row of units into rows of pixels.
struct RowRenderer {
  private let frame: JPEGFrame
  private let colorModel: JPEGColorModel
  private let steps: [QuantizationTable]

  // Of each component: the samples of the row of units, and one line of them spread over the
  // image's width. A component that is as wide as the image has no such line.
  private var planes: [[UInt8]]
  private var lines: [[UInt8]]
  private var lineRows: [Int]

  init(_ frame: JPEGFrame, colorModel: JPEGColorModel, steps: [QuantizationTable]) {
    self.frame = frame
    self.colorModel = colorModel
    self.steps = steps
    planes = frame.components.map {
      Array(repeating: 0, count: 64 * $0.storedColumns * $0.verticalSampling)
    }
    let width = frame.width
    let fullSampling = frame.largestHorizontalSampling
    lines = frame.components.map {
      Array(repeating: 0, count: $0.horizontalSampling < fullSampling ? width : 0)
    }
    lineRows = Array(repeating: -1, count: frame.components.count)
  }

  /// The bytes that a renderer takes.
  static func byteCount(_ frame: JPEGFrame) -> Int {
    64 * frame.blocksPerUnitRow + frame.width * frame.components.count
  }

  /// Writes the pixels of a row of units.
  mutating func render(
    _ row: Int, of store: borrowing CoefficientStore, to pixels: inout MutableSpan<UInt8>
  ) {
    for index in frame.components.indices { transform(index, row: row, of: store) }
    for index in lineRows.indices { lineRows[index] = -1 }
    let firstLine = row * frame.unitHeight
    for line in firstLine..<min(firstLine + frame.unitHeight, frame.height) {
      let start = 4 * frame.width * line
      var target = pixels._mutatingExtracting(start..<start + 4 * frame.width)
      write(line - firstLine, to: &target)
    }
  }

  /// Fills a component's plane with samples.
  private mutating func transform(_ index: Int, row: Int, of store: borrowing CoefficientStore) {
    let component = frame.components[index]
    let steps = steps[index]
    let values = store.values.span
    var plane = planes[index].mutableSpan
    let stride = 8 * component.storedColumns
    for blockRow in 0..<component.verticalSampling {
      let start = store.start(
        component: index, blockRow: row * component.verticalSampling + blockRow)
      for column in 0..<component.storedColumns {
        let block = values.extracting(start + 64 * column..<start + 64 * column + 64)
        InverseDCT.write(
          block, steps: steps.span, to: &plane, at: 8 * blockRow * stride + 8 * column,
          stride: stride)
      }
    }
  }

  /// Writes the pixels of one line of the row of units.
  private mutating func write(_ line: Int, to pixels: inout MutableSpan<UInt8>) {
    for index in frame.components.indices { spread(index, line: line) }
    let samples = frame.components.indices.map { source($0, line: line) }
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

  /// The row of a component's plane that a line of pixels takes its samples from.
  private func planeRow(_ index: Int, line: Int) -> Int {
    line * frame.components[index].verticalSampling / frame.largestVerticalSampling
  }

  /// Where the samples of a line are.
  private func source(_ index: Int, line: Int) -> Range<Int> {
    guard lines[index].isEmpty else { return 0..<frame.width }
    let start = planeRow(index, line: line) * 8 * frame.components[index].storedColumns
    return start..<start + frame.width
  }

  /// Repeats the samples of a narrower component so that there is one for each pixel.
  private mutating func spread(_ index: Int, line: Int) {
    let row = planeRow(index, line: line)
    guard !lines[index].isEmpty, lineRows[index] != row else { return }
    lineRows[index] = row
    let sampling = frame.components[index].horizontalSampling
    let fullSampling = frame.largestHorizontalSampling
    let start = row * 8 * frame.components[index].storedColumns
    let plane = planes[index]
    let source = plane.span.extracting(
      start..<start + 8 * frame.components[index].storedColumns)
    var target = lines[index].mutableSpan
    if fullSampling == 2 * sampling {
      for column in target.indices { target[column] = source[column &>> 1] }
    } else {
      for column in target.indices { target[column] = source[column * sampling / fullSampling] }
    }
  }
}

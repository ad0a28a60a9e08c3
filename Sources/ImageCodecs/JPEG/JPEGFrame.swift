// SPDX-License-Identifier: Apache-2.0

/// A component of a frame: its tables and how its blocks cover the image.
struct JPEGComponent {
  var identifier: UInt8
  var horizontalSampling: Int
  var verticalSampling: Int
  var quantizationTable: Int

  /// The component's samples.
  var columns = 0
  var rows = 0

  /// Blocks that hold the component's samples.
  var blockColumns = 0
  var blockRows = 0

  /// Blocks of a stored row: so many that the image's units are whole.
  var storedColumns = 0
}

/// The `SOF` segment: size, coding process and components, and the blocks that follow from them.
struct JPEGFrame {
  var width: Int
  var height: Int
  var process: JPEGProcess
  var components: [JPEGComponent]
  var largestHorizontalSampling: Int
  var largestVerticalSampling: Int

  /// The image in units of the largest sampling factors × 8 samples.
  var unitColumns: Int { JPEGFrame.quotient(width, 8 * largestHorizontalSampling) }
  var unitRows: Int { JPEGFrame.quotient(height, 8 * largestVerticalSampling) }

  /// Rows of pixels in a row of units.
  var unitHeight: Int { 8 * largestVerticalSampling }

  /// Blocks of all components in a row of units.
  var blocksPerUnitRow: Int {
    components.reduce(0) { $0 + $1.storedColumns * $1.verticalSampling }
  }

  /// Blocks of all components that a file has to code.
  var codedBlockCount: Int { components.reduce(0) { $0 + $1.blockColumns * $1.blockRows } }

  /// Reads the data of a start-of-frame segment whose number is 0, 1 or 2; `lineCount` is the
  /// height of files that give it behind the first scan.
  init(
    _ segment: JPEGSegment, in file: Span<UInt8>, process: JPEGProcess, lineCount: Int?
  ) throws(JPEGError) {
    let data = file.extracting(segment.data)
    guard data.count >= 6 else { throw segment.lengthError() }
    guard data[0] == 8 else { throw JPEGError(.samplePrecision(Int(data[0])), at: segment.offset) }
    let declaredHeight = data.bigEndian16(at: 1)
    height = declaredHeight == 0 ? lineCount ?? 0 : declaredHeight
    width = data.bigEndian16(at: 3)
    self.process = process
    guard width > 0, height > 0 else {
      throw JPEGError(.size(width: width, height: height), at: segment.offset)
    }
    let count = Int(data[5])
    guard [1, 3, 4].contains(count) else {
      throw JPEGError(.componentCount(count), at: segment.offset)
    }
    guard data.count == 6 + 3 * count else { throw segment.lengthError() }
    components = []
    for index in 0..<count {
      let bytes = data.extracting(6 + 3 * index..<9 + 3 * index)
      let component = try JPEGFrame.component(bytes, at: segment.offset)
      guard !components.contains(where: { $0.identifier == component.identifier }) else {
        throw JPEGError(.componentIdentifier(Int(component.identifier)), at: segment.offset)
      }
      components.append(component)
    }
    if count == 1 {
      // The blocks of a lone component follow each other, whatever its factors.
      components[0].horizontalSampling = 1
      components[0].verticalSampling = 1
    }
    largestHorizontalSampling = components.reduce(1) { max($0, $1.horizontalSampling) }
    largestVerticalSampling = components.reduce(1) { max($0, $1.verticalSampling) }
    layOut()
  }

  private static func component(
    _ bytes: Span<UInt8>, at offset: Int
  ) throws(JPEGError) -> JPEGComponent {
    let horizontal = Int(bytes[1] >> 4)
    let vertical = Int(bytes[1] & 15)
    for factor in [horizontal, vertical] where !(1...4).contains(factor) {
      throw JPEGError(.samplingFactor(factor), at: offset)
    }
    guard bytes[2] < 4 else { throw JPEGError(.quantizationTable(Int(bytes[2])), at: offset) }
    return JPEGComponent(
      identifier: bytes[0], horizontalSampling: horizontal, verticalSampling: vertical,
      quantizationTable: Int(bytes[2]))
  }

  private mutating func layOut() {
    for index in components.indices {
      let horizontal = components[index].horizontalSampling
      let vertical = components[index].verticalSampling
      let columns = JPEGFrame.quotient(width * horizontal, largestHorizontalSampling)
      let rows = JPEGFrame.quotient(height * vertical, largestVerticalSampling)
      components[index].columns = columns
      components[index].rows = rows
      components[index].blockColumns = JPEGFrame.quotient(columns, 8)
      components[index].blockRows = JPEGFrame.quotient(rows, 8)
      components[index].storedColumns = unitColumns * horizontal
    }
  }

  /// `dividend` / `divisor`, rounded up.
  private static func quotient(_ dividend: Int, _ divisor: Int) -> Int {
    (dividend + divisor - 1) / divisor
  }
}

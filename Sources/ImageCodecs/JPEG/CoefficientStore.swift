// SPDX-License-Identifier: Apache-2.0

/// The quantized coefficients of consecutive rows of units: one row while it is decoded, or all
/// rows when several scans contribute to them.
struct CoefficientStore {
  /// 64 for each block, in the order of rows.
  var values: [Int16]

  /// The units' row that the store begins with.
  private(set) var firstRow = 0

  private let starts: [Int]
  private let columns: [Int]
  private let verticalSampling: [Int]

  init(_ frame: JPEGFrame, rowCount: Int) {
    var starts: [Int] = []
    var blockCount = 0
    for component in frame.components {
      starts.append(blockCount)
      blockCount += component.storedColumns * component.verticalSampling * rowCount
    }
    self.starts = starts
    columns = frame.components.map(\.storedColumns)
    verticalSampling = frame.components.map(\.verticalSampling)
    values = Array(repeating: 0, count: 64 * blockCount)
  }

  /// The bytes that a store takes.
  static func byteCount(_ frame: JPEGFrame, rowCount: Int) -> Int {
    // At most 4 components of 2¹³ × 2¹³ blocks, and what makes their units whole.
    128 * frame.blocksPerUnitRow * rowCount
  }

  /// Clears the store for another row of units.
  mutating func startRow(_ row: Int) {
    firstRow = row
    var span = values.mutableSpan
    span.update(repeating: 0)
  }

  /// Where the coefficients of a row of blocks begin.
  func start(component: Int, blockRow: Int) -> Int {
    let row = blockRow - firstRow * verticalSampling[component]
    return 64 * (starts[component] + row * columns[component])
  }
}

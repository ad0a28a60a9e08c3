// SPDX-License-Identifier: Apache-2.0

/// The pixels that one pass over an image brings: every `columnStep`-th of every `rowStep`-th row.
struct InterlacePass: Equatable {
  var firstColumn: Int
  var firstRow: Int
  var columnStep: Int
  var rowStep: Int
  /// Pixels per row.
  var width: Int
  var height: Int

  private init(
    firstColumn: Int, firstRow: Int, columnStep: Int, rowStep: Int, of header: PNGHeader
  ) {
    self.firstColumn = firstColumn
    self.firstRow = firstRow
    self.columnStep = columnStep
    self.rowStep = rowStep
    width = (header.width - firstColumn + columnStep - 1) / columnStep
    height = (header.height - firstRow + rowStep - 1) / rowStep
  }

  /// The passes of an image in the file's order, without the empty ones.
  static func passes(of header: PNGHeader) -> [InterlacePass] {
    guard header.isInterlaced else {
      return [InterlacePass(firstColumn: 0, firstRow: 0, columnStep: 1, rowStep: 1, of: header)]
    }
    let adam7 = [
      (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
      (0, 1, 1, 2),
    ]
    return adam7.map { firstColumn, firstRow, columnStep, rowStep in
      InterlacePass(
        firstColumn: firstColumn, firstRow: firstRow, columnStep: columnStep, rowStep: rowStep,
        of: header)
    }.filter { $0.width > 0 && $0.height > 0 }
  }
}

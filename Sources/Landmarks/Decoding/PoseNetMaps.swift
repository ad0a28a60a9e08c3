// SPDX-License-Identifier: Apache-2.0

/// What PoseNet writes: for each cell of a grid, how likely each key point is there, how far it is,
/// and where the neighboring key points of the same person are.
///
/// Offsets and displacements are in pixels of the model's input. Both forms of the model fit: that
/// with forward and backward displacements, and Coral's with both in one output.
public struct PoseNetMaps: Sendable, Hashable {
  /// Key points.
  public static let keyPointCount = 17
  /// Edges of the skeleton, each followed in both directions.
  public static let edgeCount = 16

  /// Rows of the grid.
  public let rows: Int
  /// Columns of the grid.
  public let columns: Int
  /// `[rows, columns, 17]`: log-odds of each key point.
  public let heatmap: [Float]
  /// `[rows, columns, 34]`: vertical distances of the 17 key points, then horizontal ones.
  public let offsets: [Float]
  /// `[rows, columns, 64]`: vertical and horizontal distances along the 16 edges, then against them.
  public let displacements: [Float]

  /// Maps of a model with one output for displacements.
  ///
  /// - Throws: `LandmarkError` where the counts do not fit the grid.
  public init(
    rows: Int, columns: Int, heatmap: [Float], offsets: [Float], displacements: [Float]
  ) throws(LandmarkError) {
    guard (1...1 << 12).contains(rows), (1...1 << 12).contains(columns) else {
      throw .invalidOption("a grid of \(rows) rows and \(columns) columns")
    }
    let cells = rows * columns
    for (values, length, name) in [
      (heatmap, Self.keyPointCount, "a heat map"), (offsets, 2 * Self.keyPointCount, "offsets"),
      (displacements, 4 * Self.edgeCount, "displacements"),
    ] where values.count != cells * length {
      throw .valueCount(values.count, wanted: cells * length, of: name)
    }
    self.rows = rows
    self.columns = columns
    self.heatmap = heatmap
    self.offsets = offsets
    self.displacements = displacements
  }

  /// Maps of a model with two outputs for displacements, `[rows, columns, 32]` each.
  ///
  /// - Throws: `LandmarkError` where the counts do not fit the grid.
  public init(
    rows: Int, columns: Int, heatmap: [Float], offsets: [Float], forward: [Float],
    backward: [Float]
  ) throws(LandmarkError) {
    let length = 2 * Self.edgeCount
    guard forward.count == backward.count, forward.count % length == 0 else {
      throw .valueCount(backward.count, wanted: forward.count, of: "backward displacements")
    }
    var both: [Float] = []
    both.reserveCapacity(2 * forward.count)
    for start in stride(from: 0, to: forward.count, by: length) {
      both += forward[start..<start + length]
      both += backward[start..<start + length]
    }
    try self.init(
      rows: rows, columns: columns, heatmap: heatmap, offsets: offsets, displacements: both)
  }

  /// A channel's log-odds at a cell.
  func logOdds(_ row: Int, _ column: Int, _ part: Int) -> Float {
    heatmap[(row * columns + column) * Self.keyPointCount + part]
  }

  /// The distance from a cell to a key point, in pixels.
  func offset(_ row: Int, _ column: Int, _ part: Int) -> (y: Float, x: Float) {
    let start = (row * columns + column) * 2 * Self.keyPointCount
    return (offsets[start + part], offsets[start + Self.keyPointCount + part])
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Moves landmarks to the middle of what a heat map shows around them.
///
/// The middle of the kernel's cells, weighted by the sigmoid of their values, replaces a landmark
/// whose best cell is sure enough: MediaPipe's `refine_landmarks_from_heatmap_calculator`.
public struct HeatmapRefinement: Sendable, Hashable {
  /// Cells on a side of the kernel, odd.
  public var kernelSize = 9
  /// The least probability of the best cell for a landmark to move.
  public var minConfidence: Float = 0.5
  /// Whether the best cell's probability limits `Landmark.presence`.
  public var refinesPresence = false
  /// Whether the best cell's probability limits `Landmark.visibility`.
  public var refinesVisibility = false

  /// A refinement with a kernel of this size.
  public init(kernelSize: Int = 9) { self.kernelSize = kernelSize }

  /// The refinement of BlazePose: 7 × 7 cells.
  public static let pose = HeatmapRefinement(kernelSize: 7)

  /// The landmarks where the heat map shows them.
  ///
  /// - Parameters:
  ///   - landmarks: points as fractions of the model's input.
  ///   - heatmap: `[rows, columns, landmarks]`, before the sigmoid.
  ///   - rows: rows of the heat map.
  ///   - columns: columns of the heat map.
  /// - Returns: the points in the same order; those outside of the heat map are unchanged.
  /// - Throws: `LandmarkError` where the counts disagree or the kernel is impossible.
  public func refined(
    _ landmarks: [Landmark], heatmap: [Float], rows: Int, columns: Int
  ) throws(LandmarkError) -> [Landmark] {
    guard (1...1 << 10).contains(kernelSize), kernelSize % 2 == 1 else {
      throw .invalidOption("a kernel has an odd number of cells below 1024, not \(kernelSize)")
    }
    guard (1...1 << 12).contains(rows), (1...1 << 12).contains(columns),
      heatmap.count == rows * columns * landmarks.count
    else {
      throw .valueCount(heatmap.count, wanted: rows &* columns &* landmarks.count, of: "a heat map")
    }
    return landmarks.enumerated().map { index, landmark in
      let (x, y) = (landmark.x * Float(columns), landmark.y * Float(rows))
      // Towards 0, as C truncates: what lies less than a cell outside counts as the first one.
      guard x > -1, y > -1, x < Float(columns), y < Float(rows) else { return landmark }
      let around = Kernel(
        center: (column: Int(x), row: Int(y)), reach: (kernelSize - 1) / 2, rows: rows,
        columns: columns)
      return moved(landmark, around) { row, column in
        heatmap[(row * columns + column) * landmarks.count + index].sigmoid
      }
    }
  }

  /// The cells of a heat map around one of them.
  private struct Kernel {
    let rowRange, columnRange: Range<Int>
    let rows, columns: Float

    init(center: (column: Int, row: Int), reach: Int, rows: Int, columns: Int) {
      rowRange = max(0, center.row - reach)..<min(rows, center.row + reach + 1)
      columnRange = max(0, center.column - reach)..<min(columns, center.column + reach + 1)
      self.rows = Float(rows)
      self.columns = Float(columns)
    }
  }

  private func moved(
    _ landmark: Landmark, _ kernel: Kernel, confidence: (Int, Int) -> Float
  ) -> Landmark {
    var (sum, best): (Float, Float) = (0, 0)
    var weighted: (column: Float, row: Float) = (0, 0)
    for row in kernel.rowRange {
      for column in kernel.columnRange {
        let confidence = confidence(row, column)
        sum += confidence
        best = max(best, confidence)
        weighted.column += Float(column) * confidence
        weighted.row += Float(row) * confidence
      }
    }
    guard sum > 0 else { return landmark }
    var result = landmark
    if best >= minConfidence {
      result.x = weighted.column / kernel.columns / sum
      result.y = weighted.row / kernel.rows / sum
    }
    if refinesPresence { result.presence = landmark.presence.map { min($0, best) } }
    if refinesVisibility { result.visibility = landmark.visibility.map { min($0, best) } }
    return result
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads `DistanceBins` out of a model's outputs.
package struct DistanceBinDecoder: DetectionHead {
  private let bins: DistanceBins

  /// A decoder of such distances.
  ///
  /// - Throws: `VisionError.invalidOption` where the options make no sense.
  package init(_ bins: DistanceBins) throws(VisionError) {
    guard (1...16).contains(bins.strides.count),
      bins.strides.allSatisfy({ (1...1 << 16).contains($0) }), (1...1024).contains(bins.binCount),
      bins.cellOffset.isFinite
    else { throw .invalidOption("distances need strides, 1 to 1024 bins and a finite offset") }
    self.bins = bins
  }

  package var overlapThreshold: Float? { ObjectDetector.usualOverlapThreshold }

  /// Classes and distances of one or more grids, row by row.
  private struct Part {
    let classes: ValueTable
    let firstClass: Int
    let classCount: Int
    let distances: ValueTable
    let firstDistance: Int
    let strides: [Int]
  }

  package func detections(
    _ outputs: [OutputValues], input: InputSize, threshold: Float
  ) throws(VisionError) -> [BoxDetection] {
    var detections: [BoxDetection] = []
    for part in try parts(outputs, input) {
      let cells = GridCell.cells(input, strides: part.strides, limit: part.classes.rowCount)
      guard cells.count == part.classes.rowCount else {
        throw .incompatibleModel(
          "Grids of the strides \(part.strides) do not have \(part.classes.rowCount) cells for an input of \(input.width)x\(input.height)."
        )
      }
      for (row, cell) in cells.enumerated() {
        let values = part.classes.fields(row, from: part.firstClass, count: part.classCount)
        guard let best = bestScore(bins.scoreFunction.scores(values)), best.score > threshold
        else { continue }
        let edges = (0..<4).map { edge in
          distance(
            part.distances.fields(
              row, from: part.firstDistance + edge * bins.binCount, count: bins.binCount))
            * Float(cell.stride)
        }
        let x = (Float(cell.column) + bins.cellOffset) * Float(cell.stride)
        let y = (Float(cell.row) + bins.cellOffset) * Float(cell.stride)
        let (width, height) = (Float(input.width), Float(input.height))
        detections.append(
          BoxDetection(
            left: (x - edges[0]) / width, top: (y - edges[1]) / height,
            right: (x + edges[2]) / width, bottom: (y + edges[3]) / height, score: best.score,
            classIndex: best.index))
      }
    }
    return detections
  }

  /// The mean of a distribution over 0, 1, …; of one number, that number.
  private func distance(_ logits: [Float]) -> Float {
    guard logits.count > 1 else { return logits[0] }
    let parts = RawHeads.ScoreFunction.softmax.scores(logits)
    return parts.enumerated().reduce(0) { $0 + Float($1.offset) * $1.element }
  }

  private func parts(
    _ outputs: [OutputValues], _ input: InputSize
  ) throws(VisionError) -> [Part] {
    let tables = outputs.compactMap { ValueTable($0) }
    let length = 4 * bins.binCount
    let wanted =
      switch bins.layout {
      case .joined: 1
      case .perGrid: bins.strides.count
      case .separate: 2 * bins.strides.count
      }
    guard tables.count == outputs.count, tables.count == wanted else {
      throw .incompatibleModel(
        "Distances in \(bins.strides.count) grids are \(wanted) outputs; this model has \(outputs.count)."
      )
    }
    // The finest grid has the most cells.
    let order = tables.indices.sorted {
      (tables[$1].rowCount, $0) < (tables[$0].rowCount, $1)
    }
    let sorted = order.map { tables[$0] }
    if bins.layout == .separate {
      return try bins.strides.sorted().enumerated().map { index, stride throws(VisionError) in
        try separate(sorted[2 * index], sorted[2 * index + 1], [stride])
      }
    }
    let strides = bins.layout == .joined ? [bins.strides] : bins.strides.sorted().map { [$0] }
    return try zip(sorted, strides).map { table, strides throws(VisionError) in
      guard table.fieldCount > length else {
        throw .incompatibleModel(
          "Candidates have \(table.fieldCount) numbers, which are no classes and \(length) logits.")
      }
      return Part(
        classes: table, firstClass: bins.hasDistancesFirst ? length : 0,
        classCount: table.fieldCount - length, distances: table,
        firstDistance: bins.hasDistancesFirst ? 0 : table.fieldCount - length, strides: strides)
    }
  }

  private func separate(
    _ first: ValueTable, _ second: ValueTable, _ strides: [Int]
  ) throws(VisionError) -> Part {
    let length = 4 * bins.binCount
    let areSwapped = first.fieldCount == length && second.fieldCount != length
    let (classes, distances) = areSwapped ? (second, first) : (first, second)
    guard distances.fieldCount == length, classes.rowCount == distances.rowCount else {
      throw .incompatibleModel(
        "No output of \(classes.rowCount) candidates has \(length) logits for each.")
    }
    return Part(
      classes: classes, firstClass: 0, classCount: classes.fieldCount, distances: distances,
      firstDistance: 0, strides: strides)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads `AnchorGrids` out of a model's outputs.
package struct AnchorGridDecoder: DetectionHead {
  private let grids: AnchorGrids

  /// A decoder of such grids.
  ///
  /// - Throws: `VisionError.invalidOption` where the grids make no sense.
  package init(_ grids: AnchorGrids) throws(VisionError) {
    try grids.check()
    self.grids = grids
  }

  package var overlapThreshold: Float? { ObjectDetector.usualOverlapThreshold }

  package func detections(
    _ outputs: [OutputValues], input: InputSize, threshold: Float
  ) throws(VisionError) -> [BoxDetection] {
    guard outputs.count == grids.grids.count else {
      throw .incompatibleModel(
        "\(grids.grids.count) grids are \(grids.grids.count) outputs; this model has \(outputs.count)."
      )
    }
    var layouts: [(output: Int, layout: GridLayout)] = []
    for (position, output) in outputs.enumerated() {
      layouts.append((position, try GridLayout(output, grids.grids)))
    }
    // The finest grid has the most cells.
    layouts.sort { ($1.layout.cellCount, $0.output) < ($0.layout.cellCount, $1.output) }
    var detections: [BoxDetection] = []
    for (grid, entry) in zip(grids.grids, layouts) {
      guard entry.layout.anchorCount == grid.anchors.count else {
        throw .incompatibleModel(
          "Output \(outputs[entry.output].shape) does not have \(grid.anchors.count) anchors at each cell."
        )
      }
      append(
        outputs[entry.output].values, entry.layout, grid, input, threshold: threshold,
        to: &detections)
    }
    return detections
  }

  private func append(
    _ values: [Float], _ layout: GridLayout, _ grid: AnchorGrids.Grid, _ input: InputSize,
    threshold: Float, to detections: inout [BoxDetection]
  ) {
    let anchorWidth = Float(grids.anchorInput ?? input.width)
    let anchorHeight = Float(grids.anchorInput ?? input.height)
    let shift = (grid.centerScale - 1) / 2
    for row in 0..<layout.rows {
      for column in 0..<layout.columns {
        for (index, anchor) in grid.anchors.enumerated() {
          let start = layout.start(row: row, column: column, anchor: index)
          let objectness = activated(values[start + 4])
          // No class makes a score greater.
          guard objectness > threshold else { continue }
          let classes = (5..<layout.fieldCount).map { values[start + $0] }
          guard let best = bestScore(scores(classes)), best.score * objectness > threshold
          else { continue }
          let numbers = (0..<4).map { values[start + $0] }
          let x = activated(numbers[0]) * grid.centerScale - shift + Float(column)
          let y = activated(numbers[1]) * grid.centerScale - shift + Float(row)
          let centerX = x / Float(layout.columns)
          let centerY = y / Float(layout.rows)
          let halfWidth = size(numbers[2]) * anchor.width / anchorWidth / 2
          let halfHeight = size(numbers[3]) * anchor.height / anchorHeight / 2
          detections.append(
            BoxDetection(
              left: centerX - halfWidth, top: centerY - halfHeight, right: centerX + halfWidth,
              bottom: centerY + halfHeight, score: best.score * objectness,
              classIndex: best.index))
        }
      }
    }
  }

  private func activated(_ value: Float) -> Float {
    grids.areActivated ? value : logistic(value)
  }

  private func scores(_ values: [Float]) -> [Float] {
    // With a single class, the objectness says all.
    if values.isEmpty { return [1] }
    if grids.areActivated { return values }
    return (grids.hasExclusiveClasses ? RawHeads.ScoreFunction.softmax : .sigmoid).scores(values)
  }

  private func size(_ value: Float) -> Float {
    switch grids.sizes {
    case .exponential: return exponential(value)
    case .squared:
      let doubled = 2 * activated(value)
      return doubled * doubled
    }
  }
}

/// Where the numbers of a grid's cells lie in an output.
private struct GridLayout {
  let rows: Int
  let columns: Int
  let anchorCount: Int
  /// Numbers of an anchor at a cell.
  let fieldCount: Int
  private let cellStep: Int
  private let anchorStep: Int

  var cellCount: Int { rows * columns }

  /// The layout of an output `[1, rows, columns, anchors × fields]`,
  /// `[1, rows, columns, anchors, fields]` or `[1, anchors, rows, columns, fields]`.
  init(_ output: OutputValues, _ grids: [AnchorGrids.Grid]) throws(VisionError) {
    let shape = output.shape
    let counts = Set(grids.map(\.anchors.count))
    if shape.count == 4, let count = counts.first(where: { shape[3] % $0 == 0 }) {
      (rows, columns, anchorCount) = (shape[1], shape[2], count)
      fieldCount = shape[3] / count
      (cellStep, anchorStep) = (shape[3], fieldCount)
    } else if shape.count == 5, counts.contains(shape[3]) {
      (rows, columns, anchorCount, fieldCount) = (shape[1], shape[2], shape[3], shape[4])
      (cellStep, anchorStep) = (shape[3] * shape[4], shape[4])
    } else if shape.count == 5, counts.contains(shape[1]) {
      (anchorCount, rows, columns, fieldCount) = (shape[1], shape[2], shape[3], shape[4])
      (cellStep, anchorStep) = (shape[4], shape[2] * shape[3] * shape[4])
    } else {
      (rows, columns, anchorCount, fieldCount, cellStep, anchorStep) = (0, 0, 0, 0, 0, 0)
    }
    guard shape.first == 1, fieldCount >= 5, rows >= 1, columns >= 1,
      output.values.count == shape.reduce(1, { $0 &* $1 })
    else {
      throw .incompatibleModel(
        "Output \(shape) does not have 5 or more numbers for each anchor at each cell of a grid.")
    }
  }

  /// The position of the first number of an anchor at a cell.
  func start(row: Int, column: Int, anchor: Int) -> Int {
    (row * columns + column) * cellStep + anchor * anchorStep
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Reads `CandidateRows` out of a model's outputs.
package struct CandidateRowDecoder: DetectionHead {
  private let rows: CandidateRows

  /// A decoder of such rows.
  ///
  /// - Throws: `VisionError.invalidOption` where the rows make no sense.
  package init(_ rows: CandidateRows) throws(VisionError) {
    guard rows.classCount.map({ (1...1 << 20).contains($0) }) ?? true else {
      throw .invalidOption("the number of classes must be from 1 to \(1 << 20)")
    }
    guard rows.gridStrides.count <= 16, rows.gridStrides.allSatisfy({ (1...1 << 16).contains($0) })
    else { throw .invalidOption("strides of grids must be from 1 to \(1 << 16)") }
    guard [rows.boxOutput, rows.scoreOutput].allSatisfy({ ($0 ?? 0) >= 0 }),
      rows.boxOutput == nil || rows.boxOutput != rows.scoreOutput
    else { throw .invalidOption("boxes and scores need two different outputs") }
    self.rows = rows
  }

  package var overlapThreshold: Float? {
    rows.needsSuppression ? ObjectDetector.usualOverlapThreshold : nil
  }

  package func detections(
    _ outputs: [OutputValues], input: InputSize, threshold: Float
  ) throws(VisionError) -> [BoxDetection] {
    let scoreOutput = rows.scoreOutput ?? (rows.boxOutput == 0 ? 1 : 0)
    let scores = try table(outputs, scoreOutput)
    let boxes = try rows.boxOutput.map { position throws(VisionError) in
      try table(outputs, position)
    }
    let firstField = boxes == nil ? 4 : 0
    let firstClass = firstField + (rows.hasObjectness ? 1 : 0)
    let classCount = rows.classCount ?? (scores.fieldCount - firstClass)
    let boxTable = boxes ?? scores
    guard classCount > (rows.hasNoObjectClass ? 1 : 0), boxTable.fieldCount >= 4,
      scores.fieldCount >= firstClass + classCount, boxTable.rowCount == scores.rowCount
    else {
      let shapes = outputs.map { "\($0.shape)" }.joined(separator: ", ")
      throw .incompatibleModel(
        "Candidates need 4 numbers for a box and a score for each class; the outputs are \(shapes)."
      )
    }
    let cells = try cells(input, count: boxTable.rowCount)
    let divisors = rows.unit.divisors(
      input, (0..<boxTable.rowCount).lazy.flatMap { [boxTable[$0, 0], boxTable[$0, 1]] })
    var detections: [BoxDetection] = []
    for row in 0..<boxTable.rowCount {
      let values = rows.scoreFunction.scores(
        scores.fields(row, from: firstClass, count: classCount))
      guard var best = bestScore(rows.hasNoObjectClass ? values.dropLast() : values[...]) else {
        continue
      }
      if rows.hasObjectness {
        best.score *= rows.scoreFunction.scores([scores[row, firstField]])[0]
      }
      guard best.score > threshold else { continue }
      var numbers = boxTable.fields(row, from: 0, count: 4)
      if let cells { cells[row].place(&numbers) }
      detections.append(
        rows.corners.box(
          numbers, divisors, score: best.score, classIndex: best.index,
          row: row))
    }
    return detections
  }

  private func table(
    _ outputs: [OutputValues], _ position: Int
  ) throws(VisionError) -> ValueTable {
    guard outputs.indices.contains(position) else {
      throw .incompatibleModel(
        "The model has \(outputs.count) outputs; output \(position) is to be read.")
    }
    let output = outputs[position]
    let isTransposed =
      switch rows.layout {
      case .rows: false
      case .columns: true
      case .automatic:
        output.shape.count >= 2
          && output.shape[output.shape.count - 2] < output.shape[output.shape.count - 1]
      }
    guard let table = ValueTable(output, isTransposed: isTransposed) else {
      throw .incompatibleModel("Output \(position), \(output.shape), is no table of candidates.")
    }
    return table
  }

  private func cells(_ input: InputSize, count: Int) throws(VisionError) -> [GridCell]? {
    guard !rows.gridStrides.isEmpty else { return nil }
    let cells = GridCell.cells(input, strides: rows.gridStrides, limit: count)
    guard cells.count == count else {
      throw .incompatibleModel(
        "Grids of the strides \(rows.gridStrides) have \(cells.count) cells for an input of \(input.width)x\(input.height); the output has \(count) candidates."
      )
    }
    return cells
  }
}

/// A cell of a grid over the input.
struct GridCell {
  let column: Int
  let row: Int
  /// The cell's width and height in pixels of the input.
  let stride: Int

  /// The cells of some grids, each row by row; at most one more than `limit`.
  static func cells(_ input: InputSize, strides: [Int], limit: Int) -> [GridCell] {
    var cells: [GridCell] = []
    for stride in strides {
      let columns = (input.width + stride - 1) / stride
      for index in 0..<columns * ((input.height + stride - 1) / stride) {
        guard cells.count <= limit else { return cells }
        cells.append(GridCell(column: index % columns, row: index / columns, stride: stride))
      }
    }
    return cells
  }

  /// YOLOX's encoding relative to the cell, replaced by center and size in pixels.
  func place(_ numbers: inout [Float]) {
    numbers[0] = (numbers[0] + Float(column)) * Float(stride)
    numbers[1] = (numbers[1] + Float(row)) * Float(stride)
    numbers[2] = exponential(numbers[2]) * Float(stride)
    numbers[3] = exponential(numbers[3]) * Float(stride)
  }
}

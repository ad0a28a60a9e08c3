// SPDX-License-Identifier: Apache-2.0

/// How heat maps of objects' centers become boxes: CenterNet.
///
/// There are three outputs of one grid: a heat map `[1, rows, columns, classes]`, sizes
/// `[1, rows, columns, 2]` and offsets `[1, rows, columns, 2]`. A cell whose value for a class is
/// the greatest of the three by three cells around it is the center of an object of that class:
///
///     x = (column + offset.x) / columns
///     width = size.width / columns
///
/// and the same vertically. "Objects as Points", Zhou et al., 2019. Models that TensorFlow's object
/// detection exports finish their detections and need no such decoding.
public struct CenterPoints: Sendable, Hashable {
  /// The position of the heat map; nil for the one that is not of depth 2, or the first.
  public var heatMapOutput: Int?
  /// The position of the sizes; nil for the first of the others.
  public var sizeOutput: Int?
  /// The position of the offsets; nil for the last of the others.
  public var offsetOutput: Int?
  /// What makes scores of the heat map.
  public var scoreFunction = RawHeads.ScoreFunction.identity
  /// Whether heights come before widths, and vertical offsets before horizontal ones, as in
  /// TensorFlow's object detection.
  public var hasHeightsFirst = false
  /// Whether sizes are pixels of the input instead of cells.
  public var hasSizesInPixels = false

  /// Scores after their sigmoid; widths before heights, in cells.
  public init() {}
}

/// Reads `CenterPoints` out of a model's outputs.
package struct CenterPointDecoder: DetectionHead {
  private let points: CenterPoints

  /// A decoder of such points.
  ///
  /// - Throws: `VisionError.invalidOption` where the options make no sense.
  package init(_ points: CenterPoints) throws(VisionError) {
    let given = [points.heatMapOutput, points.sizeOutput, points.offsetOutput].compactMap { $0 }
    guard given.allSatisfy({ (0...2).contains($0) }), Set(given).count == given.count,
      points.scoreFunction != .softmax
    else {
      throw .invalidOption("heat map, sizes and offsets are outputs 0 to 2, each scored alone")
    }
    self.points = points
  }

  package var overlapThreshold: Float? { nil }

  package func detections(
    _ outputs: [OutputValues], input: InputSize, threshold: Float
  ) throws(VisionError) -> [BoxDetection] {
    let (map, sizes, offsets) = try roles(outputs)
    let (rows, columns, depth) = (map.shape[1], map.shape[2], map.shape[3])
    let (x, y) = points.hasHeightsFirst ? (1, 0) : (0, 1)
    let (unitWidth, unitHeight) =
      points.hasSizesInPixels
      ? (Float(input.width), Float(input.height)) : (Float(columns), Float(rows))
    var detections: [BoxDetection] = []
    for row in 0..<rows {
      for column in 0..<columns {
        let cell = row * columns + column
        for index in 0..<depth {
          let value = map.values[cell * depth + index]
          let score = points.scoreFunction.scores([value])[0]
          guard score > threshold, isPeak(map, row, column, index) else { continue }
          let centerX = (Float(column) + offsets.values[2 * cell + x]) / Float(columns)
          let centerY = (Float(row) + offsets.values[2 * cell + y]) / Float(rows)
          let halfWidth = sizes.values[2 * cell + x] / unitWidth / 2
          let halfHeight = sizes.values[2 * cell + y] / unitHeight / 2
          detections.append(
            BoxDetection(
              left: centerX - halfWidth, top: centerY - halfHeight, right: centerX + halfWidth,
              bottom: centerY + halfHeight, score: score, classIndex: index))
        }
      }
    }
    return detections
  }

  /// Whether no neighbor of a cell has a greater value for the class.
  private func isPeak(_ map: OutputValues, _ row: Int, _ column: Int, _ index: Int) -> Bool {
    let (rows, columns, depth) = (map.shape[1], map.shape[2], map.shape[3])
    let own = map.values[(row * columns + column) * depth + index]
    for neighborRow in max(row - 1, 0)...min(row + 1, rows - 1) {
      for neighbor in max(column - 1, 0)...min(column + 1, columns - 1)
      where map.values[(neighborRow * columns + neighbor) * depth + index] > own {
        return false
      }
    }
    return true
  }

  private func roles(
    _ outputs: [OutputValues]
  ) throws(VisionError) -> (map: OutputValues, sizes: OutputValues, offsets: OutputValues) {
    let shapes = outputs.map(\.shape)
    let taken = [points.sizeOutput, points.offsetOutput].compactMap { $0 }
    guard outputs.count == 3, shapes.allSatisfy({ $0.count == 4 && $0[0] == 1 }),
      zip(shapes, outputs).allSatisfy({ $0.reduce(1, { $0 &* $1 }) == $1.values.count })
    else { throw Self.mismatch(shapes) }
    let map =
      points.heatMapOutput ?? shapes.indices.first { shapes[$0][3] != 2 && !taken.contains($0) }
      ?? shapes.indices.first { !taken.contains($0) } ?? 0
    let rest = shapes.indices.filter { $0 != map }
    let sizes =
      points.sizeOutput ?? rest.first { $0 != points.offsetOutput } ?? rest[0]
    let offsets = points.offsetOutput ?? rest.last { $0 != sizes } ?? rest[1]
    guard Set([map, sizes, offsets]).count == 3, shapes[map].allSatisfy({ $0 >= 1 }),
      [sizes, offsets].allSatisfy({ shapes[$0] == Array(shapes[map].dropLast()) + [2] })
    else { throw Self.mismatch(shapes) }
    return (outputs[map], outputs[sizes], outputs[offsets])
  }

  private static func mismatch(_ shapes: [[Int]]) -> VisionError {
    let text = shapes.map { "\($0)" }.joined(separator: ", ")
    return .incompatibleModel(
      "Centers need a heat map, sizes and offsets of one grid; the outputs are \(text).")
  }
}

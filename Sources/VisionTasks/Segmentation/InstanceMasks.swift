// SPDX-License-Identifier: Apache-2.0

import Imaging
import ModelTasks

/// How boxes with coefficients of masks become categories of pixels: Ultralytics' models of masks.
///
/// One output has boxes, scores and a coefficient for each prototype, the other the prototypes,
/// `[1, height / 4, width / 4, n]` or `[1, n, height / 4, width / 4]`. An object's mask is where the
/// sum of the prototypes times its coefficients, in the input's size, is above 0 inside its box.
/// Ultralytics' `utils/ops.py` (`process_mask`).
struct InstanceMasks {
  /// Objects with a lower score have no mask: Ultralytics' number.
  private static let minScore: Float = 0.25
  /// The most objects: Ultralytics' number.
  private static let limit = 300
  /// Pixels of the input for each of a prototype, across and down.
  private static let stride = 4

  /// The input's size, which is that of the masks.
  let size: InputSize
  private let rows: ExtendedRows
  private let prototypeOutput: Int
  /// Columns of the prototypes.
  private let columns: Int
  /// Rows of the prototypes.
  private let lines: Int
  private let hasPrototypesFirst: Bool

  /// What a model with outputs of these shapes gives; nil where that is something else.
  ///
  /// - Throws: `VisionError` where the model's labels cannot be read.
  init?(_ shapes: [[Int]], input: [Int], notes: ModelNotes) throws(VisionError) {
    guard shapes.count == 2, let output = shapes.firstIndex(where: { $0.count == 4 }),
      input.count == 4, input[1] > 0, input[2] > 0, input[1] % Self.stride == 0,
      input[2] % Self.stride == 0
    else { return nil }
    let sides = shapes[output]
    (size, prototypeOutput) = (InputSize(width: input[2], height: input[1]), output)
    (columns, lines) = (size.width / Self.stride, size.height / Self.stride)
    hasPrototypesFirst = Array(sides[1...2]) != [lines, columns]
    guard !hasPrototypesFirst || Array(sides[2...3]) == [lines, columns], sides[0] == 1 else {
      return nil
    }
    let count = sides[hasPrototypesFirst ? 1 : 3]
    guard (1...1 << 10).contains(count),
      let rows = try ExtendedRows(
        shapes[1 - output], extraCount: count, usualClassCount: nil, input: size, notes: notes,
        task: "segment"), rows.classCount ?? 1 < 255
    else { return nil }
    self.rows = rows
  }

  /// The category of each pixel of the input, that of the best object there; 255 for none.
  ///
  /// - Throws: `VisionError.incompatibleModel` for outputs of other shapes.
  func categories(_ outputs: [OutputValues]) throws(VisionError) -> [Float] {
    let prototypes = outputs[prototypeOutput].values
    guard prototypes.count == rows.extraCount * columns * lines else {
      throw .incompatibleModel(
        "Prototypes of \(columns)x\(lines) are not \(outputs[prototypeOutput].shape).")
    }
    let found = try rows.rows(
      outputs[1 - prototypeOutput], input: size, least: Self.minScore, limit: Self.limit,
      where: { $0.allSatisfy(\.isFinite) })
    let across = BilinearTap.taps(from: columns, to: size.width)
    let down = BilinearTap.taps(from: lines, to: size.height)
    var categories = [Float](repeating: 255, count: size.width * size.height)
    for row in found {
      guard let box = row.box.clipped, box.classIndex < 255 else { continue }
      let (left, right) = Self.pixels(box.left, box.right, size.width)
      let (top, bottom) = Self.pixels(box.top, box.bottom, size.height)
      let sums = sums(row.fields, prototypes, lines: Self.lines(top, bottom, lines))
      for y in top..<bottom {
        let (first, second) = (down[y].lower * columns, down[y].upper * columns)
        for x in left..<right where categories[y * size.width + x] == 255 {
          let tap = across[x]
          let upper = tap.mix(sums[first + tap.lower], sums[first + tap.upper])
          let lower = tap.mix(sums[second + tap.lower], sums[second + tap.upper])
          if down[y].mix(upper, lower) > 0 {
            categories[y * size.width + x] = Float(box.classIndex)
          }
        }
      }
    }
    return categories
  }

  /// The pixels from one edge to another, which are fractions from 0 to 1.
  private static func pixels(_ first: Float, _ last: Float, _ count: Int) -> (Int, Int) {
    let (start, end) = (
      Int((first * Float(count)).rounded(.up)), Int((last * Float(count)).rounded(.up))
    )
    return (min(start, count), min(max(end, start), count))
  }

  /// The prototypes' rows that some of the input's rows lie between.
  private static func lines(_ top: Int, _ bottom: Int, _ count: Int) -> Range<Int> {
    let first = max(top / stride - 1, 0)
    return first..<max(min(bottom / stride + 2, count), first)
  }

  /// The prototypes' sums, times coefficients, in some of their rows; 0 in others.
  private func sums(
    _ coefficients: [Float], _ prototypes: [Float], lines: Range<Int>
  ) -> [Float] {
    let count = coefficients.count
    var sums = [Float](repeating: 0, count: columns * self.lines)
    let (pixelStep, step) = hasPrototypesFirst ? (1, sums.count) : (count, 1)
    for pixel in lines.lowerBound * columns..<lines.upperBound * columns {
      var sum: Float = 0
      for index in 0..<count {
        sum += coefficients[index] * prototypes[pixel * pixelStep + index * step]
      }
      sums[pixel] = sum
    }
    return sums
  }
}

// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Martlet
import ModelTasks
import Testing
import VisionTasks

/// Ultralytics' models of masks, by models without operators that always give the same rows.
///
/// Expectations are those of `non_max_suppression` and `process_mask` of Ultralytics, resized before
/// they are cropped, written in NumPy for the same numbers.
@Suite struct InstanceMaskTests {
  /// Rows of box, three scores and eight coefficients, then prototypes of 16 × 16 × 8.
  private static func numbers() -> (rows: [[Float]], prototypes: [Float]) {
    var numbers = RepeatableNumbers()
    let rows = (0..<84).map { _ in
      var row = [numbers.next(), numbers.next()]
      for _ in 0..<2 { row.append(0.2 + 0.4 * numbers.next()) }
      for _ in 0..<3 { row.append(numbers.next() * 0.45) }
      for _ in 0..<8 { row.append(numbers.next() - 0.5) }
      return row
    }
    return (rows, (0..<16 * 16 * 8).map { _ in numbers.next() - 0.5 })
  }

  /// A model of an input of 64 × 64.
  private static func model(
    _ rows: [[Float]], _ prototypes: [Float], hasPrototypesFirst: Bool = false,
    areColumns: Bool = true, notes: String? = "segment"
  ) throws -> Model {
    var model = DetectorModel(boxes: [], classes: [], scores: [])
    model.input = DetectorModel.Tensor(name: "images", shape: [1, 64, 64, 3])
    let (count, fields) = (rows.count, rows[0].count)
    let planar = (0..<8).flatMap { plane in (0..<256).map { prototypes[$0 * 8 + plane] } }
    model.outputs = [
      DetectorModel.Tensor(
        name: "Identity",
        shape: areColumns ? [1, Int32(fields), Int32(count)] : [1, Int32(count), Int32(fields)],
        values: areColumns
          ? (0..<fields).flatMap { field in rows.map { $0[field] } } : rows.flatMap(\.self)),
      DetectorModel.Tensor(
        name: "Identity_1", shape: hasPrototypesFirst ? [1, 8, 16, 16] : [1, 16, 16, 8],
        values: hasPrototypesFirst ? planar : prototypes),
    ]
    if hasPrototypesFirst { model.outputs.reverse() }
    if let notes {
      model.files = [
        (
          "temp_meta.txt",
          "{'author': 'Ultralytics', 'task': '\(notes)', 'names': {0: 'a', 1: 'b', 2: 'c'}}"
        )
      ]
    }
    return try model.model()
  }

  private static func segmentation(_ model: Model) throws -> Segmentation {
    let image = try PixelBuffer(width: 64, height: 64, format: .rgb8, filledWith: .white)
    return try ImageSegmenter(model).segment(image)
  }

  private static func sums(_ mask: CategoryMask) -> [Int] {
    (0..<3).map { category in
      mask.categories.enumerated().reduce(0) { $1.element == category ? $0 + $1.offset : $0 }
    }
  }

  @Test(arguments: [false, true])
  func `the best object of each pixel names its category`(hasPrototypesFirst: Bool) throws {
    let (rows, prototypes) = Self.numbers()
    let found = try Self.segmentation(
      Self.model(rows, prototypes, hasPrototypesFirst: hasPrototypesFirst))
    let mask = found.categoryMask
    #expect(mask.width == 64 && mask.height == 64)
    // One pixel lies within rounding of the edge of its mask.
    #expect(
      zip(Self.sums(mask), [3_916_721, 2_881_427, 1_330_300]).allSatisfy { abs($0 - $1) <= 4096 })
    #expect(
      Array(mask.categories[20 * 64..<20 * 64 + 24])
        == [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2, 1, 0])
    #expect(found.labels.map(\.className) == ["a", "b", "c"])
    // By their shapes, rows and numbers from 0 to 1 are told without notes.
    let bare = try ImageSegmenter(Self.model(rows, prototypes, notes: nil))
    #expect(bare.input.normalization == .zeroToOne)
  }

  @Test func `finished rows are those of candidates that do not overlap`() throws {
    let (rows, prototypes) = Self.numbers()
    let coefficients = Array(rows[3][7...])
    let best: [Float] = [0.25, 0.25, 0.75, 0.5, 0.9, 2] + coefficients
    let finished = [best, [Float](repeating: 0, count: 14)]
    let candidates = rows.enumerated().map { index, row -> [Float] in
      [0.5, 0.375, 0.5, 0.25, 0, 0, index == 3 ? 0.9 : 0] + Array(row[7...])
    }
    let mask = try Self.segmentation(
      Self.model(finished, prototypes, areColumns: false)
    ).categoryMask
    #expect(try Self.segmentation(Self.model(candidates, prototypes)).categoryMask == mask)
    #expect(Set(mask.categories) == [2, 255])
    #expect(mask.categories[..<(16 * 64)].allSatisfy { $0 == 255 })
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
  func `numbers that are none, or huge, do no harm`(value: Float) throws {
    let (rows, prototypes) = Self.numbers()
    for field in 0..<rows[0].count {
      var broken = rows
      for index in broken.indices where index % 2 == 0 { broken[index][field] = value }
      let mask = try Self.segmentation(Self.model(broken, prototypes)).categoryMask
      #expect(mask.categories.allSatisfy { $0 < 3 || $0 == 255 })
    }
    let all = Array(repeating: value, count: prototypes.count)
    #expect(try Self.segmentation(Self.model(rows, all)).categoryMask.categories.count == 4096)
  }

  @Test func `models of other tasks and shapes have no masks`() throws {
    let (rows, prototypes) = Self.numbers()
    for model in [
      try Self.model(rows, prototypes, notes: "pose"),
      try Self.model(rows.map { Array($0.dropLast()) }, prototypes),
      try Self.model(Array(rows.prefix(80)), prototypes, notes: nil),
    ] {
      #expect(throws: VisionError.self) { try ImageSegmenter(model) }
    }
  }
}

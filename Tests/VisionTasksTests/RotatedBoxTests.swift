// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Landmarks
import Martlet
import Testing
import VisionTasks

/// Ultralytics' models of oriented boxes, by models without operators that always give the same rows.
///
/// Expectations are those of `batch_probiou`, `nms_rotated`, `regularize_rboxes` and `scale_boxes` of
/// Ultralytics written in NumPy, for the same numbers: an image of 128 × 64 padded to an input of 64 × 64; boxes that lie
/// beside the image are left out afterwards.
@Suite struct RotatedBoxTests {
  /// Rows of box, three scores and an angle.
  private static func rows() -> [[Float]] {
    var numbers = RepeatableNumbers()
    return (0..<84).map { _ in
      var row = [numbers.next(), numbers.next()]
      for _ in 0..<2 { row.append(0.1 + 0.5 * numbers.next()) }
      for _ in 0..<3 { row.append(numbers.next()) }
      return row + [(numbers.next() - 0.25) * Float.pi]
    }
  }

  /// A model that gives rows, with the fields first unless they are finished.
  private static func model(
    _ rows: [[Float]], areFinished: Bool = false, task: String? = "obb"
  ) throws -> Model {
    let (count, fields) = (rows.count, rows[0].count)
    var model = DetectorModel(boxes: [], classes: [], scores: [])
    model.input = DetectorModel.Tensor(
      name: "images", shape: [1, 64, 64, 3], type: task == nil ? 3 : 0)
    model.outputs = [
      DetectorModel.Tensor(
        name: "Identity",
        shape: areFinished ? [1, Int32(count), Int32(fields)] : [1, Int32(fields), Int32(count)],
        values: areFinished
          ? rows.flatMap(\.self) : (0..<fields).flatMap { field in rows.map { $0[field] } })
    ]
    if let task {
      model.files = [
        (
          "temp_meta.txt",
          "{'author': 'Ultralytics', 'task': '\(task)', 'names': {0: 'a', 1: 'b', 2: 'c'}}"
        )
      ]
    }
    return try model.model()
  }

  private static func objects(
    _ model: Model, _ orientation: ImageOrientation = .up, width: Int = 128, height: Int = 64,
    _ change: (inout ObjectDetector.Options) -> Void = { _ in }
  ) throws -> [DetectedObject] {
    var options = ObjectDetector.Options()
    (options.maxObjects, options.scoreThreshold) = (nil, 0.8)
    change(&options)
    let image = try PixelBuffer(
      width: width, height: height, format: .rgb8, filledWith: .white)
    return try ObjectDetector(model, options: options).detect(image, orientation: orientation)
  }

  private static func isClose(_ rect: RotatedRect?, _ wanted: [Float]) -> Bool {
    guard let rect else { return false }
    let numbers = [rect.centerX, rect.centerY, rect.width, rect.height, rect.rotation]
    return zip(numbers, wanted).allSatisfy { abs($0 - $1) < 2e-3 }
  }

  @Test func `boxes that are alike a better one of their class are left out`() throws {
    let found = try Self.objects(Self.model(Self.rows())) { $0.overlapThreshold = 0.3 }
    #expect(
      found.map { $0.category?.index ?? -1 } == [
        2, 1, 1, 0, 0, 0, 2, 1, 2, 0, 1, 0, 1, 2, 2, 1, 2, 2, 1, 0, 1, 0, 1, 1, 2,
      ])
    #expect(found.first?.category?.className == "c")
    #expect(Self.isClose(found[0].rotatedFrame, [7.323, 20.218, 35.577, 49.686, 1.085]))
    #expect(Self.isClose(found[1].rotatedFrame, [39.477, 53.829, 51.318, 55.994, 1.564]))
    #expect(Self.isClose(found[2].rotatedFrame, [72.039, 77.074, 60.606, 16.44, 1.402]))
    // The extent is that of the corners.
    let corners = try #require(found[2].rotatedFrame).corners
    let left = try #require(corners.map(\.x).min())
    #expect(abs(Float(found[2].extent.x) - left) < 1e-3)
    #expect(found[2].frame.x >= 0 && found[2].frame.y + found[2].frame.height <= 64)
  }

  @Test func `what is left out covers others too, of all classes where options say so`() throws {
    let found = try Self.objects(Self.model(Self.rows())) {
      ($0.overlapThreshold, $0.suppression) = (0.2, .allClasses)
    }
    let scores: [Float] = [0.9991, 0.999, 0.9951, 0.9941, 0.9668]
    #expect(found.count == scores.count)
    #expect(zip(found, scores).allSatisfy { abs($0.score - $1) < 1e-4 })
  }

  @Test func `finished rows are not selected again`() throws {
    let row: [Float] = [0.5, 0.5, 0.5, 0.125, 0.9, 1, 2]
    let found = try Self.objects(
      Self.model([row, row, [0, 0, 0, 0, 0, 0, 0]], areFinished: true))
    #expect(found.count == 2)
    // 2 radians are more than a right angle: the sides change places.
    let wanted: [Float] = [64, 32, 16, 64, 2 - Float.pi / 2]
    #expect(found.allSatisfy { Self.isClose($0.rotatedFrame, wanted) })
    #expect(found.allSatisfy { $0.category?.className == "b" })
  }

  @Test func `angles are those of the image as stored`() throws {
    // Upright, 128 × 64: from (32, 32), 30° clockwise.
    let row: [Float] = [0.25, 0.5, 0.25, 0.0625, 0.9, 0, Float.pi / 6]
    let model = try Self.model([row], areFinished: true)
    let upright = try #require(try Self.objects(model).first)
    #expect(Self.isClose(upright.rotatedFrame, [32, 32, 32, 8, Float.pi / 6]))
    // Stored turned by a right angle, the box points 60° the other way: its sides change places.
    let stored = try #require(
      try Self.objects(model, .right, width: 64, height: 128).first?.rotatedFrame)
    #expect(Self.isClose(stored, [32, 96, 8, 32, Float.pi / 6]))
    let mirrored = try #require(try Self.objects(model, .upMirrored).first?.rotatedFrame)
    #expect(Self.isClose(mirrored, [96, 32, 8, 32, Float.pi / 3]))
  }

  @Test func `without notes, an option says that boxes are rotated`() throws {
    let rows = Self.rows()
    let plain = try Self.objects(Self.model(rows, task: nil))
    #expect(!plain.isEmpty && plain.allSatisfy { $0.rotatedFrame == nil })
    let rotated = try Self.objects(Self.model(rows, task: nil)) {
      $0.decoding = .rotatedRows(RotatedRows())
    }
    // Without notes, images are stretched: to half their width here.
    #expect(Self.isClose(rotated[0].rotatedFrame, [7.323, 26.109, 22.884, 45.437, 0.758]))
  }

  @Test func `outputs that have no angle are an error`() throws {
    #expect(throws: VisionError.self) {
      try Self.objects(Self.model([[0.5, 0.5, 0.5, 0.5, 0.9]]))
    }
    #expect(throws: VisionError.self) {
      try Self.objects(Self.model([[0.5, 0.5, 0.5, 0.5, 0.9, 0]], areFinished: true)) {
        $0.decoding = .rotatedRows(RotatedRows())
      }
    }
  }

  @Test func `many boxes and angles that are none take little time`() throws {
    var numbers = RepeatableNumbers()
    let angles: [Float] = [.nan, .infinity, 1e30, -1e30, 0.5]
    let rows: [[Float]] = (0..<20_000).map { index in
      [
        numbers.next(), numbers.next(), 0.01, 0.02, 0.9 + 0.1 * numbers.next(), 0,
        angles[index % angles.count],
      ]
    }
    let found = try Self.objects(Self.model(rows, areFinished: true)) {
      $0.overlapThreshold = 0.7
    }
    #expect(!found.isEmpty && found.count <= 1000)
    #expect(found.allSatisfy { $0.rotatedFrame?.isUsable ?? false })
  }

  /// Two rectangles of center, size and rotation, and what NumPy computes for them.
  static let pairs: [(first: [Float], second: [Float], likeness: Float)] = [
    ([30, 20, 16, 8, 0.3], [33, 22, 14, 9, 0.5], 0.678_255_7),
    ([30, 20, 16, 8, 0.3], [30, 20, 16, 8, 0.3], 0.999_600_5),
    ([30, 20, 16, 8, 0], [30, 20, 16, 8, Float.pi / 2], 0.552_786_2),
    ([10, 10, 8, 4, 1], [50, 50, 8, 4, 1], 0),
    ([30, 20, 20, 2, 0.1], [30, 21, 20, 2, 1.2], 0.116_142),
  ]

  @Test(arguments: pairs.indices)
  func `likeness is that of the rectangles as distributions`(index: Int) {
    func rect(_ numbers: [Float]) -> RotatedRect {
      RotatedRect(
        centerX: numbers[0], centerY: numbers[1], width: numbers[2], height: numbers[3],
        rotation: numbers[4])
    }
    let (first, second, wanted) = Self.pairs[index]
    #expect(abs(rect(first).likeness(to: rect(second)) - wanted) < 1e-4)
    #expect(abs(rect(second).likeness(to: rect(first)) - wanted) < 1e-4)
  }

  @Test(arguments: [-7, -2, -0.1, 0, 0.5, 1.5707, 1.5708, 3, 4.7, 100] as [Float])
  func `a rotation below a right angle leaves the corners where they are`(rotation: Float) {
    let rect = RotatedRect(centerX: 5, centerY: 6, width: 4, height: 2, rotation: rotation)
    let acute = rect.withAcuteRotation
    #expect(acute.rotation >= 0 && acute.rotation < Float.pi / 2)
    for corner in rect.corners {
      #expect(
        acute.corners.contains { abs($0.x - corner.x) < 1e-3 && abs($0.y - corner.y) < 1e-3 })
    }
  }
}

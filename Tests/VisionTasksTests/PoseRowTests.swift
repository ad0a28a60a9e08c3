// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
import Imaging
import Landmarks
import Martlet
import TestSupport
import Testing
import VisionTasks

/// Ultralytics' pose models, by models without operators that always give the same rows.
///
/// Expectations are those of `non_max_suppression`, `scale_boxes` and `scale_coords` of Ultralytics
/// written in NumPy, for the same numbers: an image of 128 × 64 padded to an input of 64 × 64.
@Suite struct PoseRowTests {
  /// Rows of box, scores and key points, the latter times `unit`.
  private static func rows(_ count: Int = 84, classes: Int = 1, unit: Float = 1) -> [[Float]] {
    var numbers = RepeatableNumbers()
    return (0..<count).map { _ in
      let (x, y) = (numbers.next(), numbers.next())
      let (width, height) = (0.2 + 0.4 * numbers.next(), 0.2 + 0.4 * numbers.next())
      var row = [x, y, width, height]
      for _ in 0..<classes { row.append(numbers.next()) }
      for _ in 0..<17 {
        row.append((x + (numbers.next() - 0.5) * width) * unit)
        row.append((y + (numbers.next() - 0.5) * height) * unit)
        row.append(numbers.next())
      }
      return row
    }
  }

  /// A model that gives rows, or with the fields first.
  private static func model(
    _ rows: [[Float]], areColumns: Bool = true, quantization: (scale: Float, zeroPoint: Int)? = nil,
    notes: String? = nil, inputType: Int8 = 0
  ) throws -> Model {
    let (count, fields) = (rows.count, rows.first?.count ?? 0)
    var model = DetectorModel(boxes: [], classes: [], scores: [])
    model.input = DetectorModel.Tensor(name: "images", shape: [1, 64, 64, 3], type: inputType)
    model.outputs = [
      DetectorModel.Tensor(
        name: "Identity",
        shape: areColumns ? [1, Int32(fields), Int32(count)] : [1, Int32(count), Int32(fields)],
        type: quantization == nil ? 0 : 9,
        values: areColumns
          ? (0..<fields).flatMap { field in rows.map { $0[field] } } : rows.flatMap(\.self),
        quantization: quantization)
    ]
    if let notes { model.files = [("temp_meta.txt", notes)] }
    return try model.model()
  }

  private static func notes(_ task: String, _ names: String) -> String {
    "{'author': 'Ultralytics', 'task': '\(task)', 'kpt_shape': [17, 3], 'names': {\(names)}}"
  }

  private static func poses(
    _ model: Model, _ change: (inout PoseEstimator.Options) -> Void = { _ in }
  ) throws -> [Pose] {
    var options = PoseEstimator.Options()
    options.maxPoses = 100
    change(&options)
    let image = try PixelBuffer(width: 128, height: 64, format: .rgb8, filledWith: .white)
    return try PoseEstimator(model, options: options).detect(image)
  }

  private static func isClose(_ numbers: [Float?], _ wanted: [Float]) -> Bool {
    numbers.count == wanted.count
      && zip(numbers, wanted).allSatisfy { abs(($0 ?? .nan) - $1) < 1e-3 }
  }

  private static func box(_ pose: Pose) -> [Float?] {
    let box = pose.box
    return [
      box?.left, box?.top, box.map { $0.left + $0.width }, box.map { $0.top + $0.height },
    ]
  }

  private static func numbers(_ point: Pose.KeyPoint?) -> [Float?] {
    [point?.x, point?.y, point?.score]
  }

  /// Whether the people are those of the rows at these positions, by their scores.
  private static func are(_ poses: [Pose], _ rows: [[Float]], _ positions: [Int]) -> Bool {
    poses.map(\.score) == positions.map { rows[$0][4] }
  }

  @Test func `candidates become the people that Ultralytics' numbers give`() throws {
    let rows = Self.rows()
    let poses = try Self.poses(Self.model(rows)) { $0.overlapThreshold = 0.3 }
    #expect(
      Self.are(
        poses, rows,
        [81, 57, 73, 82, 13, 21, 60, 77, 63, 4, 65, 14, 35, 43, 17, 50, 10, 66, 32]))
    #expect(Self.isClose(Self.box(poses[0]), [44.42596, 14.92650, 86.38388, 61.19191]))
    #expect(Self.isClose(Self.numbers(poses[0][.nose]), [71.14869, 33.99716, 0.583686]))
    #expect(Self.isClose(Self.numbers(poses[0][.rightAnkle]), [62.553116, 59.300316, 0.084236]))
    #expect(Self.isClose(Self.box(poses[2]), [90.83170, 63.63318, 130.16711, 102.94008]))
    #expect(Self.isClose(Self.numbers(poses[2][.nose]), [100.440346, 82.166725, 0.450929]))
    // The usual overlap of 0.7.
    #expect(try Self.poses(Self.model(rows)).count == 61)
    #expect(
      try Self.poses(Self.model(rows)) { $0.maxPoses = 3 }
        == Array(poses.prefix(3)))
  }

  @Test func `notes tell other key points, with and without visibility`() throws {
    // A full image of its own proportions: fractions of 128 × 64 padded to 64 × 64.
    let row: [Float] = [0.5, 0.5, 0.25, 0.25, 0.9, 0.5, 0.5, 0.25, 0.25, 0.75, 0.5, 0.5, 0.75]
    let corners = "{'stride': 32, 'task': 'pose', 'kpt_shape': [4, 2], 'names': {0: 'a'}}"
    let found = try Self.poses(Self.model([row], notes: corners))
    #expect(found.count == 1 && found[0].keyPoints.count == 4)
    let points = found[0].keyPoints.flatMap { [$0.x, $0.y, $0.score] }
    #expect(
      Self.isClose(points, [64, 32, 0.9, 32, 0, 0.9, 96, 32, 0.9, 64, 64, 0.9]))
    #expect(found[0].figure.names.isEmpty && found[0].figure.connections.isEmpty)
    let hands = corners.replacing("[4, 2]", with: "[21, 3]")
    let hand = row[..<5] + [Float](repeating: 0.5, count: 63)
    let hand21 = try Self.poses(Self.model([Array(hand)], notes: hands))
    #expect(hand21.count == 1 && hand21[0].keyPoints.count == 21)
    #expect(throws: VisionError.self) { try Self.poses(Self.model([row], notes: hands)) }
  }

  @Test func `older exports give key points, or all, in pixels of the input`() throws {
    let wanted = try Self.poses(Self.model(Self.rows()))
    let pixels = Self.rows(unit: 64)
    for rows in [pixels, pixels.map { row in row[..<4].map { $0 * 64 } + row[4...] }] {
      let poses = try Self.poses(Self.model(rows))
      #expect(poses.count == wanted.count)
      for (pose, other) in zip(poses, wanted) {
        #expect(Self.isClose(Self.box(pose), Self.box(other).map { $0 ?? 0 }))
        #expect(
          Self.isClose(
            pose.keyPoints.flatMap { [$0.x, $0.y] }, other.keyPoints.flatMap { [$0.x, $0.y] }))
      }
    }
  }

  @Test func `int8 outputs are read by their scale`() throws {
    let model = try Self.model(Self.rows(), quantization: (0.01, -60))
    let poses = try Self.poses(model) { $0.overlapThreshold = 0.3 }
    #expect(poses.count == 19)
    #expect(abs(poses[0].score - 1) < 1e-6 && abs(poses[1].score - 0.98) < 1e-6)
    #expect(Self.isClose(Self.box(poses[0]), [44.16, 15.36, 86.4, 61.44]))
    #expect(Self.isClose(Self.numbers(poses[2][.nose]), [99.84, 81.92, 0.45]))
  }

  @Test func `the notes tell classes, which do not stand in each other's way`() throws {
    let rows = Self.rows(classes: 2)
    let notes = Self.notes("pose", "0: 'person', 1: 'ape'")
    let poses = try Self.poses(Self.model(rows, notes: notes)) { $0.overlapThreshold = 0.3 }
    #expect(poses.count == 32)
    #expect(abs(poses[1].score - 0.999_24) < 1e-5)
    #expect(Self.isClose(Self.numbers(poses[1][.nose]), [-16.951996, 12.042088, 0.813177]))
    #expect(try Self.poses(Self.model(rows, notes: notes)).count == 82)
    #expect(throws: VisionError.self) { try Self.poses(Self.model(rows)) }
  }

  @Test func `finished people of YOLO26 are taken as they are`() throws {
    let rows = Self.rows(300).map { row in
      let (x, y, width, height) = (row[0], row[1], row[2], row[3])
      return [x - width / 2, y - height / 2, x + width / 2, y + height / 2, row[4], 0] + row[5...]
    }
    let model = try Self.model(rows, areColumns: false)
    let poses = try Self.poses(model) { $0.minScore = 0.9 }
    let wanted = rows.map { $0[4] }.filter { $0 >= 0.9 }.sorted(by: >)
    #expect(poses.map(\.score) == wanted)
    let best = try #require(rows.max { $0[4] < $1[4] })
    #expect(
      Self.isClose(
        Self.box(poses[0]),
        [best[0] * 128, best[1] * 128 - 32, best[2] * 128, best[3] * 128 - 32]))
    #expect(
      Self.isClose(
        Self.numbers(poses[0][.rightAnkle]), [best[54] * 128, best[55] * 128 - 32, best[56]]))
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -3e38])
  func `numbers that are none, or huge, do no harm`(value: Float) throws {
    for field in [0, 1, 2, 3, 4, 5, 6, 7, 55] {
      var rows = Self.rows()
      for index in rows.indices where index % 2 == 0 { rows[index][field] = value }
      let poses = try Self.poses(Self.model(rows))
      #expect(poses.count <= 84)
      for pose in poses where field != 4 {
        #expect(pose.keyPoints.allSatisfy { $0.x.isFinite && $0.y.isFinite })
        #expect(Self.box(pose).allSatisfy { $0?.isFinite == true })
      }
    }
    let all = Array(repeating: Array(repeating: value, count: 56), count: 84)
    #expect(try Self.poses(Self.model(all)).isEmpty || value == .greatestFiniteMagnitude)
  }

  /// The first 4,704 numbers of the input are the output: of a white image, candidates of score 1
  /// with all their locations at the end of the input, where white is 1.
  @Test func `floats go from 0 to 1`() throws {
    var model = DrawnModel()
    let input = model.tensor([1, 64, 64, 3])
    let (row, part) = (model.tensor([12_288]), model.tensor([4_704]))
    let output = model.tensor([1, 56, 84])
    model.node(.reshape, [input, model.constant([12_288])], [row])
    model.node(.slice, [row, model.constant([0]), model.constant([4_704])], [part])
    model.node(.reshape, [part, model.constant([1, 56, 84])], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    var options = PoseEstimator.Options()
    options.keepsAspect = false
    let image = try PixelBuffer(width: 128, height: 64, format: .rgb8, filledWith: .white)
    let poses = try PoseEstimator(model.loaded(), options: options).detect(image)
    #expect(poses.map(\.score) == [1])
    #expect(Self.isClose(Self.numbers(poses.first?[.nose]), [128, 64, 1]))
  }

  @Test func `models of other tasks and shapes are none of people`() throws {
    let notes = Self.notes("detect", "0: 'person'")
    #expect(throws: VisionError.self) {
      try PoseEstimator(Self.model(Self.rows(), notes: notes))
    }
    #expect(throws: VisionError.self) { try PoseEstimator(Self.model(Self.rows(83))) }
    #expect(throws: VisionError.self) { try PoseEstimator(Self.model(Self.rows(1))) }
    var options = PoseEstimator.Options()
    options.overlapThreshold = .nan
    #expect(throws: VisionError.self) {
      try PoseEstimator(Self.model(Self.rows()), options: options)
    }
  }

  @Test func `a pose model is told as an estimator of poses, and found by detectors as before`()
    throws
  {
    let model = try Self.model(Self.rows(), notes: Self.notes("pose", "0: 'person'"))
    #expect(LandmarkPart.told(by: model) == .poseEstimator)
    let image = try PixelBuffer(width: 64, height: 64, format: .rgb8, filledWith: .white)
    let found = try ObjectDetector(model).detect(image)
    #expect(found.first?.category?.className == "person" && found.first?.score == 0.99577075)
    #expect(
      LandmarkPart.told(by: try Self.model(Self.rows(), notes: Self.notes("detect", "0: 'a'")))
        == nil)
  }
}

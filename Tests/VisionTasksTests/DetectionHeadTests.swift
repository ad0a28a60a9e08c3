// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import VisionTasks

/// Heads of detectors on random outputs, with the boxes that `Evaluation/Heads/make_heads.py` computes.
@Suite struct DetectionHeadTests {
  struct Problems: Decodable {
    struct Output: Decodable {
      let shape: [Int]
      let values: [Float]
    }

    struct Case: Decodable {
      let name: String
      let outputs: [Output]
      let boxes: [[Double]]
    }

    let width: Int
    let height: Int
    let threshold: Float
    let cases: [Case]
  }

  static let problems = Result {
    try JSONDecoder().decode(
      Problems.self,
      from: Data(
        contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
          .appendingPathComponent("Evaluation/Heads/heads.json")))
  }

  private static let separateBins: DistanceBins = {
    var bins = DistanceBins.nanoDet
    bins.layout = .separate
    return bins
  }()

  static let decoders: [(name: String, head: @Sendable () throws -> any DetectionHead)] = [
    ("yoloV5", { try CandidateRowDecoder(.yoloV5) }),
    ("yoloV8", { try CandidateRowDecoder(.yoloV8) }),
    ("yoloX", { try CandidateRowDecoder(.yoloX) }),
    ("yoloV4", { try CandidateRowDecoder(.yoloV4) }),
    ("detr", { try CandidateRowDecoder(.detr) }),
    ("finishedRows", { try FinishedRowDecoder(FinishedRows()) }),
    ("gridsV3", { try AnchorGridDecoder(.yoloV3) }),
    ("gridsV4", { try AnchorGridDecoder(.yoloV4) }),
    ("gridsV5", { try AnchorGridDecoder(.yoloV5) }),
    ("nanoDetPlus", { try DistanceBinDecoder(.nanoDetPlus) }),
    ("nanoDetSeparate", { try DistanceBinDecoder(separateBins) }),
    ("distancesV8", { try DistanceBinDecoder(.yoloV8) }),
    ("centerPoints", { try CenterPointDecoder(CenterPoints()) }),
    ("rotatedRows", { RotatedRowDecoder(RotatedRows(), shapes: [[1, 8, 42]]) }),
    ("finishedRotatedRows", { RotatedRowDecoder(RotatedRows(), shapes: [[1, 30, 7]]) }),
  ]

  @Test(arguments: decoders.indices)
  func `boxes are those that NumPy computes`(index: Int) throws {
    let problems = try Self.problems.get()
    let (name, head) = Self.decoders[index]
    let problem = try #require(problems.cases.first { $0.name == name })
    #expect(problem.boxes.count >= 3)
    let found = try head().detections(
      problem.outputs.map { OutputValues(shape: $0.shape, values: $0.values) },
      input: InputSize(width: problems.width, height: problems.height),
      threshold: problems.threshold)
    try #require(found.count == problem.boxes.count)
    for (box, wanted) in zip(found, problem.boxes) {
      let numbers = [box.left, box.top, box.right, box.bottom, box.score]
      for (number, wanted) in zip(numbers, wanted) {
        #expect(abs(Double(number) - wanted) < 1e-4 * max(1, abs(wanted)), "\(name)")
      }
      #expect(Double(box.classIndex) == wanted[5])
    }
  }

  @Test func `outputs of other shapes are errors, whatever their values`() throws {
    let problems = try Self.problems.get()
    let input = InputSize(width: problems.width, height: problems.height)
    let wrong: [[OutputValues]] = [
      [], [OutputValues(shape: [], values: [1])], [OutputValues(shape: [1, 0, 8], values: [])],
      [OutputValues(shape: [1, 3, 3], values: [Float](repeating: .nan, count: 9))],
      [OutputValues(shape: [1, 3, 70], values: [1, 2])],
    ]
    for (name, head) in Self.decoders {
      let head = try head()
      for outputs in wrong {
        #expect(throws: VisionError.self, "\(name)") {
          try head.detections(outputs, input: input, threshold: 0)
        }
      }
    }
  }

  @Test func `numbers that are none make no boxes`() throws {
    let problems = try Self.problems.get()
    let input = InputSize(width: problems.width, height: problems.height)
    for (name, head) in Self.decoders {
      let problem = try #require(problems.cases.first { $0.name == name })
      for value in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
        let outputs = problem.outputs.map {
          OutputValues(
            shape: $0.shape, values: [Float](repeating: value, count: $0.values.count))
        }
        let found = try head().detections(outputs, input: input, threshold: 0.5)
        if value.isNaN { #expect(found.isEmpty, "\(name)") }
        #expect(found.compactMap(\.limited).allSatisfy { $0.left < $0.right })
      }
    }
  }

  /// 40 x 40 + 20 x 20 + 10 x 10 = 2100 cells.
  static let shapes: [(shapes: [[Int]], wanted: DetectionDecoding?)] = [
    ([[1, 300, 6]], .finishedRows(FinishedRows())),
    ([[1, 2100, 112]], .distanceBins(.nanoDet)), ([[1, 2125, 112]], .distanceBins(.nanoDetPlus)),
    ([[1, 84, 2100]], .candidateRows(rows { $0.layout = .columns })),
    (
      [[1, 6300, 85]],
      .candidateRows(
        rows {
          $0.hasObjectness = true
          $0.layout = .rows
        })
    ),
    ([[1, 100, 92], [1, 100, 4]], .candidateRows(.detr)),
    ([[1, 6300, 4], [1, 6300, 80]], .candidateRows(.yoloV4)),
    ([[1, 2100, 85]], nil), ([[1, 896, 16], [1, 896, 1]], nil), ([[1, 10, 4]], nil), ([], nil),
    ([[1, 10, 4], [1, 10], [1, 10], [1]], nil),
  ]

  private static func rows(_ change: (inout CandidateRows) -> Void) -> CandidateRows {
    var rows = CandidateRows()
    change(&rows)
    return rows
  }

  @Test(arguments: shapes.indices)
  func `shapes that mean one decoding tell it`(index: Int) {
    let (shapes, wanted) = Self.shapes[index]
    #expect(
      AutomaticHead.decoding(shapes, input: InputSize(width: 320, height: 320)) == wanted)
  }

  @Test func `names in dictionaries of Python and JSON`() {
    func names(_ text: String) -> [String]? { UltralyticsNotes.names(Array(text.utf8)) }
    #expect(
      names("{'task': 'detect', 'names': {0: 'person', 1: \"cat's\"}}") == ["person", "cat's"])
    #expect(names("{\"names\": {\"1\": \"b\\\"\", \"0\": \"a\"}, \"x\": 1}") == ["a", "b\""])
    for text in [
      "", "person", "{}", "{'names': {}}", "{'names': {0: 'a'", "{'names': {1: 'a'}}",
      "{'names': {0: 'a' 1: 'b'}}", "{'names': ['a']}", "{'names': {99999999999: 'a'}}",
      "{'names': {0: 'a\\",
    ] {
      #expect(names(text) == nil, "\(text)")
    }
  }
}

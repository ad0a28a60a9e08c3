// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import ImageCodecs
import Imaging
import Martlet
import Testing
import VisionTasks

/// Images as inputs.
@Suite struct ImageInputTests {
  private static let normalization = FlatTable([
    0: .int(UInt8(1)),
    1: .table(FlatTable([0: .floats([100, 50, 0]), 1: .floats([10, 5, 2])])),
  ])

  private static func notes(_ fields: [Int: FlatField]) -> FlatTable { FlatTable(fields) }

  private static func unit(_ mean: [Float], _ deviation: [Float]) -> FlatTable {
    FlatTable([
      0: .int(UInt8(1)), 1: .table(FlatTable([0: .floats(mean), 1: .floats(deviation)])),
    ])
  }

  private static func image(_ colorSpace: Int8) -> FlatField {
    let properties = FlatTable([0: .int(colorSpace)])
    return .table(FlatTable([0: .int(UInt8(2)), 1: .table(properties)]))
  }

  /// A model, and the sentence that says which rule it breaks; the task library has the same ones.
  static let rules: [(shape: [Int32], type: Int8, notes: FlatTable?, rule: String)] = [
    ([4, 4, 3], 3, nil, "Only 4D tensors in BHWD layout are supported."),
    (
      [1, 4, 4, 1], 3, nil,
      "The input tensor should have dimensions 1 x height x width x 3. Got 1 x 4 x 4 x 1."
    ),
    (
      [2, 4, 4, 3], 3, nil,
      "The input tensor should have dimensions 1 x height x width x 3. Got 2 x 4 x 4 x 3."
    ),
    (
      [1, 4, 4, 3], 2, nil,
      "Type mismatch for input tensor image. Requested one of these types: "
        + "kTfLiteUint8/kTfLiteFloat32, got INT32."
    ),
    ([1, 4, 0, 3], 3, nil, "The input width should be positive."),
    ([1, 0, 4, 3], 3, nil, "The input height should be positive."),
    (
      [1, 4, 4, 3], 0, nil,
      "Input tensor has type kTfLiteFloat32: it requires specifying NormalizationOptions metadata "
        + "to preprocess input images."
    ),
    (
      [1, 4, 4, 3], 0, notes([4: .tables([unit([1, 2], [1, 2])])]),
      "NormalizationOptions: only 1 or 3 mean and std values are supported, got 2."
    ),
    ([1, 4, 4, 3], 3, notes([3: image(2)]), "Only RGB color space is supported for now."),
    ([1, 4, 4, 3], 3, notes([3: image(0)]), "Only RGB color space is supported for now."),
  ]

  @Test(arguments: rules.indices)
  func `a model that takes no image is refused with the rule it breaks`(index: Int) throws {
    let row = Self.rules[index]
    var model = ObjectDetectorTests.quarters
    model.input = DetectorModel.Tensor(name: "image", shape: row.shape, type: row.type)
    model.inputNotes = row.notes
    let loaded = try model.model()
    let error = #expect(throws: VisionError.self) {
      try ImageInput(of: Interpreter(loaded), model: loaded)
    }
    guard case .incompatibleModel(let rule) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(rule == row.rule)
  }

  /// The values that an image of one orange pixel becomes.
  private func values(
    _ notes: FlatTable?, _ change: (inout Preprocessing) -> Void = { _ in }
  ) throws -> (values: [Float], origin: ImageInput.Origin) {
    var model = ObjectDetectorTests.quarters
    model.input = DetectorModel.Tensor(name: "image", shape: [1, 1, 1, 3], type: 0)
    model.inputNotes = notes
    var preprocessing = Preprocessing()
    change(&preprocessing)
    let loaded = try model.model()
    let interpreter = try Interpreter(loaded)
    let input = try ImageInput(of: interpreter, model: loaded, preprocessing: preprocessing)
    let color = PixelColor(red: 200, green: 150, blue: 100)
    let image = try PixelBuffer(width: 2, height: 3, format: .bgra8, filledWith: color)
    try input.feed(image, to: interpreter)
    let found = try interpreter.withInput(0, as: Float.self) { (span) throws(InferenceError) in
      span.indices.map { span[$0] }
    }
    return (found, input.normalizationOrigin)
  }

  @Test func `normalization is the metadata's, or the options'`() throws {
    let described = try values(Self.notes([4: .tables([Self.normalization])]))
    #expect(described.values == [10, 20, 50])
    #expect(described.origin == .metadata)
    // Powers of two divide without rounding.
    let given = try values(Self.notes([4: .tables([Self.normalization])])) {
      $0.normalization = try? Normalization(mean: [8], standardDeviation: [4])
    }
    #expect(given.values == [48, 35.5, 23])
    #expect(given.origin == .options)
    let plain = try values(nil) { $0.normalization = Normalization.none }
    #expect(plain.values == [200, 150, 100])
  }

  @Test func `channels may come in the other order`() throws {
    let plain = try values(nil) {
      $0.normalization = Normalization.none
      $0.channelOrder = .bgr
    }
    #expect(plain.values == [100, 150, 200])
    // The first mean is that of the first channel, blue: (100 − 100) / 10, (200 − 0) / 2.
    let notes = Self.notes([4: .tables([Self.normalization])])
    let described = try values(notes) { $0.channelOrder = .bgr }
    #expect(described.values == [0, 20, 100])
  }
}

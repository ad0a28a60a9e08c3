// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct DetectionPostProcessTests {
  /// Decodes and suppresses four boxes of two classes.
  static func detect(
    _ changes: [String: FlexNumber] = [:], scores: Tensor = Self.scores,
    encodings: Tensor = Self.encodings, anchors: Tensor = Self.anchors,
    bytes: [UInt8]? = nil, kernels: KernelSet = .reference
  ) throws -> [Tensor] {
    let make = try #require(OperatorCatalog.customByName["TFLite_Detection_PostProcess"]).make
    let options = bytes ?? flexMap(settings.merging(changes) { $1 })
    let inputs = [encodings, scores, anchors]
    let node = PrepareContext(
      inputs: inputs.map { PrepareContext.Operand($0.type) },
      declaredOutputs: Array(repeating: TensorType(.float32, []), count: 4))
    let prepared = kernels.applied(
      to: try make(NodeDescription(customOptions: options)).prepare(node), of: node,
      weights: WeightCache())
    let results = prepared.outputs.map {
      Tensor($0, TensorBytes(zeroed: $0.byteCount ?? 0), isConstant: false)
    }
    let frame = TensorFrame(
      inputs: inputs.map(\.bytes), outputs: results.map(\.bytes),
      scratch: prepared.scratch.map { TensorBytes(zeroed: $0) })
    try prepared.kernel.evaluate(frame)
    return results
  }

  static let settings: [String: FlexNumber] = [
    "max_detections": .int(3), "max_classes_per_detection": .int(1), "num_classes": .int(2),
    "nms_score_threshold": .float(0.3), "nms_iou_threshold": .float(0.5),
    "y_scale": .float(10), "x_scale": .float(10), "h_scale": .float(5), "w_scale": .float(5),
  ]

  /// Anchors 4 wide and 2 high: two on the same spot, one beside them, one far away.
  static let anchors = Tensor(
    [4, 4], [10, 10, 2, 4, 10, 10, 2, 4, 10, 13, 2, 4, 50, 50, 2, 4] as [Float])
  static let encodings = Tensor([1, 4, 4], [Float](repeating: 0, count: 16))
  /// Background, class 0 and class 1 of each anchor.
  static let scores = Tensor(
    [1, 4, 3], [0, 0.4, 0.6, 0, 0.9, 0.5, 1, 0.1, 0.7, 1, 0.2, 0.1] as [Float])

  @Test(arguments: KernelSet.all)
  func `fast mode suppresses by the best class`(kernels: KernelSet) throws {
    let found = try Self.detect(kernels: kernels)
    #expect(found.map(\.type.shape) == [[1, 3, 4], [1, 3], [1, 3], [1]])
    #expect(
      found[0].values() == [9, 8, 11, 12, 9, 11, 11, 15, 0, 0, 0, 0] as [Float])
    #expect(found[1].values() == [0, 1, 0] as [Float])
    #expect(found[2].values() == [0.9, 0.7, 0] as [Float])
    #expect(found[3].values() == [2] as [Float])
  }

  @Test(arguments: KernelSet.all)
  func `fast mode lists further classes of a box`(kernels: KernelSet) throws {
    let found = try Self.detect(["max_classes_per_detection": .int(2)], kernels: kernels)
    #expect(found[1].values() == [0, 1, 1, 0, 0, 0] as [Float])
    #expect(found[2].values() == [0.9, 0.5, 0.7, 0.1, 0, 0] as [Float])
    #expect(found[3].values() == [2] as [Float])
  }

  /// Class 0 keeps box 1, class 1 boxes 2 and 0: the overlap of those is 1 of 7 columns.
  @Test(arguments: KernelSet.all)
  func `regular mode suppresses each class`(kernels: KernelSet) throws {
    let found = try Self.detect(["use_regular_nms": .bool(true)], kernels: kernels)
    #expect(found[1].values() == [0, 1, 1] as [Float])
    #expect(found[2].values() == [0.9, 0.7, 0.6] as [Float])
    #expect(found[3].values() == [3] as [Float])
  }

  @Test func `regular mode limits the detections of a class`() throws {
    let found = try Self.detect([
      "use_regular_nms": .bool(true), "detections_per_class": .int(1),
    ])
    #expect(found[2].values() == [0.9, 0.7, 0] as [Float])
    #expect(found[3].values() == [2] as [Float])
  }

  /// Center 10 + 5/10 · 2, height e^0 · 2; quantized values are 1/2 around 100.
  @Test func `encodings move the anchor, and may be uint8`() throws {
    let codes = Tensor([1, 1, 4], [110, 100, 100, 100] as [UInt8], scale: 0.5, zeroPoint: 100)
    let found = try Self.detect(
      scores: Tensor([1, 1, 2], [200, 20] as [UInt8], scale: 1.0 / 256), encodings: codes,
      anchors: Tensor([1, 4], [10, 20, 2, 4] as [UInt8], scale: 1))
    #expect(found[0].values(as: Float.self).prefix(4) == [10, 18, 12, 22])
    #expect(found[2].values(as: Float.self)[0] == 200.0 / 256)
  }

  static let bad: [[String: FlexNumber]] = [
    ["max_detections": .int(-1)], ["max_classes_per_detection": .int(0)],
    ["max_detections": .int(.max)], ["num_classes": .int(0)], ["num_classes": .int(4)],
    ["num_classes": .int(.min)], ["nms_iou_threshold": .float(0)],
    ["nms_iou_threshold": .float(.nan)],
    ["use_regular_nms": .bool(true), "max_detections": .int(0)],
    ["max_detections": .int(1 << 31 - 1), "max_classes_per_detection": .int(1 << 31 - 1)],
  ]

  @Test(arguments: bad.indices)
  func `options out of range are refused`(index: Int) {
    #expect(throws: KernelError.self) { try Self.detect(Self.bad[index]) }
  }

  @Test func `every prefix of the options is refused or read without harm`() throws {
    let whole = flexMap(Self.settings)
    for length in 0..<whole.count {
      #expect(throws: KernelError.self) { try Self.detect(bytes: Array(whole.prefix(length))) }
    }
  }

  @Test func `fewer anchors than boxes are refused`() {
    #expect(throws: KernelError.self) {
      try Self.detect(anchors: Tensor([1, 4], [0, 0, 1, 1] as [Float]))
    }
  }

  @Test func `boxes that end before they begin are refused`() {
    let inverted = Tensor(
      [4, 4], [10, 10, -2, 4, 10, 10, 2, 4, 10, 13, 2, 4, 50, 50, 2, 4] as [Float])
    #expect(throws: KernelError.self) { try Self.detect(anchors: inverted) }
  }

  @Test func `no number, no harm`() throws {
    let scores = Tensor([1, 4, 3], [Float](repeating: .nan, count: 12))
    #expect(try Self.detect(scores: scores)[3].values() == [0] as [Float])
    _ = try Self.detect(["y_scale": .float(0), "h_scale": .float(0)])
  }
}

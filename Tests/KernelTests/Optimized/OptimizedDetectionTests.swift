// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ModelSchema
import OptimizedKernels
import ReferenceKernels
import SeededRandom
import Tensors
import Testing

/// Optimized kernels for the end of detectors, for gathered rows and for joined quantized values,
/// bit for bit.
@Suite struct OptimizedDetectionTests {
  @Test(arguments: 0..<60)
  func `detections in fast mode`(seed: Int) throws {
    var random = SeededRandom(seed: seed)
    let boxes = random.pick([1, 7, 60, 300])
    let classes = random.pick([1, 3, 8, 20, 91])
    let hasBackground = Bool.random(using: &random)
    let scoreCount = boxes * (classes + (hasBackground ? 1 : 0))
    let settings: [String: FlexNumber] = [
      "max_detections": .int(random.pick([0, 1, 10, 100])),
      "max_classes_per_detection": .int(classes == 1 ? 3 : 1), "num_classes": .int(Int64(classes)),
      "nms_score_threshold": .float(random.pick([1e-8, 0.3, -2])),
      "nms_iou_threshold": .float(random.pick([0.1, 0.6, 1])),
    ]
    let shape: Shape = [1, boxes, classes + (hasBackground ? 1 : 0)]
    let isByte = Bool.random(using: &random)
    func tensor(_ shape: Shape, _ values: [Float]) -> Tensor {
      let codes = values.map { UInt8(max(0, min(255, $0 * 50 + 100))) }
      return isByte ? Tensor(shape, codes, scale: 0.02, zeroPoint: 100) : Tensor(shape, values)
    }
    // Few values, so that scores are equal; sometimes no numbers at all, or boxes inside out.
    var scores = (0..<scoreCount).map { _ in Float(Int.random(in: -3...9, using: &random)) / 9 }
    if seed % 5 == 0 {
      for index in scores.indices where index % 3 != seed % 2 { scores[index] = .nan }
    }
    var anchors = (0..<boxes * 4).map { _ in Float.random(in: 0.1...0.6, using: &random) }
    if seed % 7 == 0 { anchors[2] = -0.2 }
    let inputs = [
      tensor([1, boxes, 4], random.floats(boxes * 4)),
      isByte && seed % 5 == 0
        ? Tensor(shape, random.codes(scoreCount, as: UInt8.self), scale: 0.004)
        : seed % 5 == 0 ? Tensor(shape, scores) : tensor(shape, scores),
      tensor([boxes, 4], anchors),
    ]
    func detect(_ kernels: KernelSet) throws -> [[UInt8]] {
      try DetectionPostProcessTests.detect(
        settings, scores: inputs[1], encodings: inputs[0], anchors: inputs[2], kernels: kernels
      ).map { $0.bytes.array() }
    }
    guard let expected = try? detect(.reference) else {
      #expect(throws: KernelError.self) { try detect(.optimized) }
      return
    }
    #expect(try detect(.optimized) == expected, "seed \(seed)")
  }

  @Test(arguments: [1, 3, 4, 7, 16, 31, 33, 65], [0, 1, 2])
  func `gathered rows`(rowLength: Int, axis: Int32) throws {
    var random = SeededRandom(seed: rowLength)
    let shape: Shape = [3, 5, rowLength]
    var options = GatherOptions()
    options.axis = axis
    let limit = Int32(shape[Int(axis)])
    let indices = (0..<7).map { _ in Int32.random(in: 0..<limit, using: &random) }
    let wide = Tensor([7], indices.map { Int64($0) })
    let count = shape.elementCount
    try Self.expectSame(
      .gather, [Tensor(shape, random.floats(count)), Tensor([7], indices)], .float32, options)
    try Self.expectSame(
      .gather, [Tensor(shape, random.codes(count, as: Int8.self)), wide], .int8, options)
    let wrong = Tensor([1], [limit])
    #expect(throws: KernelError.self) {
      try Self.problem(.gather, [Tensor(shape, random.floats(count)), wrong], .float32, options)
        .result(.optimized)
    }
  }

  @Test(arguments: [0, 1, 2] as [Int32])
  func `joined codes of several scales`(axis: Int32) throws {
    var random = SeededRandom(seed: Int(axis))
    var options = ConcatenationOptions()
    options.axis = axis
    let inputs = [(0.02, 3), (0.05, 200), (0.001, 0)].map { scale, zeroPoint in
      Tensor(
        [4, 3, 70], random.codes(840, as: UInt8.self), scale: Float(scale),
        zeroPoint: Int64(zeroPoint))
    }
    try Self.expectSame(.concatenation, inputs, .uint8, options)
  }

  private static func problem(
    _ code: OperatorCode, _ inputs: [Tensor], _ type: ElementType, _ options: any OptionsTable
  ) -> OptimizedProblem {
    OptimizedProblem(
      seed: 0, code: code, options: options, inputs: inputs,
      output: TensorType(type, [], quantization: Quantization(scale: 0.05, zeroPoint: 200)),
      rounding: .double)
  }

  private static func expectSame(
    _ code: OperatorCode, _ inputs: [Tensor], _ type: ElementType, _ options: any OptionsTable
  ) throws {
    let problem = problem(code, inputs, type, options)
    let expected: [UInt8] = try problem.result(.reference).bytes.array()
    for set in MicrokernelSet.tested {
      #expect(try problem.result(.optimized(for: set)).bytes.array() == expected, "\(set)")
    }
  }
}

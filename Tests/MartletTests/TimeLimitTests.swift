// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Foundation
import Martlet
import ModelSchema
import OptimizedKernels
import ResourceLimits
import TestSupport
import Testing

/// A run that may take so long and no longer stops in the middle of a node.
@Suite struct TimeLimitTests {
  /// A model of one node that sums some thousands of millions of products.
  struct SlowNode: CustomTestStringConvertible, Sendable {
    let code: OperatorCode
    /// Shapes of the inputs; nil for the output's shape as a constant.
    let inputs: [[Int]?]
    let output: [Int]
    /// The kind of the options, and their fields: bytes, else int32.
    var options: (kind: UInt8, bytes: [Int: Int8], numbers: [Int: Int32])?

    var testDescription: String { "\(code)" }

    var model: DrawnModel {
      var model = DrawnModel()
      let inputs = self.inputs.map { shape in
        shape.map { model.tensor($0) } ?? model.constant(self.output.map { Int32($0) })
      }
      let output = model.tensor(self.output)
      model.node(
        code, inputs, [output],
        options: options.map { options in
          (
            kind: options.kind,
            fields: options.bytes.mapValues { FlatField.int($0) }.merging(
              options.numbers.mapValues { FlatField.int($0) }
            ) { first, _ in first }
          )
        })
      model.graphs[0].inputs = zip(inputs, self.inputs).filter { $1 != nil }.map(\.0)
      model.graphs[0].outputs = [output]
      return model
    }
  }

  static let nodes = [
    SlowNode(
      code: .conv2D, inputs: [[1, 256, 256, 64], [64, 3, 3, 64], [64]], output: [1, 256, 256, 64],
      options: (1, [0: 0], [1: 1, 2: 1])),
    SlowNode(
      code: .depthwiseConv2D, inputs: [[1, 512, 512, 32], [1, 15, 15, 32]],
      output: [1, 512, 512, 32], options: (2, [0: 0], [1: 1, 2: 1, 3: 1])),
    SlowNode(
      code: .transposeConv, inputs: [nil, [64, 3, 3, 64], [1, 256, 256, 64]],
      output: [1, 256, 256, 64], options: (49, [0: 0], [1: 1, 2: 1])),
    SlowNode(
      code: .conv3D, inputs: [[1, 32, 64, 64, 32], [3, 3, 3, 32, 32]],
      output: [1, 32, 64, 64, 32], options: (106, [0: 0], [1: 1, 2: 1, 3: 1])),
    SlowNode(
      code: .conv3DTranspose, inputs: [nil, [3, 3, 3, 32, 32], [1, 32, 64, 64, 32]],
      output: [1, 32, 64, 64, 32], options: (106, [0: 0], [1: 1, 2: 1, 3: 1])),
    SlowNode(
      code: .averagePool2D, inputs: [[1, 640, 640, 32]], output: [1, 640, 640, 32],
      options: (5, [0: 0], [1: 1, 2: 1, 3: 15, 4: 15])),
    SlowNode(
      code: .maxPool2D, inputs: [[1, 640, 640, 32]], output: [1, 640, 640, 32],
      options: (5, [0: 0], [1: 1, 2: 1, 3: 15, 4: 15])),
    SlowNode(
      code: .fullyConnected, inputs: [[1024, 2048], [1024, 2048]], output: [1024, 1024],
      options: (8, [:], [:])),
    SlowNode(
      code: .batchMatMul, inputs: [[1024, 2048], [2048, 1024]], output: [1024, 1024],
      options: (101, [:], [:])),
  ]

  /// The reference kernels, whatever they compute, look whether the run shall go on.
  @Test(arguments: nodes)
  func `a run stops within a slow node of the reference kernels`(node: SlowNode) throws {
    var options = Interpreter.Options()
    options.kernels = .reference
    options.limits = Limits(workCount: .max)
    let interpreter = try Interpreter(node.model.loaded(), options: options)
    try interpreter.prepare()
    // Any thread may cancel.
    nonisolated(unsafe) let cancelled = interpreter
    let canceller = Thread {
      Thread.sleep(forTimeInterval: 0.1)
      unsafe cancelled.cancel()
    }
    let (error, duration) = Self.failure {
      canceller.start()
      try interpreter.invoke()
    }
    guard case .cancelled = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(duration < .milliseconds(900))
  }

  /// It is started, as a faster machine could do it in time.
  @Test func `a slow node of the reference kernels ends when its time is over`() throws {
    var options = Interpreter.Options()
    options.kernels = .reference
    options.limits = Limits(workCount: .max, duration: .milliseconds(1000))
    let node = try #require(Self.nodes.first { $0.code == .batchMatMul })
    let interpreter = try Interpreter(node.model.loaded(), options: options)
    try interpreter.prepare()
    let (error, duration) = Self.failure { try interpreter.invoke() }
    guard case .timeLimit = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(duration > .milliseconds(900) && duration < .milliseconds(2500))
  }

  private static func failure(_ body: () throws -> Void) -> (InferenceError?, Duration) {
    var error: InferenceError?
    let duration = ContinuousClock().measure {
      do { try body() } catch let failure { error = failure as? InferenceError }
    }
    return (error, duration)
  }
}

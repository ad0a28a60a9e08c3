// SPDX-License-Identifier: Apache-2.0

import Martlet
import TestSupport
import Testing

/// Reshaped tensors that lie where an input does.
@Suite struct SharedMemoryTests {
  /// An input's elements in other shapes, two of them outputs, and the negatives of a third.
  private static func model() throws -> Model {
    var model = DrawnModel()
    let (input, vector) = (model.tensor([1, 4]), model.tensor([4]))
    let outputs = [model.tensor([4, 1]), model.tensor([2, 2]), model.tensor([4])]
    model.node(.reshape, [input, model.constant([4])], [vector])
    model.node(.reshape, [input, model.constant([4, 1])], [outputs[0]])
    model.node(.reshape, [vector, model.constant([2, 2])], [outputs[1]])
    model.node(.neg, [vector], [outputs[2]])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], outputs)
    return try model.loaded()
  }

  @Test(arguments: [KernelSet.optimized, .reference], [false, true])
  func `inputs stay as they are, and outputs until the next run`(
    kernels: KernelSet, keepsAll: Bool
  ) throws {
    var options = Interpreter.Options()
    (options.kernels, options.keepsAllTensors) = (kernels, keepsAll)
    let interpreter = try Interpreter(Self.model(), options: options)
    let values: [Float] = [1, -2, 3, 4]
    try interpreter.setInput(0, values)
    for _ in 0..<2 {
      try interpreter.invoke()
      #expect(try interpreter.output(2, as: Float.self) == values.map { -$0 })
    }
    try interpreter.setInput(0, [5, 6, 7, 8] as [Float])
    for output in 0..<2 { #expect(try interpreter.output(output, as: Float.self) == values) }
    try interpreter.invoke()
    for output in 0..<2 { #expect(try interpreter.output(output, as: Float.self) == [5, 6, 7, 8]) }
  }

  @Test func `a reshaped input needs no memory`() throws {
    var model = DrawnModel()
    let (input, vector, output) = (model.tensor([8, 8]), model.tensor([64]), model.tensor([64]))
    model.node(.reshape, [input, model.constant([64])], [vector])
    model.node(.neg, [vector], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    let interpreter = try Interpreter(model.loaded())
    try interpreter.prepare()
    #expect(interpreter.plan?.memory.arenaByteCount == 2 * 256)
  }
}

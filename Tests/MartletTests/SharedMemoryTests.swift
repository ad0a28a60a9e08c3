// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Martlet
import TestSupport
import Testing

/// Reshaped tensors, and parts of tensors, that lie where an input does.
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

  /// The negatives of `rows` rows, of which the first, the others and a copy of the first are changed.
  private static func parts(rows: Int, width: Int) throws -> Model {
    var model = DrawnModel()
    let (input, negative) = (model.tensor([rows, width]), model.tensor([rows, width]))
    let (first, rest) = (model.tensor([1, width]), model.tensor([rows - 1, width]))
    let outputs = [
      model.tensor([1, width]), model.tensor([rows - 1, width]), model.tensor([1, width]),
    ]
    model.node(.neg, [input], [negative])
    model.node(
      .slice, [negative, model.constant([0, 0]), model.constant([1, Int32(width)])], [first])
    model.node(
      .slice, [negative, model.constant([1, 0]), model.constant([-1, Int32(width)])], [rest])
    model.node(.neg, [first], [outputs[0]])
    model.node(.abs, [rest], [outputs[1]])
    model.node(.abs, [first], [outputs[2]])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], outputs)
    return try model.loaded()
  }

  @Test(arguments: [KernelSet.optimized, .reference], [(3, 2), (3, 3), (2, 1), (5, 4096)])
  func `parts of a tensor keep their values`(kernels: KernelSet, size: (rows: Int, width: Int))
    throws
  {
    var options = Interpreter.Options()
    options.kernels = kernels
    let interpreter = try Interpreter(
      Self.parts(rows: size.rows, width: size.width), options: options)
    let values = (0..<size.rows * size.width).map { Float($0 - 3) }
    try interpreter.setInput(0, values)
    for _ in 0..<2 {
      try interpreter.invoke()
      let first = Array(values[..<size.width])
      #expect(try interpreter.output(0, as: Float.self) == first)
      #expect(try interpreter.output(1, as: Float.self) == values[size.width...].map(abs))
      #expect(try interpreter.output(2, as: Float.self) == first.map(abs))
    }
  }

  /// Where the second of some rows lies, from the first one on.
  private static func offset(rows: Int, width: Int) throws -> Int? {
    var model = DrawnModel()
    let (input, negative) = (model.tensor([rows, width]), model.tensor([rows, width]))
    let (part, result) = (model.tensor([1, width]), model.tensor([1, width]))
    model.node(.neg, [input], [negative])
    model.node(
      .slice, [negative, model.constant([1, 0]), model.constant([1, Int32(width)])], [part])
    model.node(.neg, [part], [result])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [result])
    let interpreter = try Interpreter(model.loaded())
    try interpreter.prepare()
    let memory = try #require(interpreter.plan?.memory)
    return memory.place(of: part).map { $0.offset - (memory.place(of: negative)?.offset ?? 0) }
  }

  @Test func `a part lies in its tensor unless that is large`() throws {
    #expect(try Self.offset(rows: 3, width: 4) == 16)
    #expect(try Self.offset(rows: 3, width: 3) == 12)
    #expect(try Self.offset(rows: 2, width: 1 << 14) != 1 << 16)
  }

  @Test(arguments: 0..<5)
  func `what has wider elements than its bytes' place is copied`(start: Int) throws {
    var model = DrawnModel()
    let (input, turned) = (model.tensor([3, 3], .int8), model.tensor([3, 3], .int8))
    let (line, part) = (model.tensor([9], .int8), model.tensor([4], .int8))
    let word = model.tensor([], .int32)
    model.node(.transpose, [input, model.constant([1, 0])], [turned])
    model.node(.reshape, [turned, model.constant([9])], [line])
    model.node(.slice, [line, model.constant([Int32(start)]), model.constant([4])], [part])
    model.node(.bitcast, [part], [word])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [word])
    let interpreter = try Interpreter(model.loaded())
    try interpreter.setInput(0, [0, 3, 6, 1, 4, 7, 2, 5, 8] as [Int8])
    try interpreter.invoke()
    let bytes = (start..<start + 4).map { UInt32($0) << (8 * UInt32($0 - start)) }
    #expect(
      try interpreter.output(0, as: Int32.self) == [Int32(bitPattern: bytes.reduce(0, |))])
  }

  @Test func `of a model's input, outputs are copies`() throws {
    var model = DrawnModel()
    let (input, output) = (model.tensor([4, 2]), model.tensor([2, 2]))
    model.node(.slice, [input, model.constant([2, 0]), model.constant([2, 2])], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [output])
    let interpreter = try Interpreter(model.loaded())
    try interpreter.setInput(0, (0..<8).map(Float.init))
    try interpreter.invoke()
    try interpreter.setInput(0, [Float](repeating: 9, count: 8))
    #expect(try interpreter.output(0, as: Float.self) == [4, 5, 6, 7])
  }

  @Test func `the parts of a split lie in its input`() throws {
    var model = DrawnModel()
    let (input, sum) = (model.tensor([1, 8]), model.tensor([1, 8]))
    let parts = (0..<4).map { _ in model.tensor([1, 2]) }
    let results = (0..<4).map { _ in model.tensor([1, 2]) }
    model.node(.neg, [input], [sum])
    model.node(
      .split, [model.constant([1], shape: []), sum], parts, options: (35, [0: .int(Int32(4))]))
    for (part, result) in zip(parts, results) { model.node(.neg, [part], [result]) }
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], results)
    let interpreter = try Interpreter(model.loaded())
    let values = (0..<8).map(Float.init)
    try interpreter.setInput(0, values)
    try interpreter.invoke()
    for output in 0..<4 {
      #expect(
        try interpreter.output(output, as: Float.self) == Array(values[2 * output..<2 * output + 2])
      )
    }
    let memory = try #require(interpreter.plan?.memory)
    let start = try #require(memory.place(of: sum)?.offset)
    #expect(parts.map { memory.place(of: $0)?.offset } == (0..<4).map { start + 8 * $0 })
  }
}

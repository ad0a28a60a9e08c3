// SPDX-License-Identifier: Apache-2.0

import Martlet
import ReferenceKernels
import TestSupport
import Testing

/// Two slices of a tensor joined around other rows are one copy, as long as that gives its shape.
@Suite struct RowReplacementTests {
  /// Slices of four rows of two floats: as many as input 2 says, and from where input 3 says on,
  /// joined around input 1; `declared` is what the file says of the joined rows.
  private static func model(declared: [Int] = [4, 2], rows: Int = 1) throws -> Model {
    var model = DrawnModel()
    let (list, row) = (model.tensor([4, 2]), model.tensor([rows, 2]))
    let (sizes, begins) = (model.tensor([2], .int32), model.tensor([2], .int32))
    let (before, after) = (model.tensor([1, 2]), model.tensor([1, 2]))
    let joined = model.tensor(declared)
    model.node(.slice, [list, model.constant([0, 0]), sizes], [before])
    model.node(.slice, [list, begins, model.constant([-1, -1])], [after])
    model.node(
      .concatenation, [before, row, after], [joined], options: (10, [0: .int(Int32(0))]))
    model.graphs[0].inputs = [list, row, sizes, begins]
    model.graphs[0].outputs = [joined]
    return try model.loaded()
  }

  private static let list: [Float] = [1, 2, 3, 4, 5, 6, 7, 8]

  /// What the model gives for rows `start` to `end` replaced by one of zeros.
  private static func run(
    _ interpreter: Interpreter, _ start: Int32, _ end: Int32, columns: Int32 = -1, rows: Int = 1
  ) throws -> [Float] {
    try interpreter.setInput(0, list)
    try interpreter.setInput(1, [Float](repeating: 0, count: 2 * rows))
    try interpreter.setInput(2, [start, columns])
    try interpreter.setInput(3, [end, 0])
    try interpreter.invoke()
    return try interpreter.output(0, as: Float.self)
  }

  private static func isFused(_ interpreter: Interpreter) -> Bool {
    let steps = interpreter.plan?.steps ?? []
    guard case .computed(let step)? = steps.last else { return false }
    return step.members == [0, 1, 2]
  }

  @Test(arguments: [[4, 2], [1, 2]])
  func `a row is replaced wherever it is, whatever the file declares`(declared: [Int]) throws {
    let interpreter = try Interpreter(Self.model(declared: declared))
    for row in [0, 3, 1, 2] as [Int32] {
      var expected = Self.list
      (expected[2 * Int(row)], expected[2 * Int(row) + 1]) = (0, 0)
      #expect(try Self.run(interpreter, row, row + 1, columns: row == 3 ? 2 : -1) == expected)
      #expect(Self.isFused(interpreter))
    }
  }

  @Test func `several rows are replaced`() throws {
    let interpreter = try Interpreter(Self.model(rows: 3))
    #expect(try Self.run(interpreter, 1, 4, rows: 3) == [1, 2, 0, 0, 0, 0, 0, 0])
    #expect(Self.isFused(interpreter))
  }

  @Test(arguments: [KernelSet.optimized, .reference])
  func `what gives other shapes is computed node by node`(kernels: KernelSet) throws {
    var options = Interpreter.Options()
    options.kernels = kernels
    let interpreter = try Interpreter(Self.model(), options: options)
    for _ in 0..<3 {
      #expect(try Self.run(interpreter, 1, 2) == [1, 2, 0, 0, 5, 6, 7, 8])
      #expect(try Self.run(interpreter, 1, 1) == [1, 2, 0, 0, 3, 4, 5, 6, 7, 8])
      #expect(try interpreter.outputType(0).shape.dimensions == [5, 2])
      #expect(try Self.run(interpreter, 1, 3) == [1, 2, 0, 0, 7, 8])
      #expect(throws: InferenceError.self) { try Self.run(interpreter, 5, 4) }
      #expect(throws: InferenceError.self) { try Self.run(interpreter, 1, 2, columns: 1) }
      #expect(try Self.run(interpreter, -1, 4) == Self.list + [0, 0])
    }
  }

  @Test func `slices that give nothing are refused`() throws {
    var model = DrawnModel()
    let (list, joined) = (model.tensor([4, 2]), model.tensor([4, 2]))
    let sizes = model.tensor([2], .int32)
    model.node(.slice, [list, model.constant([0, 0]), sizes], [-1])
    model.node(.slice, [list, sizes, model.constant([-1, -1])], [-1])
    model.node(.concatenation, [-1, list, -1], [joined], options: (10, [0: .int(Int32(0))]))
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([list, sizes], [joined])
    #expect(throws: InferenceError.self) { try Interpreter(model.loaded()).invoke() }
  }

  @Test(arguments: [KernelSet.optimized, .reference])
  func `rows of a tensor whose shape changes in each run are replaced`(kernels: KernelSet) throws {
    var model = DrawnModel()
    let (source, row) = (model.tensor([4, 2]), model.tensor([1, 2]))
    let (lengths, sizes) = (model.tensor([2], .int32), model.tensor([2], .int32))
    let (begins, list) = (model.tensor([2], .int32), model.tensor([4, 2]))
    let (before, after, joined) = (
      model.tensor([1, 2]), model.tensor([1, 2]), model.tensor([4, 2])
    )
    let (zeros, rest) = (model.constant([0, 0]), model.constant([-1, -1]))
    model.node(.slice, [source, zeros, lengths], [list])
    model.node(.slice, [list, zeros, sizes], [before])
    model.node(.slice, [list, begins, rest], [after])
    model.node(
      .concatenation, [before, row, after], [joined], options: (10, [0: .int(Int32(0))]))
    model.graphs[0].inputs = [source, row, lengths, sizes, begins]
    model.graphs[0].outputs = [joined]
    var options = Interpreter.Options()
    options.kernels = kernels
    let interpreter = try Interpreter(model.loaded(), options: options)
    for length in [4, 3, 2, 3, 4, 2] {
      try interpreter.setInput(0, Self.list)
      try interpreter.setInput(1, [0, 0] as [Float])
      try interpreter.setInput(2, [Int32(length), 2])
      try interpreter.setInput(3, [1, -1] as [Int32])
      try interpreter.setInput(4, [2, 0] as [Int32])
      try interpreter.invoke()
      var expected = Array(Self.list.prefix(2 * length))
      (expected[2], expected[3]) = (0, 0)
      #expect(try interpreter.output(0) == expected)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Martlet
import TestSupport
import Testing

/// Nodes that wait for the run: what they give is planned as the file declares it, and the run finds
/// out whether that was right.
@Suite struct PredictedTypeTests {
  /// `IF` of a vector of four: its negative, or the vector twice; `declared` is what the file says
  /// that it gives.
  private static func branching(declared: [Int]) -> (model: DrawnModel, output: Int) {
    var model = DrawnModel()
    let (condition, vector) = (model.tensor([1], .bool), model.tensor([4]))
    let output = model.tensor(declared)
    model.node(
      .if, [condition, vector], [output], options: (92, [0: .int(Int32(1)), 1: .int(Int32(2))]))
    model.graphs[0].inputs = [condition, vector]
    for graph in 1...2 {
      model.graphs.append(DrawnModel.Graph())
      let given = model.tensor([4], graph: graph)
      let result = model.tensor(graph == 1 ? [4] : [8], graph: graph)
      if graph == 1 {
        model.node(.neg, [given], [result], graph: graph)
      } else {
        model.node(
          .concatenation, [given, given], [result], options: (10, [0: .int(Int32(0))]),
          graph: graph)
      }
      (model.graphs[graph].inputs, model.graphs[graph].outputs) = ([given], [result])
    }
    return (model, output)
  }

  /// The same with what follows: the square root of squares, the shape, and the sum.
  private static func model() throws -> Model {
    var (model, branch) = branching(declared: [4])
    let (squares, roots) = (model.tensor([4]), model.tensor([4]))
    let (shape, sum) = (model.tensor([1], .int32), model.tensor([]))
    model.node(.mul, [branch, branch], [squares], options: (21, [:]))
    model.node(.sqrt, [squares], [roots])
    model.node(.shape, [branch], [shape], options: (55, [0: .int(Int8(2))]))
    let axis = model.constant([0])
    model.node(.sum, [roots, axis], [sum], options: (27, [:]))
    model.graphs[0].outputs = [roots, shape, sum]
    return try model.loaded()
  }

  private static func kinds(_ interpreter: Interpreter) -> [String] {
    (interpreter.plan?.steps ?? []).map { step in
      switch step {
      case .folded: "folded"
      case .shared: "shared"
      case .fused: "fused"
      case .deferred: "deferred"
      case .computed: "computed"
      }
    }
  }

  /// Runs the branch and compares all outputs.
  private static func expect(_ interpreter: Interpreter, takesFirst: Bool) throws {
    try interpreter.setInput(0, [BoolByte(takesFirst)])
    try interpreter.setInput(1, [1, -2, 3, -4] as [Float])
    try interpreter.invoke()
    let roots: [Float] = takesFirst ? [1, 2, 3, 4] : [1, 2, 3, 4, 1, 2, 3, 4]
    #expect(try interpreter.output(0) == roots)
    #expect(try interpreter.outputType(0).shape.dimensions == [roots.count])
    #expect(try interpreter.output(1) == [Int32(roots.count)])
    #expect(try interpreter.output(2) == [roots.reduce(0, +)])
  }

  @Test(arguments: [KernelSet.optimized, .reference], [false, true])
  func `outputs are right whichever shapes a branch gives`(
    kernels: KernelSet, isObserved: Bool
  ) throws {
    final class Counter: InferenceObserver {
      var nodes: [Int] = []
      func didEvaluate(_ record: NodeRecord) {
        if record.subgraph == 0 { nodes += record.members }
      }
    }
    var options = Interpreter.Options()
    options.kernels = kernels
    let interpreter = try Interpreter(Self.model(), options: options)
    let counter = Counter()
    if isObserved { interpreter.observers = [counter] }
    for takesFirst in [true, true, false, true, false, false, true] {
      counter.nodes = []
      try Self.expect(interpreter, takesFirst: takesFirst)
      #expect(!isObserved || counter.nodes.sorted() == [0, 1, 2, 3, 4])
    }
  }

  @Test func `what follows is planned once as long as shapes are as declared`() throws {
    var options = Interpreter.Options()
    options.kernels = .reference
    let interpreter = try Interpreter(Self.model(), options: options)
    try interpreter.prepare()
    // The shape waits for the run, as nothing is computed from what is only predicted.
    let planned = ["deferred", "computed", "computed", "computed", "computed"]
    #expect(Self.kinds(interpreter) == planned)
    for _ in 0..<3 {
      try Self.expect(interpreter, takesFirst: true)
      #expect(Self.kinds(interpreter) == planned)
    }
    // What the run finds instead is planned with once; then nothing is.
    for _ in 0..<3 {
      try Self.expect(interpreter, takesFirst: false)
    }
    #expect(Self.kinds(interpreter) == planned)
    for takesFirst in [true, true, false] {
      try Self.expect(interpreter, takesFirst: takesFirst)
    }
    #expect(Self.kinds(interpreter).filter { $0 == "deferred" }.count == 5)
  }

  /// The negative of two of four floats from `begin` on, which a run computes.
  private static func slicing() throws -> Model {
    var model = DrawnModel()
    let (input, half) = (model.tensor([4]), model.tensor([1], .int32))
    let begin = model.tensor([1], .int32)
    let (slice, output) = (model.tensor([2]), model.tensor([2]))
    model.node(.add, [half, half], [begin], options: (11, [:]))
    model.node(.slice, [input, begin, model.constant([2])], [slice], options: (48, [:]))
    model.node(.neg, [slice], [output])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input, half], [output])
    return try model.loaded()
  }

  @Test(arguments: [KernelSet.optimized, .reference], [false, true])
  func `a node is prepared with the values that its operator asks for, whatever they were`(
    kernels: KernelSet, keepsAllTensors: Bool
  ) throws {
    var options = Interpreter.Options()
    (options.kernels, options.keepsAllTensors) = (kernels, keepsAllTensors)
    let interpreter = try Interpreter(Self.slicing(), options: options)
    for (round, half) in [0, 0, 1, 1, 0, 1, 1, 1].enumerated() {
      let values = (0..<4).map { Float($0 * 10 + round) }
      try interpreter.setInput(0, values)
      try interpreter.setInput(1, [Int32(half)])
      try interpreter.invoke()
      #expect(try interpreter.output(0) == values[(2 * half)...].prefix(2).map { -$0 })
      #expect(Self.kinds(interpreter) == ["computed", "deferred", "computed"])
    }
    try interpreter.setInput(1, [2 as Int32])
    #expect(throws: InferenceError.self) { try interpreter.invoke() }
    try interpreter.setInput(1, [1 as Int32])
    try interpreter.invoke()
    #expect(try interpreter.output(0) == [-27, -37] as [Float])
  }

  /// Inputs of another shape than the file declares: what a run finds is planned with all the same.
  @Test func `what follows resized inputs is planned as the run before has found it`() throws {
    let interpreter = try Interpreter(Self.slicing())
    try interpreter.resizeInput(0, to: [6])
    for half in [2, 0, 1] {
      try interpreter.setInput(0, [0, 1, 2, 3, 4, 5] as [Float])
      try interpreter.setInput(1, [Int32(half)])
      try interpreter.invoke()
      #expect(try interpreter.output(0) == [-Float(2 * half), -Float(2 * half + 1)])
    }
    #expect(Self.kinds(interpreter) == ["computed", "deferred", "computed"])
  }

  /// A variable gets what a branch gives, of four floats or of eight; then it is read.
  @Test(arguments: [KernelSet.optimized, .reference])
  func `a variable that changes its shape is read as it is`(kernels: KernelSet) throws {
    var (model, branch) = Self.branching(declared: [4])
    let (handle, read, output) = (
      model.tensor([], .resource), model.tensor([]), model.tensor([])
    )
    model.node(.varHandle, [], [handle], options: (111, [1: .string("state")]))
    model.node(.assignVariable, [handle, branch], [])
    model.node(.readVariable, [handle], [read])
    model.node(.neg, [read], [output])
    model.graphs[0].outputs = [output]
    var options = Interpreter.Options()
    options.kernels = kernels
    let interpreter = try Interpreter(model.loaded(), options: options)
    for (round, takesFirst) in [true, true, true, false, false, true, false, true].enumerated() {
      let values = (0..<4).map { Float($0 + round) }
      try interpreter.setInput(0, [BoolByte(takesFirst)])
      try interpreter.setInput(1, values)
      try interpreter.invoke()
      let expected = takesFirst ? values : (values + values).map { -$0 }
      #expect(try interpreter.output(0) == expected)
    }
  }

  @Test func `inputs set before a run stay where the plan changes`() throws {
    let interpreter = try Interpreter(Self.model())
    try Self.expect(interpreter, takesFirst: true)
    try Self.expect(interpreter, takesFirst: false)
    // Only the condition is set again; the vector has the values of the run before.
    try interpreter.setInput(0, [BoolByte(true)])
    try interpreter.invoke()
    #expect(try interpreter.output(0) == [1, 2, 3, 4] as [Float])
  }

  /// The file says that four come, which cannot be added to eight; eight come.
  @Test func `a graph that the declared shapes do not fit is planned without them`() throws {
    var (model, branch) = Self.branching(declared: [4])
    let zeros = model.tensor([8], bytes: Array(repeating: 0, count: 32))
    let sum = model.tensor([8])
    model.node(.add, [branch, zeros], [sum], options: (11, [:]))
    model.graphs[0].outputs = [sum]
    let interpreter = try Interpreter(model.loaded())
    for _ in 0..<2 {
      try interpreter.setInput(0, [BoolByte(false)])
      try interpreter.setInput(1, [1, 2, 3, 4] as [Float])
      try interpreter.invoke()
      #expect(try interpreter.output(0) == [1, 2, 3, 4, 1, 2, 3, 4] as [Float])
    }
  }

  /// The file says that there is more than memory may be taken; four come.
  @Test(arguments: [[1 << 29], [1 << 15, 1 << 15], [0, 1 << 30, 4]])
  func `a shape too large to be true is not planned with`(declared: [Int]) throws {
    var (model, branch) = Self.branching(declared: declared)
    let output = model.tensor([4])
    model.node(.neg, [branch], [output])
    model.graphs[0].outputs = [output]
    let interpreter = try Interpreter(model.loaded())
    try interpreter.setInput(0, [BoolByte(true)])
    try interpreter.setInput(1, [1, 2, 3, 4] as [Float])
    try interpreter.invoke()
    #expect(try interpreter.output(0) == [1, 2, 3, 4] as [Float])
  }

  /// y = variable + x, variable ← y.
  @Test func `what is read of a variable is planned like any other tensor`() throws {
    var model = DrawnModel()
    let (input, handle) = (model.tensor([3]), model.tensor([], .resource))
    let (read, sum) = (model.tensor([3]), model.tensor([3]))
    let first = model.tensor([], .resource)
    model.node(.callOnce, [], [], options: (103, [0: .int(Int32(1))]))
    model.node(.varHandle, [], [handle], options: (111, [1: .string("state")]))
    model.node(.readVariable, [handle], [read])
    model.node(.add, [read, input], [sum], options: (11, [:]))
    model.node(.varHandle, [], [first], options: (111, [1: .string("state")]))
    model.node(.assignVariable, [first, sum], [])
    (model.graphs[0].inputs, model.graphs[0].outputs) = ([input], [sum])
    model.graphs.append(DrawnModel.Graph())
    let zeros = model.tensor([3], bytes: Array(repeating: 0, count: 12), graph: 1)
    let own = model.tensor([], .resource, graph: 1)
    model.node(.varHandle, [], [own], options: (111, [1: .string("state")]), graph: 1)
    model.node(.assignVariable, [own, zeros], [], graph: 1)
    let loaded = try model.loaded()
    let interpreters = [try Interpreter(loaded), try Interpreter(loaded)]
    for (index, interpreter) in interpreters.enumerated() {
      for count in 1...4 {
        try interpreter.setInput(0, [1, Float(index), -1])
        try interpreter.invoke()
        let expected = [Float(count), Float(count * index), Float(-count)]
        #expect(try interpreter.output(0) == expected)
      }
      #expect(
        Self.kinds(interpreter)
          == ["deferred", "folded", "deferred", "computed", "folded", "deferred"])
    }
  }
}

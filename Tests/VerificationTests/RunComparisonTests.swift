// SPDX-License-Identifier: Apache-2.0

import Martlet
import Npy
import ReferenceKernels
import RunComparisons
import Tensors
import TestSupport
import Testing
import Traces

/// Comparing runs.
@Suite struct RunComparisonTests {
  private static func options(_ kernels: KernelSet) -> Interpreter.Options {
    var options = Interpreter.Options()
    options.kernels = kernels
    return options
  }

  /// Runs a model with two sets of kernels on the same inputs.
  private static func comparison(
    of model: Model, _ reference: KernelSet, _ kernels: KernelSet,
    _ isolation: ComparisonOptions.Isolation
  ) throws -> RunComparison {
    let run = try RecordedRun(of: try interpreter(of: model, options: options(reference)))
    let other = try Interpreter(model, options: options(kernels))
    #expect(try other.setInputs(from: run).isEmpty)
    var settings = ComparisonOptions()
    settings.isolation = isolation
    return try other.compared(with: run, options: settings)
  }

  @Test(arguments: ["int8", "uint8", "int16x8", "float32", "dynamic", "float16", "int8_float_io"])
  func `optimized kernels are the reference's equals, together and one by one`(format: String)
    throws
  {
    let comparison = try Self.comparison(
      of: try RepositoryModels.digits(format), .reference, .optimized, .every)
    #expect(comparison.unpairedCount == 0)
    for tensor in comparison.tensors {
      #expect(tensor.isolated?.isExcessive == false, "\(format) \(tensor.node): \(tensor)")
      #expect(tensor.note == nil)
      // Floats that differ in the last bit may move a quantized value further on.
      if format.contains("int") { #expect(tensor.cumulative?.differingCount == 0) }
    }
    #expect(comparison.culprit == nil)
  }

  struct Planted: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let node: Int
    let kernels: KernelSet
    let position: Int
  }

  static func planted() -> [Planted] {
    let rows: [(String, Int, Int, @Sendable (KernelSet, Int) -> KernelSet)] = [
      ("the first convolution", 0, 9, { $0.erring(filter: [24, 3, 3, 3], at: $1) }),
      ("a convolution in the middle", 6, 100, { $0.erring(filter: [48, 1, 1, 24], at: $1) }),
      ("an addition behind it", 9, 0, { $0.erring(sum: [1, 8, 8, 48], at: $1) }),
      ("the last convolution", 12, 1535, { $0.erring(filter: [96, 1, 1, 48], at: $1) }),
    ]
    return rows.flatMap { name, node, position, erring in
      [KernelSet.reference, .optimized].map { set in
        Planted(
          testDescription: "\(name), \(set.name) kernels", node: node,
          kernels: erring(set, position), position: position)
      }
    }
  }

  @Test(arguments: planted())
  func `a planted error is named`(row: Planted) throws {
    let model = try RepositoryModels.digits("int8")
    let found = try Self.comparison(of: model, .reference, row.kernels, .firstCulprit)
    let culprit = try #require(found.culprit)
    #expect(culprit.isConfirmed)
    let tensor = found.tensors[culprit.tensor]
    #expect(tensor.node == row.node)
    #expect(tensor.isolated?.differingCount == 1 && tensor.isolated?.maximumQuanta == 1)
    #expect(tensor.isolated?.worst?.position == row.position)
    #expect(found.firstDifference(.cumulative) == culprit.tensor)
    // Nodes behind it were not computed alone any more.
    #expect(found.tensors[(culprit.tensor + 1)...].allSatisfy { $0.isolated == nil })

    let every = try Self.comparison(of: model, .reference, row.kernels, .every)
    for tensor in every.tensors {
      #expect((tensor.isolated?.differingCount ?? -1) == (tensor.node == row.node ? 1 : 0))
    }
    // What comes before is the same, and what follows is not.
    for tensor in every.tensors where tensor.node < row.node {
      #expect(tensor.cumulative?.differingCount == 0)
    }
  }

  @Test func `an error in the body of a loop is named in its first round`() throws {
    let model = try Goldens.model("WHILE/i32_rounds_7")
    let first = try Interpreter(model)
    try first.setInput(0, [Int32(0)])
    try first.setInput(1, [Int32(1), 2, 3, 4])
    let run = try RecordedRun(of: first)
    let other = try Interpreter(
      model, options: Self.options(.reference.erring(count: [2, 2])))
    #expect(try other.setInputs(from: run).isEmpty)
    var settings = ComparisonOptions()
    settings.isolation = .every
    let comparison = try other.compared(with: run, options: settings)
    let culprit = try #require(comparison.culprit)
    let tensor = comparison.tensors[culprit.tensor]
    #expect(culprit.isConfirmed)
    #expect(tensor.location == TensorLocation(subgraph: 2, invocation: 0, tensor: 4))
    #expect(tensor.node == 1)
    // The body errs in each of the seven rounds, the condition in none.
    let erring = comparison.tensors.filter { $0.isolated?.isExcessive == true }
    #expect(erring.map(\.location.invocation) == Array(0..<7))
    #expect(erring.allSatisfy { $0.location.subgraph == 2 && $0.node == 1 })
    let loop = comparison.tensors.filter { $0.operatorName == "WHILE" }
    #expect(loop.count == 2 && loop.allSatisfy { $0.isolated == nil && $0.note != nil })
    #expect(loop[1].cumulative?.isExcessive == true)
  }

  @Test func `the other rounding is found in kernels that round, and only there`() throws {
    let model = try RepositoryModels.digits("int8")
    let run = try RecordedRun(of: try interpreter(of: model))
    var options = Interpreter.Options()
    options.rounding = .single
    let other = try Interpreter(model, options: options)
    _ = try other.setInputs(from: run)
    var settings = ComparisonOptions()
    settings.isolation = .every
    let comparison = try other.compared(with: run, options: settings)
    for tensor in comparison.tensors {
      #expect(try #require(tensor.isolated?.maximumQuanta) <= 1)
      if tensor.operatorName == "MAX_POOL_2D" { #expect(tensor.isolated?.differingCount == 0) }
    }
    #expect(comparison.culprit != nil)
  }

  /// An interpreter whose input is an image much like those that the model was trained on: a dark
  /// bar on a light ground.
  private static func image(_ model: Model) throws -> Interpreter {
    let interpreter = try Interpreter(model)
    try interpreter.setInput(
      0,
      (0..<32 * 32 * 3).map { location -> Float in
        let (row, column) = (location / 96, location / 3 % 32)
        return (6..<26).contains(row) && (13..<18).contains(column) ? 0.15 : 0.9
      })
    return interpreter
  }

  @Test func `a float model and its quantized form are paired throughout`() throws {
    let reference = try RepositoryModels.digits("float32")
    let run = try RecordedRun(of: try Self.image(reference))
    var options = Interpreter.Options()
    options.keepsAllTensors = true
    let quantized = try Interpreter(try RepositoryModels.digits("int8"), options: options)
    #expect(try quantized.setInputs(from: run).isEmpty)
    var settings = ComparisonOptions()
    settings.isolation = .every
    let comparison = try quantized.compared(with: run, options: settings)
    #expect(comparison.unpairedCount == 0 && comparison.tensors.count == 17)
    for tensor in comparison.tensors {
      #expect(tensor.referenceType?.elementType == .float32)
      #expect(tensor.cumulative?.maximumQuanta == nil)
      let alone = try #require(tensor.isolated?.signalToNoise)
      #expect(alone > 15, "node \(tensor.node)")
    }
    // Errors add up: the sum of all nodes' own ones is less than what the end shows.
    let last = try #require(comparison.tensors.dropLast().last)
    #expect(
      try #require(last.isolated?.signalToNoise) > #require(last.cumulative?.signalToNoise))
  }

  @Test func `tensors of other names are paired by position`() throws {
    let reference = try RepositoryModels.digits("float32")
    let run = try RecordedRun(of: try interpreter(of: reference, seed: 3))
    let named = try Interpreter(try RepositoryModels.digits("int8"))
    _ = try named.setInputs(from: run)
    let expected = try named.compared(with: run)

    let renamed = try Interpreter(
      try RepositoryModels.digits("int8", replacing: "functional_1", by: "otherwise_99"))
    #expect(try renamed.setInputs(from: run).isEmpty)
    let comparison = try renamed.compared(with: run)
    #expect(comparison.unpairedCount == 0)
    #expect(comparison.tensors[3].name == "otherwise_99/add_1/Add")
    #expect(comparison.tensors.map(\.cumulative) == expected.tensors.map(\.cumulative))
  }

  @Test func `arrays are found by trace name, tensor name and index`() throws {
    let model = try RepositoryModels.digits("int8")
    let traced = try interpreter(of: model)
    let sink = TraceTests.Sink()
    let writer = sink.writer()
    let trace = try traced.trace(into: writer)
    try writer.finish()
    let file = try NpzFile(parsing: sink.bytes)
    let namings: [@Sendable (Trace.Tensor) -> String] = [
      { $0.arrayName ?? "" }, { $0.name }, { "tensor_\($0.location.tensor)" },
      { "\($0.location.tensor)" },
      // The same model with other indices.
      {
        TraceName(
          TensorLocation(subgraph: 0, invocation: 0, tensor: 1000 + $0.location.tensor),
          tensorName: $0.name
        ).text
      },
    ]
    for naming in namings {
      let arrays = try trace.tensors.map { tensor in
        (name: naming(tensor), array: try #require(try file.array(tensor.arrayName ?? "")))
      }
      let run = RecordedRun(try NpzFile(parsing: try NpzArchive(arrays).encoded()))
      let other = try Interpreter(model)
      #expect(try other.setInputs(from: run).isEmpty)
      let comparison = try other.compared(with: run)
      #expect(comparison.unpairedCount == 0)
      #expect(comparison.firstDifference(.cumulative) == nil)
      #expect(comparison.worst(.cumulative) == nil)
    }
    let nothing = RecordedRun(
      try NpzFile(parsing: try NpzArchive([(name: "x", array: try NpyArray([1.0]))]).encoded()))
    let other = try interpreter(of: model)
    #expect(try other.setInputs(from: nothing) == [0])
    #expect(throws: ComparisonError.self) { _ = try other.compared(with: nothing) }
  }
}

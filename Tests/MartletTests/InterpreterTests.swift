// SPDX-License-Identifier: Apache-2.0

import Martlet
import SeededRandom
import TestSupport
import Testing

@Suite struct InterpreterTests {
  /// An image of noise for the bundled int8 model.
  static let pixels: [Int8] = {
    var random = SeededRandom(seed: 7)
    return (0..<32 * 32 * 3).map { _ in Int8(truncatingIfNeeded: random.next()) }
  }()

  static func run(_ interpreter: Interpreter) throws -> [Int8] {
    try interpreter.setInput(0, pixels)
    try interpreter.invoke()
    return try interpreter.output(0, as: Int8.self)
  }

  @Test func `scores of a run are read raw and as real numbers`() throws {
    let interpreter = try Interpreter(TestModels.digits("int8"))
    #expect(
      interpreter.inputs.map(\.type) == [
        TensorType(.int8, [1, 32, 32, 3], quantization: interpreter.inputs[0].type?.quantization)
      ])
    let codes = try Self.run(interpreter)
    let scores = try interpreter.dequantizedOutput(0)
    #expect(codes.count == 10)
    // Softmax outputs have scale 1/256 and zero point -128.
    #expect(scores == codes.map { (Float($0) + 128) / 256 })
    #expect(try interpreter.outputBytes(0) == codes.map(UInt8.init(bitPattern:)))
  }

  /// The input's scale is 1/255 and its zero point -128, so 0.2 is 51 steps: quantized value -77.
  @Test func `real inputs are quantized by the input's own scale`() throws {
    let interpreter = try Interpreter(TestModels.digits("int8"))
    let name = interpreter.inputs[0].name
    #expect(interpreter.inputPosition(named: name) == 0)
    #expect(interpreter.outputPosition(named: "no such tensor") == nil)
    var values = [Float](repeating: 0.2, count: 32 * 32 * 3)
    values[0] = -.infinity
    values[1] = 2
    values[2] = .nan
    try interpreter.setInput(0, quantizing: values)
    let codes = try interpreter.withInput(0, as: Int8.self) { span in
      [span[0], span[1], span[2], span[3]]
    }
    #expect(codes == [-128, 127, -128, -77])
    #expect(throws: InferenceError.self) { try interpreter.setInput(0, quantizing: [1]) }
  }

  @Test func `interpreters of one model do not disturb each other`() async throws {
    let model = try TestModels.digits("int8")
    let expected = try Self.run(Interpreter(model))
    try await withThrowingTaskGroup(of: [Int8].self) { group in
      for _ in 0..<8 { group.addTask { try Self.run(Interpreter(model)) } }
      for try await scores in group { #expect(scores == expected) }
    }
  }

  @Test func `the names of a model's only signature are known without it`() throws {
    let interpreter = try Interpreter(TestModels.digits("int8"))
    for name in ["serving_default_picture:0", "picture"] {
      #expect(interpreter.inputPosition(named: name) == 0)
      #expect(interpreter.outputPosition(named: name) == nil)
    }
    #expect(interpreter.outputPosition(named: "output_0") == 0)
    #expect(interpreter.inputPosition(named: "output_0") == nil)
  }

  @Test(arguments: [false, true], [KernelSet.reference, .optimized])
  func `observers and kept tensors change nothing`(keeps: Bool, kernels: KernelSet) throws {
    let model = try TestModels.digits("int8")
    let expected = try Self.run(Interpreter(model))
    var options = Interpreter.Options()
    options.keepsAllTensors = keeps
    options.kernels = kernels
    let interpreter = try Interpreter(model, options: options)
    let observer = Recorder()
    interpreter.observers = [observer]
    #expect(try Self.run(interpreter) == expected)
    #expect(observer.names.first == "CONV_2D")
    #expect(observer.names.last == "SOFTMAX")
    #expect(observer.nodes == Array(0..<observer.nodes.count))
  }

  @Test(arguments: ["float32", "int8", "dynamic", "uint8"], [2, 3, 8])
  func `threads change nothing`(format: String, threadCount: Int) throws {
    let model = try TestModels.digits(format)
    func bytes(threadCount: Int) throws -> [UInt8] {
      var options = Interpreter.Options()
      options.threadCount = threadCount
      let interpreter = try Interpreter(model, options: options)
      try interpreter.prepare()
      var random = SeededRandom(seed: 3)
      let byteCount = interpreter.inputs[0].type?.byteCount ?? 0
      // Bytes of floats between 0 and 1, or of quantized values.
      let input: [UInt8] =
        format == "int8" || format == "uint8"
        ? (0..<byteCount).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        : (0..<byteCount / 4).flatMap { _ in
          let value = Float(random.next() % 1000) / 1000
          return (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(8 * $0)) }
        }
      var results: [UInt8] = []
      for _ in 0..<20 {
        try interpreter.setInput(0, bytes: input)
        try interpreter.invoke()
        results += try interpreter.outputBytes(0)
      }
      return results
    }
    #expect(try bytes(threadCount: threadCount) == bytes(threadCount: 1))
  }

  @Test(arguments: [1, 3])
  func `interpreters that pack the same weights at once agree`(threadCount: Int) async throws {
    // Its weights are enough for threads to share them.
    let model = try Model(path: TestModels.path("Models/localizer/localizer.tflite"))
    var options = Interpreter.Options()
    options.threadCount = threadCount
    let input = (0..<192 * 192 * 3).map { UInt8(truncatingIfNeeded: $0 / 7) }
    func scores(_ options: Interpreter.Options) throws -> [Float] {
      let interpreter = try Interpreter(model, options: options)
      try interpreter.setInput(0, input)
      try interpreter.invoke()
      return try interpreter.output(2, as: Float.self)
    }
    let expected = try scores(Interpreter.Options())
    let all = try await withThrowingTaskGroup(of: [Float].self) { [options] group in
      for _ in 0..<4 { group.addTask { try scores(options) } }
      return try await group.reduce(into: [[Float]]()) { $0.append($1) }
    }
    #expect(all.allSatisfy { $0 == expected })
  }

  @Test func `a run on a thread of its own gives the same`() async throws {
    let model = try TestModels.digits("int8")
    let expected = try Self.run(Interpreter(model))
    let interpreter = try Interpreter(model)
    try interpreter.setInput(0, Self.pixels)
    try await interpreter.invoke()
    let scores = try interpreter.output(0, as: Int8.self)
    #expect(scores == expected)
  }

  @Test func `a run on a thread of its own can be cancelled`() async throws {
    let interpreter = try Interpreter(TestModels.digits("int8"))
    let observer = Recorder()
    observer.onRecord = { [unowned interpreter] in interpreter.cancel() }
    interpreter.observers = [observer]
    try interpreter.setInput(0, Self.pixels)
    var wasCancelled = false
    do {
      try await interpreter.invoke()
    } catch let error as InferenceError {
      if case .cancelled = error.reason { wasCancelled = true }
    }
    #expect(wasCancelled)
    #expect(observer.nodes == [0])
  }

  final class Recorder: InferenceObserver {
    var names: [String] = []
    var nodes: [Int] = []
    var onRecord: () -> Void = {}

    func didEvaluate(_ record: NodeRecord) {
      names.append(record.operatorName)
      nodes.append(record.node)
      onRecord()
    }
  }

  @Test func `a cancelled run stops before its next node`() throws {
    let interpreter = try Interpreter(TestModels.digits("int8"))
    let observer = Recorder()
    observer.onRecord = { [unowned interpreter] in interpreter.cancel() }
    interpreter.observers = [observer]
    #expect(throws: InferenceError.self) { try Self.run(interpreter) }
    #expect(observer.nodes == [0])
    #expect(throws: InferenceError.self) { try interpreter.output(0, as: Int8.self) }
    interpreter.observers = []
    #expect(try Self.run(interpreter).count == 10)
  }

  @Test func `requests that do not fit the model are refused`() throws {
    let interpreter = try Interpreter(TestModels.digits("int8"))
    #expect(throws: InferenceError.self) { try interpreter.setInput(0, [1] as [Int8]) }
    #expect(throws: InferenceError.self) { try interpreter.setInput(0, [1] as [Float]) }
    #expect(throws: InferenceError.self) { try interpreter.setInput(1, Self.pixels) }
    #expect(throws: InferenceError.self) { try interpreter.setInput(-1, Self.pixels) }
    #expect(throws: InferenceError.self) { try interpreter.output(0, as: Int8.self) }
    #expect(throws: InferenceError.self) { try Interpreter(interpreter.model, signature: "none") }
    _ = try Self.run(interpreter)
    #expect(throws: InferenceError.self) { try interpreter.output(0, as: Float.self) }
    #expect(throws: InferenceError.self) { try interpreter.output(7, as: Int8.self) }
  }

  @Test func `an input of another shape changes what follows`() throws {
    let interpreter = try Interpreter(Goldens.model("ABS/f32_typical"))
    try interpreter.resizeInput(0, to: [2, 2])
    try interpreter.setInput(0, [-1, 2, -3, 4] as [Float])
    try interpreter.invoke()
    #expect(try interpreter.outputType(0).shape == [2, 2])
    #expect(try interpreter.output(0, as: Float.self) == [1, 2, 3, 4])
  }

  @Test func `a shape that the graph refuses names the operator`() throws {
    let interpreter = try Interpreter(TestModels.digits("int8"))
    try interpreter.resizeInput(0, to: [1, 32, 32, 4])
    let error = #expect(throws: InferenceError.self) { try interpreter.prepare() }
    #expect(error?.path.contains(.operator(0, name: "CONV_2D")) == true)
  }

  @Test func `memory beyond the limit is refused before it is taken`() throws {
    var options = Interpreter.Options()
    options.limits = Limits(arenaByteCount: 1000)
    let interpreter = try Interpreter(TestModels.digits("int8"), options: options)
    let error = #expect(throws: InferenceError.self) { try interpreter.prepare() }
    guard case .memoryLimit = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `one's own operator goes before the built-in one of its name`() throws {
    var options = Interpreter.Options()
    options.customOperators.register("TFLite_Detection_PostProcess") { _ in Refusing() }
    let model = try Goldens.model("TFLite_Detection_PostProcess/f32_fast")
    let error = #expect(throws: InferenceError.self) {
      try Interpreter(model, options: options).prepare()
    }
    guard case .kernel(let reason) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.reason == "not today")
  }

  private struct Refusing: Operator {
    func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
      throw .invalid("not today")
    }
  }
}

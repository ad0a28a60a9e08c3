// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import Martlet
import TensorFlowLite
import TestSupport
import Testing

typealias Interpreter = TensorFlowLite.Interpreter

/// TensorFlow Lite interpreter.
@Suite struct InterpreterTests {
  private static let pixelBytes = 32 * 32 * 3 * 4

  private func makeInterpreter(_ format: String = "float32") throws -> Interpreter {
    try Interpreter(modelPath: digits(format))
  }

  @Test func `a model runs as the guides show`() throws {
    let interpreter = try makeInterpreter()
    try interpreter.allocateTensors()
    try interpreter.copy(floats(0.5, count: 32 * 32 * 3), toInputAt: 0)
    try interpreter.invoke()
    let output = try interpreter.output(at: 0)
    #expect(output.name == "StatefulPartitionedCall_1:0")
    #expect(output.dataType == .float32)
    #expect(output.shape == [1, 10])
    #expect(output.shape.rank == 2)
    #expect(output.data.count == 40)
    #expect(output.quantizationParameters == nil)
    let scores = values(of: output.data)
    #expect(abs(scores.reduce(0, +) - 1) < 1e-5)
  }

  @Test func `the façade gives what the engine gives, bit for bit`() throws {
    let pixels = floats(0.25, count: 32 * 32 * 3)
    let interpreter = try makeInterpreter()
    try interpreter.allocateTensors()
    try interpreter.copy(pixels, toInputAt: 0)
    try interpreter.invoke()
    let engine = try Martlet.Interpreter(Model(path: digits("float32")))
    try engine.setInput(0, bytes: [UInt8](pixels))
    try engine.invoke()
    #expect(try interpreter.output(at: 0).data == Data(engine.outputBytes(0)))
  }

  @Test func `int8 inputs and outputs have a data type here`() throws {
    let interpreter = try makeInterpreter("int8")
    try interpreter.allocateTensors()
    let input = try interpreter.input(at: 0)
    #expect(input.dataType == .int8)
    #expect(input.shape.dimensions == [1, 32, 32, 3])
    let parameters = try #require(input.quantizationParameters)
    #expect(parameters.zeroPoint == -128)
    #expect(abs(parameters.scale - 1 / 255) < 1e-4)
  }

  @Test func `why a model cannot be loaded is told on standard error, without options too`() throws
  {
    let printed = try StandardError.printed {
      #expect(throws: InterpreterError.failedToLoadModel) {
        try Interpreter(modelPath: "/none/model.tflite")
      }
      #expect(throws: InterpreterError.failedToCreateInterpreter) {
        try Interpreter(modelData: Data("<html>no model</html>".utf8))
      }
    }
    #expect(printed.contains("TensorFlow Lite Error: "))
    #expect(printed.contains("/none/model.tflite"), "\(printed)")
    #expect(printed.contains("not a TensorFlow Lite model"), "\(printed)")
  }

  @Test func `models come from data too`() throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: digits("int8")))
    let interpreter = try Interpreter(modelData: bytes)
    #expect(interpreter.inputTensorCount == 1)
    #expect(interpreter.outputTensorCount == 1)
    #expect(interpreter.signatureKeys == ["serving_default"])
    #expect(interpreter.options == nil)
    #expect(interpreter.delegates == nil)
  }

  @Test(arguments: ["", "/no/such/file.tflite", #filePath])
  func `files that are no models fail to load`(path: String) {
    #expect(throws: InterpreterError.failedToLoadModel) { try Interpreter(modelPath: path) }
  }

  @Test func `bytes that are no model fail when the interpreter is made`() {
    for bytes in [Data(), Data([1, 2, 3]), Data(count: 4096)] {
      #expect(throws: InterpreterError.failedToCreateInterpreter) {
        try Interpreter(modelData: bytes)
      }
    }
  }

  @Test func `a model with an operator that does not exist fails when the interpreter is made`()
    throws
  {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: digits("float32")))
    // SOFTMAX has code 25; of the bytes that are 25, one is its entry in the table of codes.
    let changed = bytes.indices.lazy.filter { bytes[$0] == 25 }.map { location in
      var changed = bytes
      changed[location] = 127
      return changed
    }
    let model = try #require(changed.first(where: needsUnknownOperator))
    #expect(throws: InterpreterError.failedToCreateInterpreter) {
      try Interpreter(modelData: model)
    }
  }

  /// Whether the bytes are a model that needs an operator without a kernel.
  private func needsUnknownOperator(_ bytes: Data) -> Bool {
    guard let model = try? Model(bytes: [UInt8](bytes)) else { return false }
    do {
      try Martlet.Interpreter(model).prepare()
      return false
    } catch {
      guard case .unsupportedOperator = error.reason else { return false }
      return true
    }
  }

  @Test func `before allocation nothing can be read, written or run`() throws {
    let interpreter = try makeInterpreter()
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
    #expect(throws: InterpreterError.invokeInterpreterRequired) { try interpreter.output(at: 0) }
    #expect(throws: InterpreterError.allocateTensorsRequired) {
      try interpreter.copy(Data(count: Self.pixelBytes), toInputAt: 0)
    }
  }

  @Test func `after allocation, outputs can be read before the first run`() throws {
    let interpreter = try makeInterpreter()
    try interpreter.allocateTensors()
    #expect(try interpreter.output(at: 0).data.count == 40)
  }

  @Test(arguments: [-1, 1, Int.max, Int.min])
  func `indices out of range are named`(index: Int) throws {
    let interpreter = try makeInterpreter()
    try interpreter.allocateTensors()
    let wanted = InterpreterError.invalidTensorIndex(index: index, maxIndex: 0)
    #expect(throws: wanted) { try interpreter.input(at: index) }
    #expect(throws: wanted) { try interpreter.output(at: index) }
    #expect(throws: wanted) { try interpreter.copy(Data(), toInputAt: index) }
    #expect(throws: wanted) { try interpreter.resizeInput(at: index, to: [1]) }
    #expect(wanted.description == "Invalid tensor index \(index), max index is 0.")
  }

  @Test func `the number of bytes must be the input's, even before allocation`() throws {
    let interpreter = try makeInterpreter()
    #expect(
      throws: InterpreterError.invalidTensorDataCount(provided: 3, required: Self.pixelBytes)
    ) { try interpreter.copy(Data(count: 3), toInputAt: 0) }
  }

  @Test func `a resize loses the memory unless the shape stays`() throws {
    let interpreter = try makeInterpreter()
    try interpreter.allocateTensors()
    try interpreter.resizeInput(at: 0, to: [1, 32, 32, 3])
    #expect(try interpreter.input(at: 0).data.count == Self.pixelBytes)
    try interpreter.resizeInput(at: 0, to: Tensor.Shape(2, 32, 32, 3))
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.input(at: 0) }
    #expect(throws: InterpreterError.allocateTensorsRequired) { try interpreter.invoke() }
    try interpreter.allocateTensors()
    #expect(try interpreter.input(at: 0).data.count == 2 * Self.pixelBytes)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).shape == [2, 10])
  }

  @Test func `shapes that the graph cannot take fail when memory is allocated, with the reason`()
    throws
  {
    let interpreter = try makeInterpreter()
    try interpreter.resizeInput(at: 0, to: [1, 32, 32])
    #expect(throws: InterpreterError.failedToAllocateTensors) { try interpreter.allocateTensors() }
    #expect(interpreter.failureDescription?.contains("CONV_2D") == true)
    #expect(throws: InterpreterError.failedToResizeInputTensor(index: 0)) {
      try interpreter.resizeInput(at: 0, to: [1, -32, 32, 3])
    }
  }

  @Test(arguments: [nil, -3, 0, 1, 2, 64])
  func `threads and the XNNPACK flag change nothing`(threadCount: Int?) throws {
    var options = Interpreter.Options()
    options.threadCount = threadCount
    options.isXNNPackEnabled = true
    let interpreter = try Interpreter(modelPath: digits("int8"), options: options, delegates: [])
    try interpreter.allocateTensors()
    try interpreter.copy(Data(repeating: 17, count: 32 * 32 * 3), toInputAt: 0)
    try interpreter.invoke()
    let plain = try makeInterpreter("int8")
    try plain.allocateTensors()
    try plain.copy(Data(repeating: 17, count: 32 * 32 * 3), toInputAt: 0)
    try plain.invoke()
    #expect(try interpreter.output(at: 0) == plain.output(at: 0))
    #expect(interpreter.options == options)
  }

  @Test func `errors say what the original says`() {
    let rows: [(InterpreterError, String)] = [
      (
        .invalidTensorDataCount(provided: 1, required: 2),
        "Provided data count 1 must match the required count 2."
      ),
      (
        .invalidTensorDataType,
        "Tensor data type is unsupported or could not be determined due to a model error."
      ),
      (.failedToLoadModel, "Failed to load the given model."),
      (.failedToCreateInterpreter, "Failed to create the interpreter."),
      (.failedToResizeInputTensor(index: 3), "Failed to resize input tensor at index 3."),
      (.failedToCopyDataToInputTensor, "Failed to copy data to input tensor."),
      (.failedToAllocateTensors, "Failed to allocate memory for input tensors."),
      (.allocateTensorsRequired, "Must call allocateTensors()."),
      (.invokeInterpreterRequired, "Must call invoke()."),
      (.tensorFlowLiteError("why"), "TensorFlow Lite Error: why"),
    ]
    for (error, text) in rows {
      #expect(error.description == text)
      #expect(error.localizedDescription == text)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import TensorFlowLite
import TestSupport
import Testing

/// TensorFlow Lite signatures.
@Suite struct SignatureRunnerTests {
  private func makeRunner() throws -> SignatureRunner {
    try Interpreter(modelPath: digits("float32")).signatureRunner(with: "serving_default")
  }

  @Test func `a signature runs by the names of its inputs and outputs`() throws {
    let runner = try makeRunner()
    #expect(runner.signatureKey == "serving_default")
    #expect(runner.inputs == ["picture"])
    #expect(runner.outputs == ["output_0"])
    try runner.invoke(with: ["picture": floats(0.5, count: 32 * 32 * 3)])
    let output = try runner.output(named: "output_0")
    #expect(output.shape == [1, 10])
    #expect(output.name == "StatefulPartitionedCall_1:0")
    let interpreter = try Interpreter(modelPath: digits("float32"))
    try interpreter.allocateTensors()
    try interpreter.copy(floats(0.5, count: 32 * 32 * 3), toInputAt: 0)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data == output.data)
  }

  @Test func `a key that the model does not have`() throws {
    let interpreter = try Interpreter(modelPath: digits("float32"))
    let wanted = SignatureRunnerError.failedToCreateSignatureRunner(signatureKey: "train")
    #expect(throws: wanted) { try interpreter.signatureRunner(with: "train") }
    #expect(
      wanted.description
        == "Failed to create a signature runner. Signature with key (train) not found.")
  }

  @Test func `names that the signature does not have`() throws {
    let runner = try makeRunner()
    #expect(
      throws: SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "x")
    ) { try runner.input(named: "x") }
    #expect(
      throws: SignatureRunnerError.failedToGetTensor(tensorType: "output", nameInSignature: "y")
    ) { try runner.output(named: "y") }
    #expect(
      throws: SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: "z")
    ) { try runner.invoke(with: ["z": Data()]) }
    #expect(throws: SignatureRunnerError.failedToResizeInputTensor(inputName: "x")) {
      try runner.resizeInput(named: "x", toShape: [1])
    }
  }

  @Test func `only dimensions that the model leaves open may change`() throws {
    let runner = try makeRunner()
    for shape in [Tensor.Shape([1, 64, 64, 3]), [1, 32, 32], []] {
      #expect(throws: SignatureRunnerError.failedToResizeInputTensor(inputName: "picture")) {
        try runner.resizeInput(named: "picture", toShape: shape)
      }
    }
  }

  @Test func `the batch, which the model leaves open, may change, and allocation must follow`()
    throws
  {
    let runner = try makeRunner()
    try runner.resizeInput(named: "picture", toShape: [3, 32, 32, 3])
    #expect(throws: SignatureRunnerError.allocateTensorsRequired) {
      try runner.input(named: "picture")
    }
    #expect(throws: SignatureRunnerError.allocateTensorsRequired) {
      try runner.copy(floats(0, count: 3 * 32 * 32 * 3), toInputNamed: "picture")
    }
    try runner.invoke(with: ["picture": floats(0.5, count: 3 * 32 * 32 * 3)])
    #expect(try runner.input(named: "picture").shape == [3, 32, 32, 3])
    #expect(try runner.output(named: "output_0").shape == [3, 10])
  }

  @Test func `the number of bytes must be the input's`() throws {
    let runner = try makeRunner()
    #expect(
      throws: SignatureRunnerError.invalidTensorDataCount(provided: 1, required: 32 * 32 * 12)
    ) { try runner.copy(Data(count: 1), toInputNamed: "picture") }
  }

  @Test func `errors say what the original says`() {
    let rows: [(SignatureRunnerError, String)] = [
      (
        .failedToGetTensor(tensorType: "input", nameInSignature: "x"),
        "Failed to get input tensor with input name (x)."
      ),
      (
        .failedToResizeInputTensor(inputName: "x"),
        "Failed to resize input tensor with input name (x)."
      ),
      (
        .failedToInvokeSignature(signatureKey: "k"),
        "Failed to invoke the signature runner with key (k)."
      ),
      (.failedToAllocateTensors, "Failed to allocate memory for input tensors."),
      (.allocateTensorsRequired, "Must call allocateTensors()."),
    ]
    for (error, text) in rows { #expect(error.localizedDescription == text) }
  }

  @Test(.enabled(if: PublishedModels.folder != nil, "MARTLET_TEST_MODELS names no folder"))
  func `two signatures of one model, as the original's own tests use them`() throws {
    let folder = try #require(PublishedModels.folder) + "/fixtures/fx_litert_multi_signature_def"
    let interpreter = try Interpreter(modelPath: folder + "/model.tflite")
    #expect(interpreter.signatureKeys == ["add", "sub"])
    let rows = [
      ("add", ["a": Float(2), "b": 4], "add_result", Float(6)),
      ("sub", ["x": 2, "y": 5], "sub_result", -3),
    ]
    for (key, arguments, result, expected) in rows {
      let runner = try interpreter.signatureRunner(with: key)
      #expect(Set(runner.inputs) == Set(arguments.keys))
      try runner.invoke(with: arguments.mapValues { bytes([$0]) })
      let output = try runner.output(named: result)
      #expect(output.shape == [])
      #expect(values(of: output.data) == [expected])
    }
  }
}

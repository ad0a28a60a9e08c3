// SPDX-License-Identifier: Apache-2.0

import Martlet
import TestSupport
import Testing
import Verification

/// The library product: one import gives the public parts of its modules.
struct VerificationProductTests {
  @Test func `one import records, compares, checks and explains`() throws {
    let model = try RepositoryModels.digits("int8")
    let interpreter = try Interpreter(model)
    try interpreter.prepare()
    let type = try #require(interpreter.inputs[0].type)
    let zeros = [UInt8](repeating: 0, count: try #require(type.byteCount))
    try interpreter.setInputs([(0, try NpyArray(type, tensorBytes: zeros))])

    let run = try RecordedRun(of: interpreter)
    #expect(run.isTrace)
    let trace: Trace = try interpreter.trace()
    #expect(!trace.nodes.isEmpty)
    let output = try interpreter.outputArray(0)
    #expect(output.agreement(with: output) == .exact)
    let comparison: RunComparison = try interpreter.compared(with: run)
    #expect(comparison.firstDifference(.cumulative) == nil)
    let findings: [Finding] = ModelCheck(model, at: "digits.tflite").findings
    #expect(findings.allSatisfy { $0.severity != .error })

    let explainer = try Explainer(model)
    try explainer.interpreter.setInputs([(0, try NpyArray(type, tensorBytes: zeros))])
    try explainer.run()
    let tensor = interpreter.outputs[0].index
    let explanation: Explanation = try explainer.explanation(ofTensor: tensor, at: [0, 0])
    #expect(explanation.tensor.index == tensor)
    let shadow = FloatShadow(of: explainer.interpreter)
    #expect(shadow?.tensors.isEmpty == false)
  }

  @Test func `errors of files have their type`() throws {
    let path = "/nowhere/in_0.npy"
    #expect(throws: NpyArray.LoadError.file(FileSystemError(.read, path: path, code: 2))) {
      try NpyArray(contentsOf: path)
    }
    #expect(throws: GoldenError.self) { try GoldenCase.folders(in: "/nowhere") }
  }
}

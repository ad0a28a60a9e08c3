// SPDX-License-Identifier: Apache-2.0

import Martlet
import RunComparisons
import TestSupport
import Testing

/// Float shadows.
@Suite struct FloatShadowTests {
  private func shadow(_ model: Model) throws -> FloatShadow? {
    var options = Interpreter.Options()
    options.keepsAllTensors = true
    let interpreter = try interpreter(of: model, options: options)
    if interpreter.inputs[0].type?.elementType == .float32 {
      // Images lie between 0 and 1; what is beyond would saturate.
      try interpreter.setInput(0, (0..<32 * 32 * 3).map { Float($0 * 37 % 256) / 255 })
    }
    try interpreter.invoke()
    return FloatShadow(of: interpreter)
  }

  @Test func `a model without quantized tensors has none`() throws {
    #expect(try shadow(RepositoryModels.digits("float32")) == nil)
  }

  @Test(arguments: [("int8", 25.0), ("uint8", 25.0), ("int16x8", 40.0)])
  func `each layer is near to its shadow, and nearer the finer its codes are`(
    format: String, least: Double
  ) throws {
    let shadow = try #require(try shadow(RepositoryModels.digits(format)))
    #expect(shadow.tensors.count >= 17)
    for tensor in shadow.tensors {
      #expect(tensor.note == nil)
      let ratio = try #require(tensor.isolated?.signalToNoise)
      #expect(ratio > least, "node \(tensor.node)")
    }
  }

  @Test func `what a node does alone is no more than what has added up`() throws {
    let shadow = try #require(try shadow(RepositoryModels.digits("int8")))
    let last = try #require(shadow.tensors.last { $0.node == 15 })
    let (own, all) = (last.isolated?.meanSquare ?? 0, last.cumulative?.meanSquare ?? 0)
    #expect(own > 0 && own < all)
    #expect(shadow.tensors[0].isolated == shadow.tensors[0].cumulative)
  }

  @Test func `formats are passed on by nodes that change them`() throws {
    let shadow = try #require(try shadow(RepositoryModels.digits("int8_float_io")))
    // The first node quantizes the given numbers: that it does is its error.
    #expect((shadow.tensors[0].isolated?.differingCount ?? 0) > 0)
    #expect((shadow.tensors.last?.isolated?.maximum ?? 1) == 0)
  }

  @Test func `a sum is that of the real numbers`() throws {
    let model = try Goldens.model("ADD/i16_q_both")
    var options = Interpreter.Options()
    options.keepsAllTensors = true
    let interpreter = try interpreter(of: model, options: options)
    try interpreter.invoke()
    let shadow = try #require(FloatShadow(of: interpreter))
    let output = try #require(shadow.tensors.first)
    let scale = try #require(interpreter.outputs[0].type?.quantization?.perTensor?.scale)
    #expect((output.isolated?.maximum ?? 1) <= Double(scale) * 1.01)
  }
}

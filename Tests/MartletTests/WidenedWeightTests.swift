// SPDX-License-Identifier: Apache-2.0

import Martlet
import Tensors
import Testing

@Suite struct WidenedWeightTests {
  /// The bytes that forms of the model's weights take.
  private static func packedByteCount(_ model: Model) throws -> Int {
    let anything = try #require(TensorBytes(model.storage, offset: 0, byteCount: 1))
    return try #require(model.weights.memory(for: anything)).takenByteCount
  }

  @Test(arguments: ["float16", "float32"])
  func `interpreters of a model share its packed weights`(format: String) throws {
    let model = try TestModels.digits(format)
    let first = try Interpreter(model)
    try first.prepare()
    let byteCount = try Self.packedByteCount(model)
    #expect(byteCount > 0)
    let second = try Interpreter(model)
    try second.prepare()
    #expect(try Self.packedByteCount(model) == byteCount)
  }

  @Test func `reference kernels read widened weights`() throws {
    let model = try TestModels.digits("float16")
    var options = Interpreter.Options()
    options.kernels = .reference
    let (fast, plain) = (try Interpreter(model), try Interpreter(model, options: options))
    for interpreter in [fast, plain] { try interpreter.invoke() }
    let found = try fast.output(0, as: Float.self)
    let expected = try plain.output(0, as: Float.self)
    #expect(found.count == expected.count && !found.isEmpty)
    for (one, other) in zip(found, expected) { #expect(abs(one - other) < 1e-5) }
  }
}

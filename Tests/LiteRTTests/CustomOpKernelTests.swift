// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiteRT
import Testing

/// Operators that a program brings.
@Suite struct CustomOpKernelTests {
  /// The path of a model of the custom operator `Mish` on eight floats.
  private var mish: String {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    return tests.appendingPathComponent("../../Examples/CustomOperator/mish.tflite").path
  }

  /// What `Mish` is not, but easy to check: the double of its input.
  private struct Doubled: CustomOpKernel {
    init(options: [UInt8]) throws {
      guard !options.isEmpty else { throw LiteRtError.invalidArgument }
    }

    func outputLayouts(_ inputs: [Layout], outputCount: Int) throws -> [Layout] {
      [Layout](repeating: inputs[0], count: outputCount)
    }

    func run(_ inputs: [TensorBuffer], _ outputs: [TensorBuffer]) throws {
      let values: [Float] = try inputs[0].read()
      try outputs[0].write(values.map { 2 * $0 })
    }
  }

  private func compiled(_ options: Options) throws -> CompiledModel {
    try options.setHardwareAccelerators([.cpu])
    return try CompiledModel(filePath: mish, environment: Environment(), options: options)
  }

  private func run(_ model: CompiledModel) throws -> [Float] {
    let inputs = try model.createInputBuffers()
    try inputs[0].write([1, 2, 3, 4, 5, 6, 7, 8] as [Float])
    return try model.run(inputs: inputs)[0].read()
  }

  @Test func `an operator as a type`() throws {
    let options = try Options()
    options.addCustomOpKernel(name: "Mish", Doubled.self)
    #expect(try run(compiled(options)) == [2, 4, 6, 8, 10, 12, 14, 16])
  }

  @Test func `an operator as functions`() throws {
    let options = try Options()
    var kernel = LiteRtCustomOpKernel()
    try unsafe options.addCustomOpKernel(name: "Mish", version: 1, kernel: &kernel)
    #expect(throws: LiteRtError.runtimeFailure) { try run(compiled(options)) }
    kernel.initialize = { options in #expect(!options.isEmpty) }
    kernel.outputLayouts = { inputs, count in
      #expect(count == 1)
      return inputs
    }
    kernel.run = { inputs, outputs in
      let values: [Float] = try inputs[0].read()
      try outputs[0].write(values.map { $0 + 1 })
    }
    try unsafe options.addCustomOpKernel(name: "Mish", version: 1, kernel: &kernel)
    #expect(try run(compiled(options)) == [2, 3, 4, 5, 6, 7, 8, 9])
    kernel.run = { _, _ in throw LiteRtError.timeoutExpired }
    try unsafe options.addCustomOpKernel(name: "Mish", version: 1, kernel: &kernel)
    let failing = try compiled(options)
    #expect(throws: LiteRtError.runtimeFailure) { try run(failing) }
    #expect(try failing.getErrorMessages().contains("Timeout expired"))
    for layouts in [[], [Layout(dimensions: [-1])]] {
      kernel.outputLayouts = { _, _ in layouts }
      try unsafe options.addCustomOpKernel(name: "Mish", version: 1, kernel: &kernel)
      #expect(throws: LiteRtError.runtimeFailure) { try run(compiled(options)) }
    }
  }

  @Test func `an operator that nobody brings`() throws {
    let options = try Options()
    #expect(throws: LiteRtError.runtimeFailure) { try compiled(options) }
  }
}

// SPDX-License-Identifier: Apache-2.0

import LiteRT
import Testing

/// Inputs that get other dimensions.
@Suite struct ResizeTests {
  private func makeModel() throws -> CompiledModel {
    try TestModels.compiled(TestModels.sum([1, 2, 3], signature: [-1, 2, 3]))
  }

  @Test func `open dimensions, by a call`() throws {
    let model = try makeModel()
    for index in 0..<2 { try model.resizeInputTensor(inputIndex: index, dimensions: [4, 2, 3]) }
    #expect(try model.getInputTensorLayout(inputIndex: 1).dimensions == [4, 2, 3])
    #expect(try model.getInputBufferRequirements(inputIndex: 1).bufferSize == 96)
    let outputs = try model.createOutputBuffers()
    #expect(outputs[0].size == 96)
    #expect(outputs[0].tensorType?.layout.dimensions == [4, 2, 3])
    let inputs = try [1, 2].map {
      try TestModels.floats([4, 2, 3], [Float](repeating: $0, count: 24))
    }
    try model.run(inputs: inputs, outputs: outputs)
    #expect(try outputs[0].read() == [Float](repeating: 3, count: 24))
  }

  @Test func `open dimensions, by a buffer`() throws {
    let model = try makeModel()
    let inputs = try [1, 2].map {
      try TestModels.floats([2, 2, 3], [Float](repeating: $0, count: 12))
    }
    let output = try TestModels.floats([2, 2, 3], [Float](repeating: 0, count: 12))
    try model.run(inputs: inputs, outputs: [output])
    #expect(try output.read() == [Float](repeating: 3, count: 12))
    #expect(try model.getInputTensorLayout(inputIndex: 0).dimensions == [2, 2, 3])
  }

  @Test func `buffers that do not fit`() throws {
    let model = try makeModel()
    let input = try TestModels.floats([1, 2, 3], [Float](repeating: 1, count: 6))
    let output = try TestModels.floats([1, 2, 3], [Float](repeating: 0, count: 6))
    let wide = try TestModels.floats([1, 3, 2], [Float](repeating: 1, count: 6))
    #expect(throws: LiteRtError.runtimeFailure) {
      try model.run(inputs: [input, wide], outputs: [output])
    }
    #expect(throws: LiteRtError.runtimeFailure) {
      try model.run(inputs: [input], outputs: [output])
    }
    #expect(throws: LiteRtError.runtimeFailure) {
      try model.run(inputs: [input, input], outputs: [])
    }
    let short = try TestModels.floats([3], [0, 0, 0])
    #expect(throws: LiteRtError.runtimeFailure) {
      try model.run(inputs: [input, input], outputs: [short])
    }
    #expect(
      try model.getErrorMessages().hasPrefix("a buffer of [1, 3, 2] for input 1 of [1, 2, 3]\n"))
    // The same buffer may be an input twice, and the output.
    try model.run(inputs: [input, input], outputs: [input])
    #expect(try input.read() == [Float](repeating: 2, count: 6))
  }

  @Test func `dimensions that the file fixes`() throws {
    let model = try makeModel()
    for dimensions in [
      [4, 2, 4], [4, 2], [4, 2, 3, 1], [0, 2, 3], [-1, 2, 3], [], [Int.max, 2, 3],
    ] {
      #expect(throws: LiteRtError.invalidArgument) {
        try model.resizeInputTensor(inputIndex: 0, dimensions: dimensions)
      }
    }
    #expect(throws: LiteRtError.indexOutOfBounds) {
      try model.resizeInputTensor(inputIndex: 2, dimensions: [1, 2, 3])
    }
    let fixed = try TestModels.compiled()
    #expect(throws: LiteRtError.invalidArgument) {
      try fixed.resizeInputTensor(inputIndex: 0, dimensions: [3])
    }
    try fixed.resizeInputTensor(inputIndex: 0, dimensions: [2])
    for index in 0..<2 { try fixed.resizeInputTensorNonStrict(inputIndex: index, dimensions: [3]) }
    let inputs = try [[1, 2, 3], [10, 20, 30]].map { try TestModels.floats([3], $0) }
    #expect(try fixed.run(inputs: inputs)[0].read() == [11, 22, 33] as [Float])
  }
}

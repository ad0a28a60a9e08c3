// SPDX-License-Identifier: Apache-2.0

import Foundation
import LiteRT
import Testing

/// Models with the names of LiteRT's Swift package.
@Suite struct CompiledModelTests {
  @Test func `nodes without optimized kernels are not accelerated`() throws {
    #expect(try !TestModels.compiled(TestModels.signs()).isFullyAccelerated())
  }

  @Test func `a sum, from buffers that the model makes`() throws {
    let environment = try Environment()
    let options = try Options()
    try options.setHardwareAccelerators([.cpu])
    let model = try CompiledModel(
      data: TestModels.sum(), environment: environment, options: options)
    #expect(model.environment === environment)
    #expect(model.options === options)
    let inputs = try model.createInputBuffers()
    let outputs = try model.createOutputBuffers()
    try inputs[0].write([1, 2] as [Float])
    try inputs[1].write([10, 20] as [Float])
    try model.run(inputs: inputs, outputs: outputs)
    #expect(try outputs[0].read() == [11, 22] as [Float])
    #expect(try model.run(inputs: inputs)[0].read() == [11, 22] as [Float])
    #expect(try model.dispatch(inputs: inputs, outputs: outputs) == false)
    let (buffers, isAsync) = try model.dispatch(inputs: inputs, options: options)
    #expect(try buffers[0].read() == [11, 22] as [Float])
    #expect(!isAsync)
    #expect(try model.isFullyAccelerated())
  }

  @Test func `what a model says of its tensors`() throws {
    let model = try TestModels.compiled(TestModels.sum([1, 2], signature: [-1, 2]))
    #expect(try model.inputCount() == 2)
    #expect(try model.outputCount() == 1)
    let type = try model.getInputTensorType(inputIndex: 1)
    #expect(type == TensorType(elementType: .float32, layout: Layout(dimensions: [-1, 2])))
    #expect(try model.getOutputTensorType(outputIndex: 0) == type)
    #expect(try model.getInputTensorLayout(inputIndex: 0) == Layout(dimensions: [1, 2]))
    #expect(try model.getOutputTensorLayouts() == [Layout(dimensions: [1, 2])])
    let requirements = try model.getInputBufferRequirements(inputIndex: 0)
    #expect(requirements.bufferSize == 8)
    #expect(requirements.alignment == 64)
    #expect(requirements.supportedTypes == [.hostMemory])
    #expect(requirements.strides.isEmpty)
    #expect(try model.getOutputBufferRequirements(outputIndex: 0).bufferSize == 8)
  }

  @Test func `indices that a model does not have`() throws {
    let model = try TestModels.compiled()
    #expect(throws: LiteRtError.indexOutOfBounds) { try model.inputCount(signatureIndex: 1) }
    #expect(throws: LiteRtError.indexOutOfBounds) { try model.outputCount(signatureIndex: -1) }
    #expect(throws: LiteRtError.indexOutOfBounds) { try model.inputName(inputIndex: 2) }
    #expect(throws: LiteRtError.indexOutOfBounds) { try model.outputName(outputIndex: 1) }
    #expect(throws: LiteRtError.indexOutOfBounds) { try model.getInputTensorType(inputIndex: -1) }
    #expect(throws: LiteRtError.indexOutOfBounds) {
      try model.getOutputBufferRequirements(outputIndex: 1)
    }
    #expect(throws: LiteRtError.indexOutOfBounds) {
      try model.run(inputs: [], outputs: [], signatureIndex: 1)
    }
  }

  @Test func `signatures by their keys and names`() throws {
    let model = try CompiledModel(filePath: TestModels.digits, environment: Environment())
    #expect(try model.signatureKeys() == ["serving_default"])
    #expect(try model.inputName(inputIndex: 0) == "picture")
    #expect(try model.outputName(outputIndex: 0) == "output_0")
    // The number of pictures is open.
    #expect(try model.getInputTensorType(inputIndex: 0).layout.dimensions == [-1, 32, 32, 3])
    #expect(try model.createInputBuffers()[0].size == 32 * 32 * 3 * 4)
    let picture = try TestModels.floats(
      [1, 32, 32, 3], [Float](repeating: 0.5, count: 32 * 32 * 3))
    let scores: [Float] = try model.run(inputs: [picture])[0].read()
    #expect(scores.count == 10)
    #expect(abs(scores.reduce(0, +) - 1) < 1e-3)
    #expect(try TestModels.compiled().signatureKeys() == ["<placeholder signature>"])
  }

  @Test func `a model in a part of an open file`() throws {
    let data = TestModels.sum()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try (Data(repeating: 7, count: 100) + data + Data(repeating: 8, count: 50)).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let handle = try FileHandle(forReadingFrom: file)
    try handle.seek(toOffset: 3)
    let descriptor = handle.fileDescriptor
    let environment = try Environment()
    let model = try CompiledModel(
      fd: descriptor, offset: 100, size: data.count, environment: environment)
    #expect(try handle.offset() == 3)
    #expect(try model.inputCount() == 2)
    #expect(throws: LiteRtError.fileIO) {
      try CompiledModel(fd: descriptor, offset: 100, size: 1 << 40, environment: environment)
    }
    #expect(throws: LiteRtError.fileIO) {
      try CompiledModel(
        fd: descriptor, offset: 100, size: data.count + 51, environment: environment)
    }
    #expect(throws: LiteRtError.invalidFlatbuffer) {
      try CompiledModel(fd: descriptor, offset: 0, size: data.count, environment: environment)
    }
    #expect(throws: LiteRtError.invalidArgument) {
      try CompiledModel(fd: -1, offset: 0, size: 1, environment: environment)
    }
  }

  @Test func `files and bytes that are no model`() throws {
    let environment = try Environment()
    #expect(throws: LiteRtError.fileIO) {
      try CompiledModel(filePath: "/no/such/model", environment: environment)
    }
    #expect(throws: LiteRtError.invalidArgument) {
      try CompiledModel(data: Data(), environment: environment)
    }
    #expect(throws: LiteRtError.invalidFlatbuffer) {
      try CompiledModel(data: Data(count: 100), environment: environment)
    }
  }

  @Test func `accelerators other than the processor`() throws {
    let environment = try Environment()
    let options = try Options()
    #expect(throws: LiteRtError.invalidArgument) {
      try CompiledModel(data: TestModels.sum(), environment: environment, options: options)
    }
    try options.setHardwareAccelerators([.gpu, .npu])
    #expect(try options.hardwareAccelerators() == [.gpu, .npu])
    #expect(throws: LiteRtError.unsupported) {
      try CompiledModel(data: TestModels.sum(), environment: environment, options: options)
    }
    try options.setHardwareAccelerators([.npu, .cpu])
    _ = try CompiledModel(data: TestModels.sum(), environment: environment, options: options)
  }

  @Test func `metadata of the file and what is added`() throws {
    let model = try CompiledModel(filePath: TestModels.digits, environment: Environment())
    #expect(try model.metadata(key: "TFLITE_METADATA").count > 100)
    #expect(throws: LiteRtError.notFound) { try model.metadata(key: "mine") }
    try model.addMetadata(key: "mine", data: Data([1, 2, 3]))
    #expect(try model.metadata(key: "mine") == Data([1, 2, 3]))
    #expect(throws: LiteRtError.alreadyExists) {
      try model.addMetadata(key: "mine", data: Data())
    }
    #expect(throws: LiteRtError.alreadyExists) {
      try model.addMetadata(key: "TFLITE_METADATA", data: Data())
    }
  }

  @Test func `a function that cancels runs`() throws {
    let model = try TestModels.compiled(TestModels.chain(50))
    let inputs = try model.createInputBuffers()
    var asked = 0
    try unsafe withUnsafeMutablePointer(to: &asked) { asked in
      try unsafe model.setCancellationFunction(userData: asked) { asked in
        guard let count = unsafe asked?.assumingMemoryBound(to: Int.self) else { return true }
        unsafe count.pointee += 1
        return unsafe count.pointee == 1
      }
      #expect(throws: LiteRtError.cancelled) { try model.run(inputs: inputs) }
      #expect(unsafe asked.pointee == 1)
      // Asked again, it lets the run go on.
      _ = try model.run(inputs: inputs)
    }
    #expect(try model.getErrorMessages() == "cancelled")
    try model.clearErrors()
    #expect(try model.getErrorMessages().isEmpty)
  }
}

// SPDX-License-Identifier: Apache-2.0

import LiteRT
import Testing

/// What LiteRT's package does not have, and memory that inputs are bound to.
@Suite struct AdditionTests {
  @Test func `buffers by names`() throws {
    let model = try CompiledModel(filePath: TestModels.digits, environment: Environment())
    let picture = try TestModels.floats(
      [1, 32, 32, 3], [Float](repeating: 0.5, count: 32 * 32 * 3))
    let outputs = try model.run(inputs: ["picture": picture], signatureKey: "serving_default")
    #expect(outputs.keys.sorted() == ["output_0"])
    let expected: [Float] = try model.run(inputs: [picture])[0].read()
    #expect(try outputs["output_0"]?.read() == expected)
    #expect(try model.run(inputs: ["picture": picture]).count == 1)
    #expect(throws: LiteRtError.notFound) {
      try model.run(inputs: ["picture": picture], signatureKey: "train")
    }
    #expect(throws: LiteRtError.notFound) { try model.run(inputs: ["image": picture]) }
    #expect(throws: LiteRtError.missingInputTensor) { try model.run(inputs: [:]) }
  }

  @Test func `an input in memory of the caller's`() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 64)
    defer { unsafe memory.deallocate() }
    unsafe memory.storeBytes(of: SIMD2<Float>(10, 20), as: SIMD2<Float>.self)
    func compiled(_ name: String, size: Int) throws -> CompiledModel {
      let options = try Options()
      try options.setHardwareAccelerators([.cpu])
      try unsafe options.addExternalTensorBinding(
        signatureName: "", tensorName: name, data: memory, sizeBytes: size)
      return try CompiledModel(
        data: TestModels.named(), environment: Environment(), options: options)
    }
    let model = try compiled("right", size: 8)
    let left = try TestModels.floats([2], [1, 2])
    #expect(try model.run(inputs: ["left": left])["sum"]?.read() == [11, 22] as [Float])
    unsafe memory.storeBytes(of: SIMD2<Float>(30, 40), as: SIMD2<Float>.self)
    #expect(try model.run(inputs: ["left": left])["sum"]?.read() == [31, 42] as [Float])
    #expect(try model.run(inputs: [left, left])[0].read() == [2, 4] as [Float])
    #expect(throws: LiteRtError.invalidArgument) { try compiled("right", size: 7) }
    #expect(throws: LiteRtError.invalidArgument) { try compiled("middle", size: 8) }
  }

  @Test func `a run on a thread of its own`() async throws {
    let model = try TestModels.compiled()
    let inputs = try [[1, 2], [10, 20]].map { try TestModels.floats([2], $0) }
    let outputs = try model.createOutputBuffers()
    try await model.runInBackground(inputs: inputs, outputs: outputs)
    #expect(try outputs[0].read() == [11, 22] as [Float])
    await #expect(throws: LiteRtError.runtimeFailure) {
      try await model.runInBackground(inputs: [], outputs: outputs)
    }
  }

  @Test func `a task that is cancelled ends its run`() async throws {
    let task = Task {
      let model = try TestModels.compiled()
      let inputs = try model.createInputBuffers()
      let outputs = try model.createOutputBuffers()
      while !Task.isCancelled { await Task.yield() }
      try await model.runInBackground(inputs: inputs, outputs: outputs)
    }
    task.cancel()
    await #expect(throws: LiteRtError.cancelled) { try await task.value }
  }

  @Test func `values where they lie`() throws {
    let buffer = try TestModels.floats([4], [1, 2, 3, 4])
    try buffer.withMutableSpan(as: Float.self) { span in
      for index in span.indices { span[index] *= 2 }
      #expect(throws: LiteRtError.runtimeFailure) { try buffer.read() as [Float] }
    }
    let sum = try buffer.withSpan(as: Float.self) { span in
      var sum: Float = 0
      for index in span.indices { sum += span[index] }
      return sum
    }
    #expect(sum == 20)
    #expect(throws: LiteRtError.timeoutExpired) {
      try buffer.withSpan(as: UInt8.self) { _ in throw LiteRtError.timeoutExpired }
    }
    #expect(try buffer.read() == [2, 4, 6, 8] as [Float])
  }
}

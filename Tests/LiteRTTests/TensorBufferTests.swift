// SPDX-License-Identifier: Apache-2.0

import LiteRT
import Testing

/// Buffers of tensors.
@Suite struct TensorBufferTests {
  private let pair = TensorType(elementType: .float32, layout: Layout(dimensions: [2]))

  private func makeBuffer(
    _ type: ElementType = .float32, _ dimensions: [Int] = [2], size: Int = 8,
    _ bufferType: TensorBufferType = .hostMemory
  ) throws -> TensorBuffer {
    try TensorBuffer(
      environment: Environment(), bufferType: bufferType,
      tensorType: TensorType(elementType: type, layout: Layout(dimensions: dimensions)),
      size: size)
  }

  @Test func `values written are read`() throws {
    let buffer = try makeBuffer(size: 12)
    #expect(buffer.size == 8)
    #expect(buffer.bufferSize == 12)
    #expect(buffer.offset == 0)
    #expect(buffer.type == .hostMemory)
    #expect(buffer.tensorType == pair)
    #expect(try buffer.read() == [0, 0] as [Float])
    try buffer.write([1.5] as [Float])
    #expect(try buffer.read() == [1.5, 0] as [Float])
    #expect(try buffer.read() == [0, 0, 0xC0, 0x3F, 0, 0, 0, 0] as [UInt8])
    #expect(try buffer.read() == [] as [SIMD4<Float>])
    #expect(throws: LiteRtError.invalidArgument) { try buffer.write([1, 2, 3] as [Float]) }
    try makeBuffer(.bool, [3], size: 3).write([true, false, true])
  }

  @Test func `memory of the caller's`() throws {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 64)
    defer { unsafe memory.deallocate() }
    let buffer = try unsafe TensorBuffer(
      hostBufferAddressAddress: memory, size: 8, tensorType: pair)
    try buffer.write([1.2, 3.4] as [Float])
    #expect(unsafe memory.load(fromByteOffset: 4, as: Float.self) == 3.4)
    unsafe memory.storeBytes(of: 5, as: Float.self)
    #expect(try buffer.read() == [5, 3.4] as [Float])
    #expect(throws: LiteRtError.runtimeFailure) {
      try unsafe TensorBuffer(hostBufferAddressAddress: memory + 4, size: 8, tensorType: pair)
    }
    #expect(throws: LiteRtError.runtimeFailure) {
      try unsafe TensorBuffer(hostBufferAddressAddress: memory, size: 7, tensorType: pair)
    }
  }

  @Test func `a buffer is locked once`() throws {
    let buffer = try makeBuffer()
    let address = try unsafe buffer.lock(mode: .readWrite)
    #expect(throws: LiteRtError.runtimeFailure) { _ = try unsafe buffer.lock(mode: .read) }
    #expect(throws: LiteRtError.runtimeFailure) { try buffer.write([1] as [Float]) }
    #expect(throws: LiteRtError.runtimeFailure) { try buffer.read() as [Float] }
    unsafe address.storeBytes(of: 6.6, toByteOffset: 4, as: Float.self)
    try buffer.unlock()
    #expect(throws: LiteRtError.runtimeFailure) { try buffer.unlock() }
    #expect(try buffer.read() == [0, 6.6] as [Float])
    let model = try TestModels.compiled()
    _ = try unsafe buffer.lock(mode: .write)
    #expect(throws: LiteRtError.runtimeFailure) {
      try model.run(inputs: [buffer, makeBuffer()], outputs: [makeBuffer()])
    }
  }

  @Test func `buffers that cannot be`() throws {
    for dimensions in [[-1], [2, 0], [Int.max, Int.max], [1 << 62]] {
      #expect(throws: LiteRtError.runtimeFailure) { try makeBuffer(.float32, dimensions) }
    }
    #expect(throws: LiteRtError.runtimeFailure) { try makeBuffer(size: 7) }
    #expect(throws: LiteRtError.runtimeFailure) { try makeBuffer(size: 0) }
    #expect(throws: LiteRtError.runtimeFailure) { try makeBuffer(size: -8) }
    #expect(throws: LiteRtError.runtimeFailure) { try makeBuffer(.tfString, [2], size: 15) }
    #expect(throws: LiteRtError.runtimeFailure) { try makeBuffer(.none, [2]) }
    #expect(throws: LiteRtError.unsupported) {
      try makeBuffer(.float32, [2], size: 8, .metalBuffer)
    }
    #expect(throws: LiteRtError.unsupported) {
      _ = try unsafe makeBuffer().metalMemory()
    }
    _ = try makeBuffer(.tfString, [2], size: 16)
    _ = try makeBuffer(.int4, [3], size: 2)
    _ = try makeBuffer(.float32, [0], size: 0)
  }

  @Test func `elements of a layout`() {
    #expect(Layout(dimensions: [2, 3, 4]).elementCount == 24)
    #expect(Layout(dimensions: []).elementCount == 1)
    #expect(Layout(dimensions: [2, -1, 4]).elementCount == nil)
    #expect(Layout(dimensions: [1 << 40, 1 << 40]).elementCount == nil)
    let layout = Layout(dimensions: [2, 3], strides: [4, 1])
    #expect(layout.rank == 2)
    #expect(layout.hasStrides)
  }
}

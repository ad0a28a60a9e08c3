// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import OptimizedKernels
import Tensors
import Testing

/// Bytes and single operations of nodes, and the least time that follows from them.
@Suite struct NodeTrafficTests {
  private func node(
    _ code: OperatorCode, _ inputs: [TensorType?], _ outputs: [TensorType],
    options: (any OptionsTable)? = nil
  ) -> CostNode {
    CostNode(OperatorIdentity(code), inputs, outputs, options: options)
  }

  @Test func `bytes are told apart by where they come from`() {
    let convolution = node(
      .conv2D,
      [
        TensorType(.int8, [1, 4, 4, 3]), TensorType(.int8, [8, 1, 1, 3]), TensorType(.int32, [8]),
      ], [TensorType(.int8, [1, 4, 4, 8])])
    let cost = convolution.cost(constants: [1, 2])
    #expect(cost.inputByteCount == 48)
    #expect(cost.constantByteCount == 24 + 32)
    #expect(cost.writtenByteCount == 128)
    #expect(cost.movedByteCount == 232)
    #expect(cost.arithmetic == .byte)
    #expect(cost.elementOperations == 0)
  }

  @Test func `numbers below a byte are packed`() {
    let layer = node(
      .fullyConnected, [TensorType(.float32, [1, 5]), TensorType(.int4, [3, 5])],
      [TensorType(.float32, [1, 3])])
    #expect(layer.cost(constants: [1]).constantByteCount == 8)
    #expect(layer.cost(constants: [1]).arithmetic == .byte)
  }

  @Test func `a look-up reads what it finds, not the table`() {
    let gather = node(
      .gather, [TensorType(.float32, [1000, 4]), TensorType(.int32, [3])],
      [TensorType(.float32, [3, 4])])
    #expect(gather.cost(constants: [0]).constantByteCount == 48)
    #expect(gather.cost(constants: [0]).inputByteCount == 12)
    let sums = node(
      .embeddingLookupSparse,
      [
        TensorType(.int32, [5]), TensorType(.int32, [5, 2]), TensorType(.int32, [2]),
        TensorType(.float32, [5]), TensorType(.float32, [1000, 4]),
      ], [TensorType(.float32, [2, 4])])
    #expect(sums.cost(constants: [4]).constantByteCount == 5 * 16)
  }

  @Test func `a tensor that is read twice counts once, a state is read and written`() {
    let type = TensorType(.float32, [2, 3])
    let sum = NodeCost(
      ModelFile.Node(OperatorIdentity(.add), inputs: [0, 0], outputs: [1]),
      GraphTensors(types: [type, type], roles: [.activation, .activation]))
    #expect(sum.inputByteCount == 24)
    #expect(sum.elementOperations == 6)
    let state = node(
      .svdf,
      [
        TensorType(.float32, [1, 3]), TensorType(.float32, [4, 3]), TensorType(.float32, [4, 5]),
        nil, TensorType(.float32, [1, 20]),
      ], [TensorType(.float32, [1, 4])])
    let cost = state.cost(constants: [1, 2], variables: [4])
    #expect(cost.inputByteCount == 12 + 80)
    #expect(cost.writtenByteCount == 16 + 80)
  }

  @Test func `operators that look at a shape read nothing, nor do those without results`() {
    let shape = node(
      .shape, [TensorType(.float32, [2, 3])], [TensorType(.int32, [2])])
    #expect(shape.cost().readByteCount == 0)
    let none = node(
      .conv2D, [TensorType(.float32, [1, 0, 4, 3]), TensorType(.float32, [8, 1, 1, 3])],
      [TensorType(.float32, [1, 0, 4, 8])])
    #expect(none.cost(constants: [1]).movedByteCount == 0)
    #expect(none.cost(constants: [1]).multiplyAdds == 0)
  }

  @Test func `strings have no size that a type tells`() {
    let select = node(.gather, [TensorType(.string, [2]), TensorType(.int32, [1])], [])
    #expect(select.cost().readByteCount == nil)
  }

  @Test func `sizes beyond 64 bits are not known`() {
    // 2^19 tensors of 2^44 bytes.
    let type = TensorType(.complex128, [1 << 20, 1 << 20])
    let all = node(.concatenation, Array(repeating: type, count: 1 << 19), [type])
    #expect(all.cost().readByteCount == nil)
    #expect(all.cost().writtenByteCount == 1 << 44)
    #expect(all.cost().movedByteCount == nil)
  }

  @Test func `single operations of poolings, reductions and movements`() {
    var window = Pool2DOptions()
    (window.filterHeight, window.filterWidth) = (2, 3)
    let image = TensorType(.float32, [1, 4, 6, 3])
    let pool = node(
      .averagePool2D, [image], [TensorType(.float32, [1, 2, 2, 3])], options: window)
    #expect(pool.cost().elementOperations == 12 * 6)
    (window.filterHeight, window.filterWidth) = (.max, 3)
    let column = node(
      .maxPool2D, [image], [TensorType(.float32, [1, 4, 2, 3])], options: window)
    #expect(column.cost().elementOperations == 24 * 4 * 3)
    var windows = StablehloReduceWindowOptions()
    windows.windowDimensions = [1, 2, 5, 1]
    let sums = node(
      .stablehloReduceWindow, [image, TensorType(.float32, [])],
      [TensorType(.float32, [1, 2, 2, 3])], options: windows)
    #expect(sums.cost().elementOperations == 12 * 10)
    let mean = node(.mean, [image, TensorType(.int32, [2])], [TensorType(.float32, [1, 3])])
    #expect(mean.cost().elementOperations == 72)
    let reshape = node(.reshape, [image], [TensorType(.float32, [72])])
    #expect(reshape.cost().elementOperations == 0)
  }

  @Test func `what lies between nodes that are computed together costs nothing`() {
    let image = TensorType(.float32, [1, 4, 4, 8])
    let nodes = [
      ModelFile.Node(OperatorIdentity(.conv2D), inputs: [0, 1, 2], outputs: [3]),
      ModelFile.Node(OperatorIdentity(.logistic), inputs: [3], outputs: [4]),
      ModelFile.Node(OperatorIdentity(.mul), inputs: [3, 4], outputs: [5]),
    ]
    let tensors = GraphTensors(
      types: [
        TensorType(.float32, [1, 4, 4, 3]), TensorType(.float32, [8, 1, 1, 3]),
        TensorType(.float32, [8]), image, image, image,
      ], roles: [.activation, .constant, .constant, .activation, .activation, .activation])
    let group = NodeGroup(nodes)
    #expect(group.inputs == [0, 1, 2])
    #expect(group.outputs == [5])
    let cost = NodeCost(group, tensors)
    #expect(cost.multiplyAdds == 128 * 3)
    #expect(cost.elementOperations == 256)
    #expect(cost.inputByteCount == 48 * 4)
    #expect(cost.constantByteCount == 32 * 4)
    #expect(cost.writtenByteCount == 128 * 4)
  }
}

/// What follows from a machine's rates.
@Suite struct LeastTimeTests {
  /// 10 and 40 billion products, 8 and 4 billion bytes read and copied per second.
  private func limits(threads: Int = 1) -> MachineLimits {
    MachineLimits(
      level: "test", threadCount: threads, floatRate: 10e9, byteRate: 40e9,
      memory: MemoryRates([
        MemoryRates.Sample(byteCount: 1024, reading: 16e9, copying: 8e9),
        MemoryRates.Sample(byteCount: 1 << 20, reading: 8e9, copying: 4e9),
      ]))
  }

  @Test func `arithmetic limits a convolution`() throws {
    // 64 · 64 · 64 products, and 3 · 16 KiB of floats.
    let node = CostNode(.fullyConnected, [[64, 64], [64, 64]], [64, 64])
    let least = try #require(LeastTime(node.cost(), on: limits()))
    #expect(least.bound == .float)
    #expect(abs(least.seconds - 262_144 / 10e9) < 1e-12)
    let shared = try #require(LeastTime(node.cost(), on: limits(threads: 2)))
    #expect(abs(shared.seconds - 262_144 / 20e9) < 1e-12)
  }

  @Test func `reading limits a layer of batch 1, writing an operator that moves elements`() throws {
    // 1000 · 1000 weights of 4 bytes.
    let layer = CostNode(.fullyConnected, [[1, 1000], [1000, 1000]], [1, 1000])
    let least = try #require(LeastTime(layer.cost(), on: limits()))
    #expect(least.bound == .memory)
    #expect(abs(least.seconds - 4_004_000 / 8e9) < 1e-12)
    // 40 bytes become 4000, of which each costs two copied ones.
    let tile = CostNode(.tile, [[10]], [1000])
    #expect(abs(try #require(LeastTime(tile.cost(), on: limits())).seconds - 8000 / 8e9) < 1e-12)
  }

  @Test func `nothing is said about operators that are not known`() {
    #expect(LeastTime(CostNode(custom: "Mine", [[2]], [2]).cost(), on: limits()) == nil)
  }

  @Test func `rates fall with the size, and small sizes have those of the smallest`() {
    let rates = MemoryRates([
      MemoryRates.Sample(byteCount: 4096, reading: 3, copying: 2),
      MemoryRates.Sample(byteCount: 1024, reading: 2, copying: 5),
    ])
    #expect(rates.samples.map(\.byteCount) == [1024, 4096])
    #expect(rates.sample(1).reading == 3)
    #expect(rates.sample(4095).copying == 5)
    #expect(rates.sample(4096).copying == 2)
    #expect(rates.sample(.max).reading == 3)
  }

  @Test func `what is measured are rates of this machine`() {
    let limits = MachineLimits.measured(threadCount: 1024)
    #expect((1...1024).contains(limits.threadCount))
    #expect(limits.floatRate > 1e8 && limits.floatRate.isFinite)
    #expect(limits.byteRate > 1e8 && limits.byteRate.isFinite)
    for sample in limits.memory.samples {
      #expect(sample.reading > 1e7 && sample.reading.isFinite)
      #expect(sample.copying > 1e7 && sample.copying.isFinite)
    }
  }
}

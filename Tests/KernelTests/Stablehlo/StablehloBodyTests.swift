// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// Operators that compute by a subgraph.
@Suite struct StablehloBodyTests {
  static func scatter(
    _ body: [[OperatorCode]], indices: [Int64] = [2, 0, 2, 5],
    _ change: (inout StablehloScatterOptions) -> Void = { _ in },
    kernels: KernelSet = .reference
  ) throws -> [Float] {
    var options = StablehloScatterOptions()
    options.insertedWindowDimensions = [0]
    options.operandDimensions = [0]
    options.indexVectorDimension = 1
    options.updateComputation = 1
    change(&options)
    return try evaluate(
      .stablehloScatter, options: options,
      [
        Tensor([3], [1, 2, 3] as [Float]), Tensor([4, 1], indices),
        Tensor([4], [10, 20, 30, 40] as [Float]),
      ], outputs: [TensorType(.float32, [])], kernels: kernels, subgraphs: [[]] + body)[0].values()
  }

  /// Locations 2, 0 and 2 again; 5 is outside.
  @Test(arguments: KernelSet.all)
  func `updates are combined in order`(kernels: KernelSet) throws {
    #expect(try Self.scatter([[]], kernels: kernels) == [20, 2, 30])
    #expect(try Self.scatter([[.stablehloAdd]], kernels: kernels) == [21, 2, 43])
    #expect(try Self.scatter([[.stablehloMultiply]], kernels: kernels) == [20, 2, 900])
    #expect(try Self.scatter([[.stablehloMinimum]], kernels: kernels) == [1, 2, 3])
    #expect(try Self.scatter([[.stablehloMaximum]], kernels: kernels) == [20, 2, 30])
    let far: [Int64] = [.min, .max, -1, 1]
    #expect(try Self.scatter([[.stablehloAdd]], indices: far, kernels: kernels) == [1, 42, 3])
  }

  @Test func `scatters that are not understood are refused`() throws {
    #expect(throws: KernelError.self) { try Self.scatter([]) }
    #expect(throws: KernelError.self) { try Self.scatter([[.stablehloAdd, .stablehloAdd]]) }
    #expect(throws: KernelError.self) { try Self.scatter([[.conv2D]]) }
    let changes: [(inout StablehloScatterOptions) -> Void] = [
      { $0.updateComputation = -1 }, { $0.updateWindowDimensions = [0] },
      { $0.operandDimensions = [1] }, { $0.insertedWindowDimensions = [] },
      { $0.indexVectorDimension = 2 }, { $0.updateWindowDimensions = [.max] },
    ]
    for change in changes {
      #expect(throws: KernelError.self) { try Self.scatter([[]], change) }
    }
  }

  static func reduce(
    _ body: OperatorCode, start: Int32,
    _ change: (inout StablehloReduceWindowOptions) -> Void = { _ in },
    kernels: KernelSet = .reference
  ) throws -> [Int32] {
    var options = StablehloReduceWindowOptions()
    options.windowDimensions = [2]
    options.body = 1
    change(&options)
    return try evaluate(
      .stablehloReduceWindow, options: options,
      [Tensor([4], [1, 2, 3, 4] as [Int32]), Tensor([], [start])],
      outputs: [TensorType(.int32, [])], kernels: kernels, subgraphs: [[], [body]])[0].values()
  }

  @Test(arguments: KernelSet.all)
  func `windows slide over what padding and gaps make of the tensor`(kernels: KernelSet) throws {
    #expect(try Self.reduce(.add, start: 0, kernels: kernels) == [3, 5, 7])
    #expect(try Self.reduce(.stablehloMultiply, start: 1, kernels: kernels) == [2, 6, 12])
    #expect(
      try Self.reduce(.maximum, start: 0, { $0.windowStrides = [2] }, kernels: kernels) == [2, 4])
    #expect(
      try Self.reduce(.add, start: 0, { $0.windowDilations = [3] }, kernels: kernels) == [5])
    #expect(
      try Self.reduce(.add, start: 0, { $0.baseDilations = [2] }, kernels: kernels)
        == [1, 2, 2, 3, 3, 4])
    #expect(
      try Self.reduce(.logicalAnd, start: 1, { $0.padding = [1, -3] }, kernels: kernels) == [1])
  }

  /// Padding is made of the initial value, which counts again.
  ///
  /// The sums are 5 + (5 + 1), 5 + (1 + 2) and so on.
  @Test(arguments: KernelSet.all)
  func `the initial value counts once more for padding`(kernels: KernelSet) throws {
    #expect(
      try Self.reduce(.add, start: 5, { $0.padding = [1, 0] }, kernels: kernels)
        == [11, 8, 10, 12])
  }

  @Test func `numbers that lead out of the tensor leave one window or none`() throws {
    let none = try Self.reduce(.add, start: 0) {
      $0.windowDimensions = [.max]
      $0.windowDilations = [.max]
    }
    #expect(none.isEmpty)
    var options = StablehloReduceWindowOptions()
    options.windowDimensions = [2, 1]
    options.windowStrides = [.max, 1]
    options.windowDilations = [1, .max]
    options.body = 1
    let sums = try evaluate(
      .stablehloReduceWindow, options: options,
      [Tensor([2, 2], [1, 2, 3, 4] as [Int32]), Tensor([], [0] as [Int32])],
      outputs: [TensorType(.int32, [])], subgraphs: [[], [.add]])[0]
    #expect(sums.values() == [4, 6] as [Int32])
  }

  @Test func `windows that cannot be are refused`() throws {
    let changes: [(inout StablehloReduceWindowOptions) -> Void] = [
      { $0.windowDimensions = [0] }, { $0.windowStrides = [0] }, { $0.baseDilations = [.min] },
      { $0.windowDilations = [1, 1] }, { $0.padding = [-2, -2] }, { $0.padding = [.min, .max] },
      { $0.padding = [1 << 40, 0] }, { $0.body = 2 }, { $0.body = 0 },
    ]
    for change in changes {
      #expect(throws: KernelError.self) { try Self.reduce(.add, start: 0, change) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct StablehloTests {
  static let int = TensorType(.int32, [])
  static let float = TensorType(.float32, [])

  @Test(arguments: KernelSet.all)
  func `integers wrap and nothing is broadcast`(kernels: KernelSet) throws {
    let left = Tensor([3], [Int32.max, 7, -2])
    let right = Tensor([3], [1, 5, 4] as [Int32])
    let rows: [(OperatorCode, [Int32])] = [
      (.stablehloAdd, [.min, 12, 2]), (.stablehloMultiply, [.max, 35, -8]),
      (.stablehloMaximum, [.max, 7, 4]), (.stablehloMinimum, [1, 5, -2]),
      (.stablehloAnd, [1, 5, 4]), (.stablehloShiftLeft, [-2, 224, -32]),
    ]
    for (code, wanted) in rows {
      let result = try evaluate(code, [left, right], outputs: [Self.int], kernels: kernels)
      #expect(result[0].values() == wanted, "\(code)")
    }
    #expect(throws: KernelError.self) {
      try evaluate(
        .stablehloAdd, [left, Tensor([1], [1] as [Int32])], outputs: [Self.int], kernels: kernels)
    }
  }

  @Test(arguments: KernelSet.all)
  func `the first operand stays where the second is not beyond it`(kernels: KernelSet) throws {
    let result = try evaluate(
      .stablehloMaximum, [Tensor([2], [.nan, 1] as [Float]), Tensor([2], [2, .nan] as [Float])],
      outputs: [Self.float], kernels: kernels)
    let values = result[0].values(as: Float.self)
    #expect(values[0].isNaN)
    #expect(values[1] == 1)
  }

  static func pad(
    _ low: [Int64], _ high: [Int64], _ interior: [Int64], kernels: KernelSet = .reference
  ) throws -> Tensor {
    var options = StablehloPadOptions()
    (options.low, options.high, options.interior) = (low, high, interior)
    return try evaluate(
      .stablehloPad, options: options,
      [Tensor([4], [1, 2, 3, 4] as [Int32]), Tensor([], [9] as [Int32])], outputs: [int],
      kernels: kernels)[0]
  }

  @Test(arguments: KernelSet.all)
  func `padding lies around and between, and crops where negative`(kernels: KernelSet) throws {
    let rows: [(Int64, Int64, Int64, [Int32])] = [
      (1, 2, 0, [9, 1, 2, 3, 4, 9, 9]), (0, 0, 2, [1, 9, 9, 2, 9, 9, 3, 9, 9, 4]),
      (-1, -2, 0, [2]), (-1, 1, 1, [9, 2, 9, 3, 9, 4, 9]), (-4, 0, 0, []), (-9, 1, 0, []),
      (-7, 3, 1, [9, 9, 9]),
    ]
    for (low, high, interior, wanted) in rows {
      let result = try Self.pad([low], [high], [interior], kernels: kernels)
      #expect(result.values() == wanted)
    }
  }

  @Test(
    arguments: [
      ([0, 0], [0], [0]), ([0], [0], [-1]), ([.min], [.max], [0]), ([.max], [0], [0]),
      ([0], [0], [.max]),
    ] as [([Int64], [Int64], [Int64])])
  func `padding that cannot be is refused`(
    low: [Int64], high: [Int64], interior: [Int64]
  ) throws {
    #expect(throws: KernelError.self) { try Self.pad(low, high, interior) }
  }

  static func gather(
    _ change: (inout StablehloGatherOptions) -> Void = { _ in }, kernels: KernelSet = .reference
  ) throws -> Tensor {
    var options = StablehloGatherOptions()
    options.offsetDimensions = [1]
    options.collapsedSliceDimensions = [0]
    options.startIndexMap = [0, 1]
    options.indexVectorDimension = 1
    options.sliceSizes = [1, 2]
    change(&options)
    let input = Tensor([3, 3], [1, 2, 3, 4, 5, 6, 7, 8, 9] as [Int32])
    let indices = Tensor([2, 2], [1, 0, 7, 2] as [Int32])
    return try evaluate(
      .stablehloGather, options: options, [input, indices], outputs: [int], kernels: kernels)[0]
  }

  /// The second start, (7, 2), is moved to (2, 1), where two columns are left.
  @Test(arguments: KernelSet.all)
  func `slices start at the nearest location where they fit`(kernels: KernelSet) throws {
    let result = try Self.gather(kernels: kernels)
    #expect(result.type.shape == [2, 2])
    #expect(result.values() == [4, 5, 8, 9] as [Int32])
  }

  @Test func `gathers whose numbers do not fit each other are refused`() throws {
    let changes: [(inout StablehloGatherOptions) -> Void] = [
      { $0.offsetDimensions = [5] }, { $0.offsetDimensions = [] },
      { $0.collapsedSliceDimensions = [-1] }, { $0.startIndexMap = [0, 2] },
      { $0.startIndexMap = [0, 1, 0] }, { $0.indexVectorDimension = 3 },
      { $0.indexVectorDimension = .min }, { $0.sliceSizes = [1, 4] }, { $0.sliceSizes = [-1, 1] },
      { $0.sliceSizes = [1] },
    ]
    for change in changes {
      #expect(throws: KernelError.self) { try Self.gather(change) }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

@Suite struct SVDFTests {
  static func node(rank: Int32 = 1, activation: FusedActivation = .relu) -> RecurrentNode {
    var options = SVDFOptions()
    options.rank = rank
    options.fusedActivation = activation
    return RecurrentNode(
      code: .svdf, options: options,
      inputs: [
        nil, Tensor([1, 1], [2] as [Float]).constant,
        Tensor([1, 2], [0.5, 1] as [Float]).constant, Tensor([1], [1] as [Float]).constant,
        Tensor([1, 2], [0, 0] as [Float]),
      ], variables: [4])
  }

  /// The memory is 0, 6 and then 6, 2.
  @Test(arguments: KernelSet.all)
  func `a filter remembers the step before`(kernels: KernelSet) throws {
    var node = Self.node()
    node.kernels = kernels
    #expect(try node.values(of: Tensor([1, 1], [3] as [Float])) == [7])
    #expect(try node.values(of: Tensor([1, 1], [1] as [Float])) == [6])
    #expect(node.inputs[4]?.values() == [6, 2] as [Float])
  }

  /// Two filters of one unit: 2·3 and -1·3.
  @Test func `a unit adds up its filters`() throws {
    var node = Self.node(rank: 2)
    node.inputs[1] = Tensor([2, 1], [2, -1] as [Float]).constant
    node.inputs[2] = Tensor([2, 2], [0.5, 1, 0.5, 1] as [Float]).constant
    node.inputs[3] = nil
    node.inputs[4] = Tensor([1, 4], [0, 0, 0, 0] as [Float])
    #expect(try node.values(of: Tensor([1, 1], [3] as [Float])) == [3])
  }

  /// Every scale is 1: 6 + 10 + 5, and 6 + 2 + 10 + 5.
  @Test func `integers keep their zero points`() throws {
    var node = Self.node()
    node.inputs[1] = Tensor([1, 1], [2] as [Int8], scale: 1).constant
    node.inputs[2] = Tensor([1, 2], [1, 1] as [Int16], scale: 1).constant
    node.inputs[3] = Tensor([1], [10] as [Int32], scale: 1).constant
    node.inputs[4] = Tensor([1, 2], [0, 0] as [Int16], scale: 1)
    node.outputs = [
      TensorType(.int8, [], quantization: Quantization(scale: 1, zeroPoint: 5))
    ]
    node.inputs[0] = Tensor([1, 1], [4] as [Int8], scale: 1, zeroPoint: 1)
    #expect(try node.invoke()[0].values() == [21] as [Int8])
    node.inputs[0] = Tensor([1, 1], [2] as [Int8], scale: 1, zeroPoint: 1)
    #expect(try node.invoke()[0].values() == [23] as [Int8])
  }

  /// Every scale is 1, and the memory's zero is 3: 6 + 10 + 5, 6 − 8 + 10 + 5, then 200, cut off.
  @Test(arguments: KernelSet.all)
  func `an int8 memory has a zero point`(kernels: KernelSet) throws {
    var node = Self.node()
    node.kernels = kernels
    node.inputs[1] = Tensor([1, 1], [2] as [Int8], scale: 1).constant
    node.inputs[2] = Tensor([1, 2], [1, 1] as [Int8], scale: 1).constant
    node.inputs[3] = Tensor([1], [10] as [Int32], scale: 1).constant
    node.inputs[4] = Tensor([1, 2], [3, 3] as [Int8], scale: 1, zeroPoint: 3)
    node.outputs = [
      TensorType(.int8, [], quantization: Quantization(scale: 1, zeroPoint: 5))
    ]
    node.inputs[0] = Tensor([1, 1], [4] as [Int8], scale: 1, zeroPoint: 1)
    #expect(try node.invoke()[0].values() == [21] as [Int8])
    #expect(node.inputs[4]?.values() == [3, 9] as [Int8])
    node.inputs[0] = Tensor([1, 1], [-3] as [Int8], scale: 1, zeroPoint: 1)
    #expect(try node.invoke()[0].values() == [13] as [Int8])
    node.inputs[0] = Tensor([1, 1], [101] as [Int8], scale: 1, zeroPoint: 1)
    _ = try node.invoke()
    #expect(node.inputs[4]?.values() == [-5, 127] as [Int8])
  }

  @Test func `weights for an int8 memory are int8`() {
    var node = Self.node()
    node.inputs[1] = Tensor([1, 1], [2] as [Int8], scale: 1).constant
    node.inputs[2] = Tensor([1, 2], [1, 1] as [Int16], scale: 1).constant
    node.inputs[3] = nil
    node.inputs[4] = Tensor([1, 2], [0, 0] as [Int8], scale: 1)
    node.outputs = [TensorType(.int8, [], quantization: Quantization(scale: 1))]
    node.inputs[0] = Tensor([1, 1], [4] as [Int8], scale: 1)
    #expect(throws: KernelError.self) { try node.invoke() }
  }

  @Test(arguments: [0, -1, 2] as [Int32])
  func `a rank that does not divide the filters is refused`(rank: Int32) {
    var node = Self.node(rank: rank)
    #expect(throws: KernelError.self) { try node.values(of: Tensor([1, 1], [3] as [Float])) }
  }
}

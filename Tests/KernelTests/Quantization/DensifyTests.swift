// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import ReferenceKernels
import Tensors
import Testing

@Suite struct DensifyTests {
  typealias Dimension = SparsityParameters.Dimension

  static func sparsity(
    order: [Int], blocks: [Int] = [], _ dimensions: [Dimension]
  ) -> SparsityParameters {
    SparsityParameters(
      traversalOrder: order, blockMap: blocks, dimensions: dimensions)
  }

  static func densify(
    _ stored: [Float], _ shape: Shape, _ sparsity: SparsityParameters
  ) throws -> [Float] {
    let operand = PrepareContext.Operand(
      TensorType(.float32, shape), bytes: TensorBytes(copying: stored), sparsity: sparsity)
    let node = PrepareContext(inputs: [operand], declaredOutputs: [TensorType(.float32, [])])
    let entry = try #require(OperatorCatalog.entry(of: .densify))
    let prepared = try entry.make(NodeDescription()).prepare(node)
    let output = Tensor(
      prepared.outputs[0], TensorBytes(zeroed: 4 * shape.elementCount), isConstant: false)
    try prepared.kernel.evaluate(
      TensorFrame(inputs: [operand.bytes], outputs: [output.bytes]))
    return output.values()
  }

  /// Rows dense, columns compressed: 0 1 0 / 0 0 0 / 2 0 3.
  static let rows = [
    Dimension.dense(size: 3), .compressed(segments: [0, 1, 1, 3], indices: [1, 0, 2]),
  ]

  @Test func `compressed columns`() throws {
    #expect(
      try Self.densify([1, 2, 3], [3, 3], Self.sparsity(order: [0, 1], Self.rows))
        == [0, 1, 0, 0, 0, 0, 2, 0, 3])
  }

  @Test func `columns walked first`() throws {
    #expect(
      try Self.densify([1, 2, 3], [3, 3], Self.sparsity(order: [1, 0], Self.rows))
        == [0, 0, 2, 1, 0, 0, 0, 0, 3])
  }

  /// Blocks of 2 × 2 at the right of the first and at the left of the second pair of rows.
  @Test func `blocks`() throws {
    let sparsity = Self.sparsity(
      order: [0, 1, 2, 3], blocks: [0, 1],
      [
        .dense(size: 2), .compressed(segments: [0, 1, 2], indices: [1, 0]), .dense(size: 2),
        .dense(size: 2),
      ])
    #expect(
      try Self.densify([1, 2, 3, 4, 5, 6, 7, 8], [4, 4], sparsity)
        == [0, 0, 1, 2, 0, 0, 3, 4, 5, 6, 0, 0, 7, 8, 0, 0])
  }

  /// Descriptions of a 3 × 3 tensor with three stored values that are wrong somewhere.
  static let damaged: [(String, SparsityParameters)] = [
    ("order repeats an axis", sparsity(order: [0, 0], rows)),
    ("order has an axis too many", sparsity(order: [0, 1, 2], rows)),
    ("order is negative", sparsity(order: [-1, 0], rows)),
    ("a dimension is missing", sparsity(order: [0, 1], [rows[0]])),
    ("dense length differs", sparsity(order: [0, 1], [.dense(size: 2), rows[1]])),
    ("dense length is negative", sparsity(order: [0, 1], [.dense(size: -3), rows[1]])),
    ("all dense", sparsity(order: [0, 1], [.dense(size: 3), .dense(size: 3)])),
    (
      "segments are too few",
      sparsity(order: [0, 1], [rows[0], .compressed(segments: [0, 3], indices: [0, 1, 2])])
    ),
    (
      "segments decrease",
      sparsity(
        order: [0, 1], [rows[0], .compressed(segments: [0, 2, 1, 3], indices: [0, 1, 2])])
    ),
    (
      "segments begin below 0",
      sparsity(
        order: [0, 1], [rows[0], .compressed(segments: [-1, 1, 2, 3], indices: [0, 1, 2])])
    ),
    (
      "segments end past the coordinates",
      sparsity(
        order: [0, 1], [rows[0], .compressed(segments: [0, 1, 2, 4], indices: [0, 1, 2])])
    ),
    (
      "a coordinate is past the end",
      sparsity(
        order: [0, 1], [rows[0], .compressed(segments: [0, 1, 2, 3], indices: [0, 3, 2])])
    ),
    (
      "more coordinates than values",
      sparsity(
        order: [0, 1], [rows[0], .compressed(segments: [0, 2, 3, 4], indices: [0, 1, 1, 2])])
    ),
    ("a block of no axis", sparsity(order: [0, 1, 2], blocks: [5], rows + [.dense(size: 1)])),
    ("a block of length 0", sparsity(order: [0, 1, 2], blocks: [1], rows + [.dense(size: 0)])),
    (
      "a block that does not fit",
      sparsity(order: [0, 1, 2], blocks: [1], rows + [.dense(size: 2)])
    ),
    ("a compressed block", sparsity(order: [0, 2, 1], blocks: [1], rows + [.dense(size: 1)])),
  ]

  @Test(arguments: damaged)
  func `damaged descriptions are refused`(_ name: String, _ sparsity: SparsityParameters)
    throws
  {
    #expect(throws: KernelError.self, "\(name)") {
      try Self.densify([1, 2, 3], [3, 3], sparsity)
    }
  }

  @Test func `a tensor that is not sparse is refused`() throws {
    #expect(throws: KernelError.self) {
      try evaluate(
        .densify, [Tensor([1], [1] as [Float]).constant], outputs: [TensorType(.float32, [])])
    }
  }
}

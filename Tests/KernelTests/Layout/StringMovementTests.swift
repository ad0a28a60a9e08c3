// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import ReferenceKernels
import Tensors
import Testing

@Suite struct StringMovementTests {
  /// A tensor of strings: count, offsets, characters.
  static func tensor(_ shape: Shape, _ strings: [String]) -> Tensor {
    var offsets = [Int32(4 * (strings.count + 2))]
    for string in strings { offsets.append(offsets[offsets.count - 1] + Int32(string.utf8.count)) }
    let words = [Int32(strings.count)] + offsets
    let bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
    }
    return Tensor(
      TensorType(.string, shape), TensorBytes(copying: bytes + strings.flatMap { Array($0.utf8) }),
      isConstant: true)
  }

  static func move(
    _ code: OperatorCode, options: (any OptionsTable)? = nil, _ inputs: [Tensor]
  ) throws -> (shape: Shape, bytes: [UInt8]) {
    let node = PrepareContext(
      inputs: inputs.map { PrepareContext.Operand($0.type, bytes: $0.bytes, isConstant: true) },
      declaredOutputs: [TensorType(.string, [])])
    let entry = try #require(OperatorCatalog.entry(of: code))
    let prepared = try entry.make(NodeDescription(options: options)).prepare(node)
    let output = TensorBytes(zeroed: try #require(prepared.outputByteCounts.first))
    let frame = TensorFrame(inputs: inputs.map(\.bytes), outputs: [output])
    try prepared.kernel.evaluate(frame)
    return (
      prepared.outputs[0].shape, Tensor(prepared.outputs[0], output, isConstant: false).values()
    )
  }

  static let words = tensor([2, 2], ["one", "", "three", "fünf"])

  @Test func `strings move with their characters`() throws {
    let gathered = try Self.move(.gather, [Self.words, Tensor([1], [1] as [Int32])])
    #expect(gathered.shape == [1, 2])
    #expect(gathered.bytes == Self.tensor([1, 2], ["three", "fünf"]).values())
    let tiled = try Self.move(.tile, [Self.words, Tensor([2], [1, 2] as [Int32])])
    #expect(
      tiled.bytes
        == Self.tensor([2, 4], ["one", "", "one", "", "three", "fünf", "three", "fünf"]).values())
  }

  @Test func `a string fills a tensor`() throws {
    let filled = try Self.move(
      .fill, [Tensor([1], [2] as [Int32]), Self.tensor([], ["ab"])])
    #expect(filled.bytes == Self.tensor([2], ["ab", "ab"]).values())
  }

  @Test func `strings that are computed later are waited for`() throws {
    let node = PrepareContext(
      inputs: [.init(Self.words.type), .init(TensorType(.int32, [1]))],
      declaredOutputs: [TensorType(.string, [])])
    let gather = try #require(OperatorCatalog.entry(of: .gather))
    #expect {
      try gather.make(NodeDescription()).prepare(node)
    } throws: {
      ($0 as? KernelError)?.kind == .valueNeeded(0)
    }
  }

  static let damaged: [[Int32]] = [
    [], [-1], [.max], [4], [1, 12], [1, 12, 13], [1, -1, 12], [1, 12, 11], [4, 24, 24, 24, 24],
  ]

  @Test(arguments: damaged.indices)
  func `tables that do not fit the bytes are refused`(index: Int) {
    let bytes = TensorBytes(copying: Self.damaged[index])
    let words = Tensor(TensorType(.string, [2, 2]), bytes, isConstant: true)
    #expect(throws: KernelError.self) {
      try Self.move(.gather, [words, Tensor([1], [0] as [Int32])])
    }
  }

  @Test func `an index outside is refused, and so are too many strings`() {
    #expect(throws: KernelError.self) {
      try Self.move(.gather, [Self.words, Tensor([1], [2] as [Int32])])
    }
    #expect(throws: KernelError.self) {
      try Self.move(.fill, [Tensor([1], [1 << 27] as [Int32]), Self.tensor([], ["ab"])])
    }
  }
}

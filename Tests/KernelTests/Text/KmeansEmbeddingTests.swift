// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors
import Testing

/// `KmeansEmbeddingLookup`; expectations from MediaPipe's `kmeans_embedding_lookup_test.cc`.
@Suite struct KmeansEmbeddingTests {
  private static func looked(
    _ tokens: [Int32], _ encoding: [[UInt8]], _ codebook: [[Float]], rows: Int = 1
  ) throws -> TextTensor {
    try text(
      "KmeansEmbeddingLookup",
      [
        TextTensor([rows, tokens.count / rows], tokens),
        TextTensor([encoding.count, encoding[0].count], Array(encoding.joined())),
        TextTensor([codebook.count, codebook[0].count], Array(codebook.joined())),
      ], outputs: [.float32])[0]
  }

  private static let encoding: [[UInt8]] = [[0, 0], [1, 2], [3, 0], [2, 3]]
  private static let codebook: [[Float]] = [
    [5, 2, 3], [8, 2, 4], [1.2, 2.4, 3.6], [0.5, -2, 1],
  ]

  @Test func `embeddings of the tokens before the first 0 are averaged`() throws {
    let output = try Self.looked(
      [1, 2, 3, 0, 0], [[0, 0], [1, 1], [1, 2], [1, 0], [1, 0], [2, 0]],
      [[0, 0], [7, 7], [7, 0]])
    #expect(output.shape == [1, 4])
    #expect(output.values() == [7, 7, 14 / 3, 7 / 3] as [Float])
    #expect(
      try Self.looked([2, 2, 0, 3], Self.encoding, Self.codebook).values()
        == [0.5, -2, 1, 5, 2, 3] as [Float])
    #expect(
      try Self.looked([0, 1], Self.encoding, Self.codebook).values()
        == [0, 0, 0, 0, 0, 0] as [Float])
  }

  @Test func `negative values count`() throws {
    let output = try Self.looked([2, 2, 1, 3], Self.encoding, Self.codebook)
    #expect(output.shape == [1, 6])
    for (value, wanted) in zip(
      output.values(Float.self), [2.55, 0.1, 2.4, 2.925, 1.1, 2.65] as [Float])
    { #expect(abs(value - wanted) < 1e-5) }
  }

  @Test func `NaN stays in its elements`() throws {
    let output = try Self.looked([1], [[0], [0]], [[.nan, 4]]).values(Float.self)
    #expect(output[0].isNaN && output[1] == 4)
  }

  @Test(arguments: [4, -1, .min, .max] as [Int32])
  func `tokens without a row are refused`(token: Int32) {
    #expect(throws: KernelError.self) {
      try Self.looked([1, token], Self.encoding, Self.codebook)
    }
  }

  @Test func `codes without a row, and several rows of tokens, are refused`() {
    #expect(throws: KernelError.self) { try Self.looked([1], [[0], [1]], [[1, 2]]) }
    #expect(throws: KernelError.self) { try Self.looked([1, 1], [[0]], [[2.3, 4.5]], rows: 2) }
  }
}

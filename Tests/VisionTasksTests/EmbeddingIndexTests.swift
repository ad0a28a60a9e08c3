// SPDX-License-Identifier: Apache-2.0

import Compression
import ModelTasks
import Testing

/// Searches for similar embeddings.
@Suite struct EmbeddingIndexTests {
  private func index(_ metric: EmbeddingIndex.Metric) throws -> EmbeddingIndex {
    var index = try EmbeddingIndex(dimension: 2, metric: metric)
    try index.add([1, 0], name: "east")
    try index.add([0, 2], name: "north")
    try index.add([3, 3], name: "north-east")
    try index.add([0, 0], name: "nowhere")
    return index
  }

  @Test func `the nearest come first`() throws {
    let cosine = try index(.cosine).search([5, 0], maxResults: 3)
    #expect(cosine.map(\.name) == ["east", "north-east", "north"])
    #expect(cosine[0].distance == 0)
    #expect(abs(cosine[1].distance - (1 - 0.707_106_78)) < 1e-6)
    let squared = try index(.squaredL2).search([2, 2], maxResults: 9)
    #expect(squared.map(\.name) == ["north-east", "north", "east", "nowhere"])
    #expect(squared.map(\.distance) == [2, 4, 5, 8])
    #expect(try index(.cosine).search([1, 1], maxResults: 0).isEmpty)
  }

  @Test func `embeddings that do not fit are errors`() throws {
    var index = try index(.cosine)
    #expect(throws: EmbeddingIndexError.elementCount(3, wanted: 2)) {
      try index.add([1, 2, 3], name: "")
    }
    #expect(throws: EmbeddingIndexError.notFinite) { try index.add([1, .nan], name: "") }
    #expect(throws: EmbeddingIndexError.notFinite) { try index.search([.infinity, 1]) }
    #expect(throws: EmbeddingIndexError.dimension(0)) { try EmbeddingIndex(dimension: 0) }
    #expect(index.count == 4)
  }

  @Test func `a file gives back the index`() throws {
    for metric in EmbeddingIndex.Metric.allCases {
      let index = try index(metric)
      #expect(try EmbeddingIndex(parsing: index.serialized()) == index)
    }
    let empty = try EmbeddingIndex(dimension: 7)
    #expect(try EmbeddingIndex(parsing: empty.serialized()) == empty)
  }

  @Test func `every broken file is an error`() throws {
    let file = try index(.squaredL2).serialized()
    for end in file.indices {
      #expect(throws: EmbeddingIndexError.self) { try EmbeddingIndex(parsing: Array(file[..<end])) }
    }
    for position in file.indices {
      var broken = file
      broken[position] ^= 0x41
      #expect(throws: EmbeddingIndexError.self, "byte \(position)") {
        try EmbeddingIndex(parsing: broken)
      }
    }
    // Entries beyond every bound.
    var huge = file
    for position in 16..<24 { huge[position] = 0xFF }
    #expect(throws: EmbeddingIndexError.self) { try EmbeddingIndex(parsing: huge) }
  }
}

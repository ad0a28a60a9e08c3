// SPDX-License-Identifier: Apache-2.0

package import FlatBuffers

/// Options of `CONCAT_EMBEDDINGS`.
public struct ConcatEmbeddingsOptions: OptionsTable {
  /// The number of channels.
  public var channelCount: Int32 = 0
  /// The number of columns of each channel.
  public var columnsPerChannel: [Int32] = []
  /// The embedding length of each channel.
  public var embeddingDimensions: [Int32] = []

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    channelCount = try table.scalar(0, default: channelCount)
    columnsPerChannel = try table.int32s(1) ?? columnsPerChannel
    embeddingDimensions = try table.int32s(2) ?? embeddingDimensions
  }
}

/// Options of `EMBEDDING_LOOKUP_SPARSE`.
public struct EmbeddingLookupSparseOptions: OptionsTable {
  /// How the embeddings of one row are combined.
  public var combiner: CombinerType = .sum

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    combiner = try table.enumeration(0, default: combiner, field: "combiner")
  }
}

/// Options of `LSH_PROJECTION`.
public struct LSHProjectionOptions: OptionsTable {
  /// How hash bits become output.
  public var type: LSHProjectionType = .unknown

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    type = try table.enumeration(0, default: type, field: "type")
  }
}

/// Options of `SKIP_GRAM`.
public struct SkipGramOptions: OptionsTable {
  /// Words per n-gram.
  public var ngramSize: Int32 = 0
  /// The most words left out between two of them.
  public var maximumSkip: Int32 = 0
  /// Whether shorter n-grams are included.
  public var includesAllNgrams: Bool = false

  /// The defaults of the schema.
  public init() {}

  package init(_ table: Table) throws(FlatBufferError) {
    ngramSize = try table.scalar(0, default: ngramSize)
    maximumSkip = try table.scalar(1, default: maximumSkip)
    includesAllNgrams = try table.bool(2, default: includesAllNgrams)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// Named embeddings that can be searched for those most like another one.
///
/// ```swift
/// var index = EmbeddingIndex(dimension: 1024)
/// try index.add(embedding.floats, name: "burger.jpg")
/// let nearest = try index.search(other.floats, maxResults: 5)
/// ```
///
/// The search is exact: it looks at every entry. The task library's `ImageSearcher` answers the
/// same question approximately, with files of its own.
public struct EmbeddingIndex: Sendable, Equatable {
  /// How the distance of two embeddings is measured.
  public enum Metric: UInt8, Sendable, Hashable, CaseIterable {
    /// `1 − Σ a[i] b[i] / (‖a‖ ‖b‖)`, from 0 to 2; 1 where one is zero.
    case cosine = 0
    /// `Σ (a[i] − b[i])²`.
    case squaredL2 = 1
  }

  /// An entry that a search found.
  public struct Neighbor: Sendable, Equatable {
    /// The position of the entry, as entries were added.
    public let index: Int
    /// The entry's name.
    public let name: String
    /// How far it lies from what was looked for.
    public let distance: Float
  }

  /// The number of elements of each embedding.
  public let dimension: Int
  /// How distances are measured.
  public let metric: Metric
  /// The names of the entries, as they were added.
  public private(set) var names: [String] = []
  /// The elements of all entries, one after another.
  package private(set) var elements: [Float] = []

  /// The most elements of an embedding.
  package static let largestDimension = 1 << 16
  /// The most elements of all entries together.
  package static let largestElementCount = 1 << 28

  /// An index without entries.
  ///
  /// - Throws: `EmbeddingIndexError.dimension` unless that is from 1 to 65 536.
  public init(dimension: Int, metric: Metric = .cosine) throws(EmbeddingIndexError) {
    guard (1...Self.largestDimension).contains(dimension) else { throw .dimension(dimension) }
    self.dimension = dimension
    self.metric = metric
  }

  /// The number of entries.
  public var count: Int { names.count }

  /// Adds an entry; names may repeat.
  ///
  /// - Throws: `EmbeddingIndexError` for another number of elements than the index has, for
  ///   elements that are no finite numbers, and where the index is full.
  public mutating func add(
    _ embedding: [Float], name: String
  ) throws(EmbeddingIndexError) {
    try check(embedding)
    guard elements.count <= Self.largestElementCount - dimension else { throw .full }
    names.append(name)
    elements += embedding
  }

  /// The elements of an entry.
  ///
  /// - Precondition: `index` is from 0 to `count` − 1.
  public func embedding(at index: Int) -> [Float] {
    precondition(names.indices.contains(index), "no such entry")
    return Array(elements[index * dimension..<(index + 1) * dimension])
  }

  /// The entries nearest to an embedding, the nearest first; equally near ones as they were added.
  ///
  /// - Parameters:
  ///   - embedding: as many elements as those of the index.
  ///   - maxResults: the most entries.
  /// - Returns: the entries with their distances.
  /// - Throws: `EmbeddingIndexError` for another number of elements than the index has, and for
  ///   elements that are no finite numbers.
  public func search(
    _ embedding: [Float], maxResults: Int = 5
  ) throws(EmbeddingIndexError) -> [Neighbor] {
    try check(embedding)
    guard maxResults > 0 else { return [] }
    let distances = names.indices.map { distance(embedding, to: $0) }
    let order = distances.indices.sorted { (distances[$0], $0) < (distances[$1], $1) }
    return order.prefix(maxResults).map {
      Neighbor(index: $0, name: names[$0], distance: distances[$0])
    }
  }

  private func distance(_ embedding: [Float], to index: Int) -> Float {
    let entry = elements.span.extracting(index * dimension..<(index + 1) * dimension)
    switch metric {
    case .squaredL2:
      var sum = 0.0
      for (position, one) in embedding.enumerated() {
        let difference = Double(one) - Double(entry[position])
        sum += difference * difference
      }
      return Float(sum)
    case .cosine: return Float(1 - (Embedding.cosine(embedding.span, entry) ?? 0))
    }
  }

  private func check(_ embedding: [Float]) throws(EmbeddingIndexError) {
    guard embedding.count == dimension else {
      throw .elementCount(embedding.count, wanted: dimension)
    }
    guard embedding.allSatisfy(\.isFinite) else { throw .notFinite }
  }

  /// Takes over entries that are known to be finite.
  package init(
    dimension: Int, metric: Metric, names: [String], elements: [Float]
  ) throws(EmbeddingIndexError) {
    try self.init(dimension: dimension, metric: metric)
    precondition(elements.count == names.count * dimension)
    self.names = names
    self.elements = elements
  }
}

/// Why embeddings cannot be kept, looked for or read.
public enum EmbeddingIndexError: Error, Sendable, Hashable {
  /// Embeddings have from 1 to 65 536 elements.
  case dimension(Int)
  /// An embedding has another number of elements than those of the index.
  case elementCount(Int, wanted: Int)
  /// An element is no finite number.
  case notFinite
  /// The index has as many elements as it can have.
  case full
  /// The file is no index, or not a whole one.
  case file(String, offset: Int)
}

extension EmbeddingIndexError: CustomStringConvertible {
  /// What is wrong, and where in the file.
  public var description: String {
    switch self {
    case .dimension(let count): "embeddings have from 1 to 65536 elements, not \(count)"
    case .elementCount(let count, let wanted):
      "an embedding of \(count) elements for an index of \(wanted)"
    case .notFinite: "an embedding has an element that is no finite number"
    case .full: "the index has no room for more embeddings"
    case .file(let reason, let offset): "the index, byte \(offset): \(reason)"
    }
  }
}

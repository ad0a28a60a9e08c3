// SPDX-License-Identifier: Apache-2.0

import Formatting
import JSONDocuments
import ModelTasks

/// How alike images, sounds or texts are.
enum EmbedTask {
  /// The options that say what is told of a vector.
  static let descriptions: [OptionDescription] =
    [
      .value("search", "file", "Name what in this index is most like each subject."),
      .value("top", "n", "The most names of a search.", defaultValue: "5"),
      .value("head", "n", "The model's output that counts.", defaultValue: "0"),
      .flag("normalize", "Divide vectors by their length."),
      .flag("quantize", "Make elements 8-bit integers."),
    ] + SoundFiles.descriptions + ImageOptions.descriptions + ComputationOptions.descriptions

  /// The task that the arguments ask for.
  static func prepared(_ setup: TaskSetup) throws(CommandError) -> PreparedTask {
    let (arguments, console) = (setup.arguments, setup.console)
    let model = try setup.mainModel()
    let head = try arguments.integer("head", default: 0, in: 0...1 << 16)
    let top = try arguments.integer("top", default: 5, in: 1...1 << 20)
    let searched = try arguments.value("search").map { path throws(CommandError) in
      try console.embeddingIndex(at: path)
    }
    let columns = searched == nil ? ["element", "value"] : ["rank", "name", "distance"]
    return PreparedTask { () throws(CommandError) in
      try SubjectEmbedder(model, setup).task(columns: columns) {
        (embeddings, location) throws(CommandError) in
        guard embeddings.indices.contains(head) else {
          throw arguments.usage("--head \(head) of a model with \(embeddings.count) outputs")
        }
        let embedding = embeddings[head]
        var answer = TaskAnswer()
        if let searched {
          try answer.addNeighbors(of: embedding, in: searched, top: top, subject: location)
        } else {
          answer.add(embedding)
        }
        answer.embedding = embedding
        return answer
      }
    }
  }
}

extension Console {
  /// The index in a file.
  func embeddingIndex(at path: String) throws(CommandError) -> EmbeddingIndex {
    let bytes = try read(path)
    do throws(EmbeddingIndexError) { return try EmbeddingIndex(parsing: bytes) } catch {
      throw .data("\(error)", location: path)
    }
  }
}

extension TaskAnswer {
  /// An embedding.
  fileprivate mutating func add(_ embedding: Embedding) {
    let values = embedding.floats
    lines = ["  \(values.count) elements of \(embedding.headName)"]
    rows = values.enumerated().map { ["\($0)", "\($1)"] }
    members = [
      "head": .string(embedding.headName), "embedding": .array(values.map { .float($0) }),
    ]
  }

  /// What in an index is nearest to an embedding.
  fileprivate mutating func addNeighbors(
    of embedding: Embedding, in index: EmbeddingIndex, top: Int, subject: String
  ) throws(CommandError) {
    let neighbors: [EmbeddingIndex.Neighbor]
    do throws(EmbeddingIndexError) {
      neighbors = try index.search(embedding.floats, maxResults: top)
    } catch {
      throw .data("\(error)", location: subject)
    }
    lines = neighbors.map { "  \(Double($0.distance).fixed(6)) \($0.name)".narrow }
    rows = neighbors.enumerated().map { ["\($0 + 1)", $1.name, "\($1.distance)"] }
    members = [
      "neighbors": .array(
        neighbors.map { ["name": .string($0.name), "distance": .float($0.distance)] })
    ]
  }
}

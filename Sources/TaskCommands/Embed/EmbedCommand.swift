// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import FileAccess
import Formatting
import ImageCodecs
import Imaging
import JSONDocuments
import Martlet
import ModelTasks
import TextTasks
import VisionTasks

/// `martlet embed`: how alike images, sounds or texts are.
package struct EmbedCommand {
  private let arguments: ParsedArguments
  private let console: any Console
  private let computation: ComputationOptions
  private let model: String
  private let subjects: [String]

  package static let description = CommandDescription(
    "embed", "Say how alike images, sounds or texts are.",
    discussion: """
      The model turns each into a vector, and the cosine of two vectors tells how alike they are. \
      What the model takes is told from its inputs: an image, a sound or a text. --add writes the \
      vectors into an index, and --search names what in an index is most like each subject.
      """,
    arguments: [
      ArgumentDescription("model", "A .tflite file.", completion: .files(["tflite"])),
      ArgumentDescription(
        "subject", "Images, WAV files or texts.", isRepeated: true,
        completion: .files(ImageFiles.extensions + SoundFiles.extensions)),
    ],
    options: [
      .value("add", "file", "Add the vectors to an index, which is made if it is not there."),
      .value("search", "file", "Name what in this index is most like each subject."),
      .value("top", "n", "The most names of a search.", defaultValue: "5"),
      .value("head", "n", "The model's output that counts.", defaultValue: "0"),
      .flag("normalize", "Divide vectors by their length."),
      .flag("quantize", "Make elements 8-bit integers."),
    ] + SoundFiles.descriptions + ImageOptions.descriptions + ComputationOptions.descriptions
      + [.json, .csv]
  ) { arguments, console throws(CommandError) in try EmbedCommand(arguments, console).run() }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    self.arguments = arguments
    self.console = console
    computation = try ComputationOptions(arguments)
    model = arguments.argument("model") ?? ""
    subjects = arguments.allArguments("subject")
    guard arguments.value("add") == nil || arguments.value("search") == nil else {
      throw arguments.usage("--add beside --search: one of them at a time")
    }
  }

  private func run() throws(CommandError) -> ExitCode {
    let embedder = try SubjectEmbedder(
      try console.model(at: model), path: model, arguments, console, computation)
    let head = try arguments.integer("head", default: 0, in: 0...1 << 16)
    let top = try arguments.integer("top", default: 5, in: 1...1 << 20)
    let searched = try arguments.value("search").map { path throws(CommandError) in
      try index(at: path)
    }
    var embeddings: [(name: String, embedding: Embedding)] = []
    let isSearch = searched != nil
    let task = TaskRun(
      name: "embed", subject: embedder.subject, model: model,
      columns: isSearch ? ["rank", "name", "distance"] : ["element", "value"],
      computation: computation, form: try OutputForm(arguments), console: console)
    let code = try task.run(subjects) { subject throws(CommandError) in
      let all = try embedder.embed(subject)
      guard all.indices.contains(head) else {
        throw arguments.usage("--head \(head) of a model with \(all.count) outputs")
      }
      let embedding = all[head]
      var answer = TaskAnswer()
      if let searched {
        try answer.addNeighbors(of: embedding, in: searched, top: top, subject: subject)
      } else {
        answer.add(embedding, likenesses: try likenesses(of: embedding, to: embeddings))
      }
      embeddings.append((subject, embedding))
      return answer
    }
    if let path = arguments.value("add") { try add(embeddings, to: path) }
    return code
  }

  /// How alike an embedding and those before it are.
  private func likenesses(
    of embedding: Embedding, to others: [(name: String, embedding: Embedding)]
  ) throws(CommandError) -> [(name: String, cosine: Double)] {
    var likenesses: [(name: String, cosine: Double)] = []
    for other in others {
      do throws(TaskError) {
        likenesses.append(
          (other.name, try Embedding.cosineSimilarity(embedding, other.embedding)))
      } catch {
        throw CommandError(error, model: model, subject: other.name)
      }
    }
    return likenesses
  }

  private func index(at path: String) throws(CommandError) -> EmbeddingIndex {
    let bytes = try console.read(path)
    do throws(EmbeddingIndexError) { return try EmbeddingIndex(parsing: bytes) } catch {
      throw .data("\(error)", location: path)
    }
  }

  private func add(
    _ embeddings: [(name: String, embedding: Embedding)], to path: String
  ) throws(CommandError) {
    guard let first = embeddings.first?.embedding.floats.count else { return }
    var index: EmbeddingIndex
    if Folder.kind(of: path) != nil {
      index = try self.index(at: path)
    } else {
      do throws(EmbeddingIndexError) { index = try EmbeddingIndex(dimension: first) } catch {
        throw .data("\(error)", location: path)
      }
    }
    for (name, embedding) in embeddings {
      do throws(EmbeddingIndexError) { try index.add(embedding.floats, name: name) } catch {
        throw .data("\(error)", location: name)
      }
    }
    try console.write(index.serialized(), to: path)
  }
}

extension TaskAnswer {
  /// An embedding, and how alike it and earlier ones are.
  fileprivate mutating func add(
    _ embedding: Embedding, likenesses: [(name: String, cosine: Double)]
  ) {
    let values = embedding.floats
    lines.append("  \(values.count) elements of \(embedding.headName)")
    lines += likenesses.map { "  \($0.cosine.fixed(6)) like \($0.name)".narrow }
    rows = values.enumerated().map { ["\($0)", "\($1)"] }
    members = [
      "head": .string(embedding.headName), "embedding": .array(values.map { .float($0) }),
      "cosine_similarities": .array(
        likenesses.map { ["to": .string($0.name), "cosine": .number($0.cosine)] }),
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

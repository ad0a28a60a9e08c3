// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Formatting
import ImageCodecs
import JSONDocuments
import ModelTasks

/// `martlet embed`: how alike images, sounds or texts are.
package struct EmbedCommand {
  private let arguments: ParsedArguments
  private let console: any Console
  private let setup: TaskSetup
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
      .value("add", "file", "Add the vectors to an index, which is made if it is not there.")
    ]
      + EmbedTask.descriptions + FrameInput.descriptions + [.json, .csv]
  ) { arguments, console throws(CommandError) in try EmbedCommand(arguments, console).run() }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    self.arguments = arguments
    self.console = console
    setup = try TaskSetup(arguments, console, model: arguments.argument("model") ?? "")
    subjects = arguments.allArguments("subject")
    guard arguments.value("add") == nil || arguments.value("search") == nil else {
      throw arguments.usage("--add beside --search: one of them at a time")
    }
    guard arguments.value("add") == nil || !setup.areFrames else {
      throw arguments.usage("--add beside --frames, which may never end")
    }
  }

  private func run() throws(CommandError) -> ExitCode {
    let frames = try FrameInput(arguments, console, images: subjects)
    let task = try EmbedTask.prepared(setup).make()
    var embeddings: [(name: String, embedding: Embedding)] = []
    var run = try TaskRun(task, setup)
    run.ask = { subject, location throws(CommandError) in
      var answer = try task.answer(subject, at: location)
      guard let embedding = answer.embedding else { return answer }
      if arguments.value("search") == nil {
        answer.add(try likenesses(of: embedding, to: embeddings))
      }
      // Of a stream, the frame before is what counts.
      if frames != nil { embeddings = [] }
      embeddings.append((location, embedding))
      return answer
    }
    let code =
      task.subject == .text
      ? try run.run(texts: subjects) : try run.run(subjects, frames, arguments)
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
        throw CommandError(error, model: setup.model, subject: other.name)
      }
    }
    return likenesses
  }

  private func add(
    _ embeddings: [(name: String, embedding: Embedding)], to path: String
  ) throws(CommandError) {
    guard let first = embeddings.first?.embedding.floats.count else { return }
    var index: EmbeddingIndex
    if Folder.kind(of: path) != nil {
      index = try console.embeddingIndex(at: path)
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
  /// How alike the embedding and earlier ones are.
  fileprivate mutating func add(_ likenesses: [(name: String, cosine: Double)]) {
    lines += likenesses.map { "  \($0.cosine.fixed(6)) like \($0.name)".narrow }
    members = members.adding([
      "cosine_similarities": .array(
        likenesses.map { ["to": .string($0.name), "cosine": .number($0.cosine)] })
    ])
  }
}

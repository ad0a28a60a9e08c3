// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import ImageCodecs
import Imaging
import Martlet
import ModelTasks
import ResourceLimits
import TextTasks
import VisionTasks

/// Embeds what a model takes: images, sounds or texts.
struct SubjectEmbedder {
  /// What the model takes.
  let subject: TaskSubject.Kind
  private let task: Task
  private let model: String
  private let limits: Limits
  private let decode: ([UInt8], String) throws(CommandError) -> AudioClip

  private enum Task {
    case image(ImageEmbedder)
    case sound(AudioEmbedder)
    case text(TextEmbedder)
  }

  /// An embedder by what the model's first input is: numbers of tokens or strings for texts, four
  /// axes with three channels for images, anything else for sounds.
  init(
    _ model: Model, _ setup: TaskSetup
  ) throws(CommandError) {
    let (arguments, computation, path) = (setup.arguments, setup.computation, setup.model)
    self.model = path
    limits = setup.console.limits
    decode = try SoundFiles.decoder(arguments, limits)
    var finishing = EmbeddingOptions()
    finishing.normalizesLength = arguments.flag("normalize")
    finishing.isQuantized = arguments.flag("quantize")
    let input = model.file.subgraphs.first.flatMap { graph in
      graph.inputs.first.flatMap { graph.tensors.indices.contains($0) ? graph.tensors[$0] : nil }
    }
    let isImage = input?.type.shape.dimensions.count == 4
    switch input?.type.elementType {
    case .int32, .string:
      subject = .text
      do throws(TaskError) {
        task = .text(
          try TextEmbedder(model, options: finishing, interpreter: computation.interpreter))
      } catch {
        throw CommandError(error, model: path)
      }
    case _ where isImage:
      subject = .image
      var options = ImageEmbedder.Options()
      options.embedding = finishing
      options.preprocessing = try ImageOptions(arguments).preprocessing
      options.interpreter = computation.interpreter
      do throws(VisionError) { task = .image(try ImageEmbedder(model, options: options)) } catch {
        throw CommandError(error, file: path)
      }
    default:
      subject = .sound
      var options = AudioEmbedder.Options()
      options.embedding = finishing
      options.input = try SoundFiles.input(arguments)
      options.hop = try arguments.integer("hop", in: 1...1 << 28)
      options.interpreter = computation.interpreter
      do throws(AudioTaskError) { task = .sound(try AudioEmbedder(model, options: options)) } catch
      {
        throw CommandError(error, model: path)
      }
    }
  }

  /// The task that says what `say` makes of a subject's vectors: one for each output; of a sound,
  /// those of its first window.
  func task(
    columns: [String], _ say: @escaping ([Embedding], String) throws(CommandError) -> TaskAnswer
  ) -> AskedTask {
    AskedTask("embed", model: model, columns: columns, limits: limits, asking(say))
  }

  private func asking(
    _ say: @escaping ([Embedding], String) throws(CommandError) -> TaskAnswer
  ) -> AskedTask.Asking {
    let (model, decode) = (model, decode)
    switch task {
    case .text(let embedder):
      return .text({ (text, _, location) throws(CommandError) in
        let embeddings: [Embedding]
        do throws(TaskError) { embeddings = try embedder.embed(text) } catch {
          throw CommandError(error, model: model, subject: location)
        }
        return try say(embeddings, location)
      })
    case .image(let embedder):
      return .image({ (image, orientation, location) throws(CommandError) in
        let embeddings: [Embedding]
        do throws(VisionError) {
          embeddings = try embedder.embed(image, orientation: orientation)
        } catch {
          throw CommandError(error, file: location)
        }
        return try say(embeddings, location)
      })
    case .sound(let embedder):
      return .sound({ (bytes, location) throws(CommandError) in
        let clip = try decode(bytes, location)
        let embeddings: [Embedding]
        do throws(AudioTaskError) {
          embeddings = try embedder.embed(clip).first?.embeddings ?? []
        } catch {
          throw CommandError(error, model: model, sound: location)
        }
        return try say(embeddings, location)
      })
    }
  }
}

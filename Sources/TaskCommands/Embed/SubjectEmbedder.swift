// SPDX-License-Identifier: Apache-2.0

import AudioTasks
import ImageCodecs
import Imaging
import Martlet
import ModelTasks
import TextTasks
import VisionTasks

/// Embeds what a model takes: images, sounds or texts.
struct SubjectEmbedder {
  /// What the model takes.
  let subject: TaskRun.Subject
  private let task: Task
  private let console: any Console
  private let model: String
  private let decode: ([UInt8], String) throws(CommandError) -> AudioClip

  private enum Task {
    case image(ImageEmbedder)
    case sound(AudioEmbedder)
    case text(TextEmbedder)
  }

  /// An embedder by what the model's first input is: numbers of tokens or strings for texts, four
  /// axes with three channels for images, anything else for sounds.
  init(
    _ model: Model, path: String, _ arguments: ParsedArguments, _ console: any Console,
    _ computation: ComputationOptions
  ) throws(CommandError) {
    self.console = console
    self.model = path
    decode = try SoundFiles.decoder(arguments, console)
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

  /// The vectors of a subject, one for each output; of a sound, those of its first window.
  func embed(_ subject: String) throws(CommandError) -> [Embedding] {
    switch task {
    case .text(let embedder):
      do throws(TaskError) { return try embedder.embed(subject) } catch {
        throw CommandError(error, model: model, subject: subject)
      }
    case .image(let embedder):
      let decoded = try console.image(at: subject)
      do throws(VisionError) {
        return try embedder.embed(PixelBuffer(decoded), orientation: decoded.orientation ?? .up)
      } catch {
        throw CommandError(error, file: subject)
      }
    case .sound(let embedder):
      let clip = try decode(try console.read(subject), subject)
      do throws(AudioTaskError) { return try embedder.embed(clip).first?.embeddings ?? [] } catch {
        throw CommandError(error, model: model, sound: subject)
      }
    }
  }
}

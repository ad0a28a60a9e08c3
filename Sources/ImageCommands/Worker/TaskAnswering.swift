// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Formatting
import ImageCodecs
import Imaging
import JSONDocuments
import TaskCommands

/// Answers records with a model; each job has its own, with an interpreter of its own.
///
/// What it answers does not depend on what it was asked before, unless it tracks what moves.
protocol RecordAnswering {
  /// The members of the answer that hold the result.
  func answer(_ content: WorkerRecord.Content) throws(WorkerFailure) -> JSON
}

/// Asks a task about images, sounds or texts: its answers are those of the task's command.
struct TaskAnswering: RecordAnswering {
  let task: AskedTask
  /// The word of `--task`.
  let word: String

  func answer(_ content: WorkerRecord.Content) throws(WorkerFailure) -> JSON {
    let (subject, location) = try subject(of: content)
    do throws(CommandError) {
      let answer = try task.answer(subject, at: location)
      guard let image = answer.image else { return answer.members }
      let file: [UInt8]
      do throws(PNGError) { file = try image.encodedAsPNG() } catch {
        throw .data("\(error)", location: location)
      }
      return answer.members.adding(["image_base64": .string(Base64.text(file))])
    } catch {
      throw WorkerFailure(error, otherwise: unfit)
    }
  }

  /// What it means that a subject cannot be decoded or does not fit the model.
  private var unfit: WorkerFailure.Code {
    switch task.subject {
    case .image: .badImage
    case .sound: .badSound
    case .text: .badText
    }
  }

  /// What the record asks about, and its location for errors.
  private func subject(
    of content: WorkerRecord.Content
  ) throws(WorkerFailure) -> (TaskSubject, location: String) {
    switch content {
    case .path(let path, let question):
      let bytes: [UInt8]
      do throws(FileSystemError) { bytes = try InputFile.bytes(ofRegularFile: path) } catch {
        throw WorkerFailure(.file(error), otherwise: unfit)
      }
      guard task.subject == .text else { return (.file(bytes), path) }
      let text = String(decoding: bytes, as: UTF8.self)
      return (.text(text, question: try asked(question)), path)
    case .file(let bytes, let member): return (.file(bytes), member)
    case .text(let text, let question):
      return (.text(text, question: try asked(question)), "text")
    case .tensors:
      throw WorkerFailure(
        .badRequest, "'inputs' goes with --task run, wanted an image",
        at: "--task \(word)")
    }
  }

  /// The question of a record, where the task has a use for it.
  private func asked(_ question: String?) throws(WorkerFailure) -> String? {
    switch (task.question, question) {
    case (.unknown, .some):
      throw WorkerFailure(
        .badRequest, "a 'question', and the model answers none", at: "--task \(word)")
    case (.wanted, nil):
      throw WorkerFailure(
        .badRequest, "no 'question', and the model answers questions", at: "--task \(word)")
    case (_, let question): return question
    }
  }
}

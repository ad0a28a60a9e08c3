// SPDX-License-Identifier: Apache-2.0

import ImageCodecs
package import Imaging
package import ResourceLimits

/// What a task is asked about.
package enum TaskSubject {
  /// The content of a file: an image, a sound or a text, as the task takes them.
  case file([UInt8])
  /// An image in memory, as stored.
  case image(PixelBuffer, ImageOrientation)
  /// A text, and the question that words of it answer, if there is one.
  case text(String, question: String?)

  /// The kinds of things that tasks take.
  package enum Kind: String {
    case image
    case sound
    case text
  }
}

/// A task with its models and options, which is asked about one subject after another.
///
/// Commands, workers and streams of frames ask the same value. It belongs to one thread at a time.
package struct AskedTask {
  /// What answers, by what the task takes; the texts are where subjects come from, for errors.
  package enum Asking {
    case image((PixelBuffer, ImageOrientation, String) throws(CommandError) -> TaskAnswer)
    case sound(([UInt8], String) throws(CommandError) -> TaskAnswer)
    case text((String, String?, String) throws(CommandError) -> TaskAnswer)
  }

  /// What the task does with questions.
  package enum Question {
    /// It takes none.
    case unknown
    /// It has one, which that of a subject replaces.
    case given
    /// It needs one with each subject.
    case wanted
  }

  /// The name of the document: `segment` of `martlet/segment/1`.
  package let name: String
  /// The path of the model.
  package let model: String
  /// The columns of the table behind the subject's own.
  package let columns: [String]
  /// Whether answers depend on the subjects before.
  package var isTracking = false
  package var question = Question.unknown
  private let limits: Limits
  private let asking: Asking

  /// A task.
  ///
  /// - Parameters:
  ///   - name: the name of its documents.
  ///   - model: the path of the model.
  ///   - columns: the columns of its table.
  ///   - limits: what images may take.
  ///   - asking: what answers.
  package init(
    _ name: String, model: String, columns: [String], limits: Limits, _ asking: Asking
  ) {
    self.name = name
    self.model = model
    self.columns = columns
    self.limits = limits
    self.asking = asking
  }

  /// What the task takes.
  package var subject: TaskSubject.Kind {
    switch asking {
    case .image: .image
    case .sound: .sound
    case .text: .text
    }
  }

  /// What the task says of a subject.
  ///
  /// - Parameters:
  ///   - subject: the subject.
  ///   - location: where it comes from, for errors.
  /// - Returns: the answer.
  /// - Throws: `CommandError` where the subject is no such file or does not fit the model, or the
  ///   model cannot compute it.
  package func answer(
    _ subject: TaskSubject, at location: String
  ) throws(CommandError) -> TaskAnswer {
    switch (asking, subject) {
    case (.image(let ask), .file(let bytes)):
      let decoded = try decodedImage(bytes, path: location, limits: limits)
      return try ask(PixelBuffer(decoded), decoded.orientation ?? .up, location)
    case (.image(let ask), .image(let image, let orientation)):
      return try ask(image, orientation, location)
    case (.sound(let ask), .file(let bytes)):
      return try ask(bytes, location)
    case (.text(let ask), .file(let bytes)):
      return try ask(String(decoding: bytes, as: UTF8.self), nil, location)
    case (.text(let ask), .text(let text, let question)):
      return try ask(text, question, location)
    case (.image, .text), (.sound, .image), (.sound, .text), (.text, .image):
      throw .data("the model takes \(self.subject.rawValue)s", location: location)
    }
  }
}

/// A task whose options are read and whose models are loaded.
///
/// Each thread that asks needs a task of its own, which share the models.
package struct PreparedTask {
  /// Makes one more task.
  package let make: () throws(CommandError) -> AskedTask

  package init(_ make: @escaping () throws(CommandError) -> AskedTask) { self.make = make }
}

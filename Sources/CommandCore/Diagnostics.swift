// SPDX-License-Identifier: Apache-2.0

import FileAccess
import FlatBuffers
import Formatting
import JSONDocuments
import Landmarks
import Martlet
import ModelFormat
import Npy
import ResourceLimits

/// An error as the command line prints it: `error: <what> (<where>)`, then at most one hint.
package struct Diagnostic: Sendable, Equatable {
  /// What the process tells the shell.
  package let code: ExitCode
  /// What is wrong.
  package let what: String
  /// The file and the location in it, or the command.
  package let location: String
  /// What helps.
  package let hint: String?

  package init(_ code: ExitCode, _ what: String, at location: String, hint: String? = nil) {
    self.code = code
    self.what = what
    self.location = location
    self.hint = hint
  }

  /// The error on one line.
  package var line: String { Self.printable("error: \(words)") }

  /// The same without the word `error`.
  package var sentence: String { Self.printable(words) }

  private var words: String { "\(what)\(location.isEmpty ? "" : " (\(location))")" }

  /// The error and the hint, each on one line.
  package var text: String {
    line + "\n" + (hint.map { Self.printable("hint: \($0)") + "\n" } ?? "")
  }

  /// The longest line that is printed.
  private static let lengthLimit = 600

  /// The text with control characters escaped and, where it is very long, its middle left out.
  private static func printable(_ text: String) -> String {
    var scalars = Array(text.unicodeScalars)
    if scalars.count > lengthLimit {
      scalars.replaceSubrange(lengthLimit / 2..<scalars.count - lengthLimit / 2, with: ["…"])
    }
    var result = ""
    for scalar in scalars {
      if scalar.actsOnText {
        result += scalar.escaped(asASCII: true)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Diagnostic {
  /// The words for `error`.
  package init(_ error: CommandError) {
    switch error {
    case .usage(let message, let command, let hint):
      self.init(
        .usage, message, at: command,
        hint: hint ?? "'\(Self.helpCommand(command))' shows what it takes")
    case .file(let error):
      self.init(file: error)
    case .inference(let error, let model):
      self.init(inference: error, model: model)
    case .npy(let error, let file):
      let location = error.offset.map { "\(file), byte \($0)" } ?? file
      self.init(.badData, error.reason, at: location)
    case .json(let error, let file):
      self.init(.badData, "no JSON document: \(error.reason)", at: "\(file), byte \(error.offset)")
    case .host(let error, let location):
      self.init(host: error, location: location)
    case .data(let message, let location, let hint):
      self.init(.badData, message, at: location, hint: hint)
    case .missing(let message, let location, let hint):
      self.init(.missingInput, message, at: location, hint: hint)
    }
  }

  /// `martlet run` asks for help as `martlet help run`.
  private static func helpCommand(_ command: String) -> String {
    let words = command.split(separator: " ", maxSplits: 1)
    return (words.prefix(1) + ["help"] + words.dropFirst()).joined(separator: " ")
  }

  private init(file error: FileSystemError) {
    switch error.operation {
    case .read:
      let (code, reason) = Self.reading(error.code, error.reason)
      self.init(code, "cannot read: \(reason)", at: error.path)
    case .write, .create:
      let verb = error.operation == .write ? "write" : "make folder"
      self.init(.inputOutput, "cannot \(verb): \(error.reason)", at: error.path)
    }
  }

  /// A missing file, one that is no regular file, or trouble with the disk.
  private static func reading(_ code: Int32, _ reason: String) -> (ExitCode, String) {
    switch SystemErrorKind(code) {
    case .missing: (.missingInput, reason)
    case .notAFile: (.badData, reason)
    case .other: (.inputOutput, reason)
    }
  }

  /// Whether a file is no model because it is a bundle of models, by its name.
  private static func isBundle(_ error: ModelError, at path: String) -> Bool {
    guard case .notAModel = error.reason else { return false }
    return path.lowercased().hasSuffix(".task")
  }

  private init(inference error: InferenceError, model: String) {
    let location = error.location.isEmpty ? model : "\(model) › \(error.location)"
    switch error.reason {
    case .file(let error):
      let (code, reason) = Self.reading(error.code, error.description)
      self.init(code, "cannot read: \(reason)", at: error.path)
    case .unsupportedOperator(PoseNetDecoder.customOperator):
      self.init(
        .badData, error.sentence, at: location,
        hint: "'martlet pose MODEL IMAGE…' brings it, and runs the model")
    case .unsupportedOperator:
      self.init(
        .badData, error.sentence, at: location,
        hint: "'martlet ops' lists the operators that are")
    case .cancelled:
      self.init(.temporary, error.sentence, at: location)
    case .memoryLimit(let needed, _):
      self.init(
        .badData, error.sentence, at: location,
        hint: error.isAboutTensor
          ? LimitOption.raising(\.tensorByteCount, or: \Limits.arenaByteCount, to: needed)
          : LimitOption.raising(\.arenaByteCount, to: needed))
    case .operationLimit(let needed, _):
      self.init(
        .badData, error.sentence, at: location,
        hint: LimitOption.raising(\.nodeOperationCount, to: needed))
    case .workLimit(let needed, _):
      self.init(
        .badData, error.sentence, at: location, hint: LimitOption.raising(\.workCount, to: needed))
    case .timeLimit:
      self.init(.temporary, error.sentence, at: location)
    case .model(let fault) where Self.isBundle(fault, at: model):
      self.init(
        .badData, "a bundle of models, which this command does not take", at: location,
        hint: "'martlet inspect \(model)' says which do")
    case .model, .kernel, .invalidRequest, .invalidGraph:
      self.init(.badData, error.sentence, at: location)
    }
  }
}

extension InferenceError {
  /// Whether what is wrong concerns a tensor, and not a node or all of them.
  fileprivate var isAboutTensor: Bool {
    if case .tensor = path.last { true } else { false }
  }
}

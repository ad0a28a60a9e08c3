// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat

/// `martlet metadata`: what models say about themselves.
package enum MetadataCommand {
  package static let description = CommandDescription(
    "metadata", "Show, extract, add and strip metadata and associated files.",
    subcommands: [
      MetadataShowCommand.description, MetadataExtractCommand.description,
      MetadataAddCommand.description, MetadataStripCommand.description,
    ])

  /// The argument that is a model to read.
  static let model = ArgumentDescription(
    "model", "The model; - reads it from standard input.", completion: .files(["tflite"]))

  /// Writes `bytes`, a model made from the one at `path`, and prints what the user wants to see.
  static func finish(
    _ bytes: [UInt8], from path: String, _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) {
    let output = try arguments.output()
    let written = try naming(output) { () throws(InferenceError) in try Model(bytes: bytes) }
    try console.write(bytes, to: output)
    if arguments.flag("json") {
      try console.print(MetadataReport(written).document(path: path, output: output))
    }
  }
}

extension CommandError {
  /// The same error as a command's.
  init(_ error: MetadataError, model: String) {
    if case .model(let error) = error {
      self = .inference(InferenceError(.model(error), path: error.path), model: model)
    } else {
      self = .data("\(error)", location: model)
    }
  }
}

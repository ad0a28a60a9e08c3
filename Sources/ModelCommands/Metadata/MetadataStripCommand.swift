// SPDX-License-Identifier: Apache-2.0

import Martlet

/// `martlet metadata strip`: a model without metadata and files.
enum MetadataStripCommand {
  static let description = CommandDescription(
    "strip", "Write a model without its metadata and associated files.",
    discussion: """
      What 'metadata add' did to a file is undone to the byte. Metadata that came from elsewhere \
      becomes zeros, and the file gets no larger. All other entries, such as min_runtime_version, \
      stay.
      """,
    arguments: [MetadataCommand.model], options: [.output(["tflite"]), .json]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("model")
    _ = try arguments.output()
    let model = try console.model(at: path)
    let bytes: [UInt8]
    do throws(MetadataError) { bytes = try model.bytes(with: nil) } catch {
      throw CommandError(error, model: path)
    }
    try MetadataCommand.finish(bytes, from: path, arguments, console)
    return .success
  }
}

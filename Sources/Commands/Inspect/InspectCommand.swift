// SPDX-License-Identifier: Apache-2.0

import Martlet
import Verification

/// `martlet inspect`: what a model holds and how it would be computed.
enum InspectCommand {
  static let description = CommandDescription(
    "inspect", "Show what a model holds and how it would be computed.",
    arguments: [
      ArgumentDescription(
        "model", "The model; - reads it from standard input.", completion: .files(["tflite"]))
    ],
    options: [
      .flag("tensors", letter: "t", "List every tensor."),
      .flag("memory", letter: "m", "List where tensors lie in the arena, and when."),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("model")
    let model = try console.model(at: path)
    let summary = ModelSummary(model, path: path, options: Interpreter.Options())
    let metadata = MetadataReport(model)
    let (tensors, memory) = (arguments.flag("tensors"), arguments.flag("memory"))
    if arguments.flag("json") {
      try console.print(summary.json(metadata, tensors: tensors, memory: memory))
    } else {
      try console.print(summary.text(metadata, tensors: tensors, memory: memory))
    }
    return .success
  }
}

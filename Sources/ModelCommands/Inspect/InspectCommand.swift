// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import Martlet
import ModelChecks
import ModelFormat
import ModelSummaries

/// `martlet inspect`: what a model holds and how it would be computed.
package enum InspectCommand {
  package static let description = CommandDescription(
    "inspect", "Show what a model holds and how it would be computed.",
    discussion: """
      With --tree, the file is shown as it lies there instead: every table with its fields, where \
      it begins, and how many bytes it takes with all below. Models that cannot run are shown, too, \
      and broken tables at their location. Of a .task file, the models in it are listed.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The model; - reads it from standard input.",
        completion: .files(["tflite", "task"]))
    ],
    options: [
      .flag("tensors", letter: "t", "List every tensor."),
      .flag("memory", "List where tensors lie in the arena, and when.").called(earlier: "m"),
      .flag("tree", "Show the file table by table."),
      .value("depth", "n", "With --tree, how many levels below the root are shown."),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("model")
    let (tensors, memory) = (arguments.flag("tensors"), arguments.flag("memory"))
    if arguments.flag("tree") {
      guard !tensors, !memory else {
        throw arguments.usage("--tree beside --tensors or --memory, which show something else")
      }
      try showTree(path, arguments, console)
      return .success
    }
    guard arguments.value("depth") == nil else { throw arguments.usage("--depth without --tree") }
    if path.lowercased().hasSuffix(".task") {
      guard !tensors, !memory else {
        throw arguments.usage("--tensors and --memory are for models; a .task file holds several")
      }
      return try BundleInspection(path, console).show(asJSON: arguments.flag("json"))
    }
    let model = try console.model(at: path)
    let fits = TaskRecognition(model).fits
    let summary = ModelSummary(model, path: path, options: Interpreter.Options())
    let metadata = MetadataReport(model)
    if arguments.flag("json") {
      let document = summary.json(metadata, tensors: tensors, memory: memory)
      try console.print(document.adding(["fits": .array(fits.map(\.json))]))
    } else {
      try console.print(summary.text(metadata, fits: fits, tensors: tensors, memory: memory))
    }
    return .success
  }

  private static func showTree(
    _ path: String, _ arguments: ParsedArguments, _ console: any Console
  ) throws(CommandError) {
    let depth = try arguments.integer("depth", default: Int.max, in: 0...Int.max)
    let storage = try console.storage(at: path)
    let tree: ModelTree
    do throws(ModelError) {
      tree = try ModelTree(of: storage.bytes, limits: console.limits)
    } catch {
      throw .inference(InferenceError(.model(error), path: error.path), model: path)
    }
    if arguments.flag("json") {
      try console.print(tree.json(model: path, depth: depth))
    } else {
      try console.print(tree.text(model: path, depth: depth))
    }
  }
}

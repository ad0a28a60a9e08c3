// SPDX-License-Identifier: Apache-2.0

import FileAccess
import GoldenCases
import JSONDocuments
import Martlet

/// `martlet verify --record`: one run of a model, stored as a golden case.
struct GoldenRecording {
  private let folder: String
  private let path: String
  private let inputs: RunInputs
  private let computation: ComputationOptions
  private let arguments: ParsedArguments

  init(_ arguments: ParsedArguments, folder: String) throws(CommandError) {
    let paths = arguments.allArguments("path")
    guard paths.count == 1 else {
      throw arguments.usage("\(paths.count) paths with '--record', wanted one model")
    }
    (self.folder, path) = (folder, paths[0])
    inputs = try RunInputs(arguments, madeUp: nil)
    computation = try ComputationOptions(arguments)
    self.arguments = arguments
  }

  func run(_ console: any Console) throws(CommandError) -> ExitCode {
    let model = try console.model(at: path)
    let signature = arguments.value("signature")
    let interpreter = try naming(path) { () throws(InferenceError) in
      try Interpreter(model, signature: signature, options: computation.interpreter)
    }
    try inputs.apply(
      to: interpreter, model: path, command: arguments.command, console: console)
    try naming(path) { () throws(InferenceError) in try interpreter.invoke() }
    do throws(GoldenError) {
      try interpreter.storeGolden(in: folder, model: storedPath, signature: signature)
    } catch {
      throw CommandError(error)
    }
    if arguments.flag("json") {
      try console.print(
        JSON.record(["schema": "martlet/golden/1", "case": .string(folder)])
          .adding(computation.members))
    } else {
      console.note("\(computation.summary): \(folder)\n")
    }
    return .success
  }

  /// The model's path as the case has it; nil where the case finds the model by itself.
  private var storedPath: String? {
    guard let model = Folder.resolved(path) else { return path }
    guard let home = Folder.parent(of: model), model == "\(home)/model.tflite" else { return model }
    // The folder itself may still be missing.
    let above = Folder.parent(of: folder).flatMap { Folder.resolved($0.isEmpty ? "." : $0) }
    let location = Folder.resolved(folder) ?? above ?? folder
    return location == home || location.hasPrefix(home + "/") ? nil : model
  }
}

// SPDX-License-Identifier: Apache-2.0

import Martlet
import ModelFormat
import Tensors
import Verification

/// `martlet run`: one inference, or a list of them.
struct RunCommand {
  let computation: ComputationOptions
  let inputs: RunInputs
  let signature: String?
  let outputFolder: String?
  let keepsAllTensors: Bool
  let printsJSON: Bool
  let command: String
  let console: any Console

  static let description = CommandDescription(
    "run", "Run a model and show or store its outputs.",
    discussion: """
      Inputs come from npy, npz, png, raw or bin files, by name or in the model's order. An \
      array whose shape differs from the model's resizes the input. Outputs are printed, or \
      stored as out_0.npy, out_1.npy and so on.

      With --batch, a file lists one run per line, with tabs between the columns: model, input \
      files with commas between them, output folder and, if wanted, a signature.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The model; - reads it from standard input.", isOptional: true,
        completion: .files(["tflite"]))
    ],
    options: [
      .value(
        "input", letter: "i", "[name=]file", "Values of an input; may be given for each.",
        isRepeated: true, completion: .files([])),
      .choice(
        "fill", InputFill.Kind.allCases.map(\.rawValue),
        "Make up the values of inputs without a file."),
      .value("seed", "n", "Where --fill random begins.", defaultValue: "0"),
      .value(
        "output-dir", letter: "o", "dir", "Store the outputs here, as npy files.",
        completion: .folders),
      .value("signature", "key", "Run this signature instead of the main graph."),
      .value(
        "resize", "name=1x224x224x3", "Give an input another shape; may be given for each.",
        isRepeated: true),
    ] + ComputationOptions.descriptions + [
      .flag("keep-all", "Store every tensor of the run too, as tensor_<index>.npy."),
      .value(
        "batch", "list", "Run what this file lists; - reads standard input.",
        completion: .files([])),
      .json,
    ]
  ) { arguments, console throws(CommandError) in
    let run = try RunCommand(arguments, console)
    guard let list = arguments.value("batch") else {
      return try run.once(model: try arguments.required("model"))
    }
    if let model = arguments.argument("model") {
      throw arguments.usage("'\(model)' beside --batch, whose lines name the models")
    }
    return try BatchRun(run, list: list).run()
  }

  private init(_ arguments: ParsedArguments, _ console: any Console) throws(CommandError) {
    computation = try ComputationOptions(arguments)
    signature = arguments.value("signature")
    outputFolder = arguments.value("output-dir")
    keepsAllTensors = arguments.flag("keep-all")
    printsJSON = arguments.flag("json")
    command = arguments.command
    self.console = console
    var inputs = RunInputs()
    inputs.files = arguments.allValues("input")
    let seed = try arguments.integer("seed", default: 0, in: 0...Int.max)
    inputs.fill = arguments.value("fill").flatMap(InputFill.Kind.init).map {
      InputFill($0, seed: UInt64(seed))
    }
    for text in arguments.allValues("resize") {
      inputs.shapes.append(try Self.shape(text, arguments))
    }
    self.inputs = inputs
    let isBatch = arguments.value("batch") != nil
    if keepsAllTensors, outputFolder == nil, !isBatch {
      throw arguments.usage("--keep-all without --output-dir")
    }
    if isBatch, outputFolder != nil {
      throw arguments.usage("--output-dir beside --batch, whose lines name the folders")
    }
  }

  /// `NAME=1x2x3` in parts.
  private static func shape(
    _ text: String, _ arguments: ParsedArguments
  ) throws(CommandError) -> (String, Shape) {
    guard let sign = text.lastIndex(of: "="), sign > text.startIndex else {
      throw arguments.usage("'\(text)' for '--resize', wanted NAME=1x2x3")
    }
    let lengths = text[text.index(after: sign)...].split(
      separator: "x", omittingEmptySubsequences: false)
    let dimensions = lengths.compactMap { Int($0) }
    guard dimensions.count == lengths.count, let shape = try? Shape(dimensions) else {
      throw arguments.usage("'\(text)' for '--resize', wanted NAME=1x2x3")
    }
    return (String(text[..<sign]), shape)
  }

  private func once(model path: String) throws(CommandError) -> ExitCode {
    let model = try console.model(at: path)
    let interpreter = try interpreter(model, path, signature: signature)
    try inputs.apply(to: interpreter, model: path, command: command, console: console)
    let clock = ContinuousClock()
    let start = clock.now
    try naming(path) { () throws(InferenceError) in try interpreter.invoke() }
    let duration = clock.now - start
    let outputs = try RunOutputs(of: interpreter, model: path)
    if let outputFolder {
      try outputs.write(to: outputFolder)
      if keepsAllTensors { try RunOutputs.writeAllTensors(of: interpreter, to: outputFolder) }
    }
    if printsJSON {
      try console.print(
        .object(
          [JSON.Member("schema", "martlet/run/1"), JSON.Member("model", .string(path))]
            + (signature.map { [JSON.Member("signature", .string($0))] } ?? [])
            + computation.members
            + [
              JSON.Member("invoke_ms", .number(duration.milliseconds)),
              JSON.Member("outputs", outputs.json(folder: outputFolder)),
            ]))
    } else {
      console.note("\(computation.summary), \(duration.milliseconds.short(4)) ms\n")
      try console.print(outputs.text)
    }
    return .success
  }

  /// An interpreter with the command's options.
  func interpreter(
    _ model: Model, _ path: String, signature: String?
  ) throws(CommandError) -> Interpreter {
    if let signature, !model.file.signatures.contains(where: { $0.key == signature }) {
      let known = model.file.signatures.map { "'\($0.key)'" }.joined(separator: ", ")
      throw .usage(
        "no signature '\(signature)' in \(path)", command: command,
        hint: known.isEmpty ? "the model has no signatures" : "the model has \(known)")
    }
    var options = computation.interpreter
    options.keepsAllTensors = keepsAllTensors
    return try naming(path) { () throws(InferenceError) in
      try Interpreter(model, signature: signature, options: options)
    }
  }
}

extension Duration {
  /// The duration in milliseconds.
  package var milliseconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) * 1e3 + Double(attoseconds) * 1e-15
  }
}

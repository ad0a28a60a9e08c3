// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Formatting
import GoldenCases
import JSONDocuments
import Martlet
import ModelFormat

/// `martlet extract`: parts of a model as models of their own.
package struct ExtractCommand {
  private let arguments: ParsedArguments
  private let console: any Console
  private let path: String
  private let model: Model

  package static let description = CommandDescription(
    "extract", "Cut nodes out of a model, as models of their own.",
    discussion: """
      Inputs of the new model are the tensors that its nodes read and do not write, without \
      constants; outputs are those that they write for others. Between --inputs and --outputs lie \
      the nodes that compute the ones from the others. Nodes whose results follow from constants, \
      or that make the handles of variables and tables, and subgraphs that nodes call, come along.

      With --record, the whole model runs once, and beside each new model a folder of the same \
      name receives its inputs and outputs as a golden case, which 'martlet verify' runs.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The model; - reads it from standard input.", completion: .files(["tflite"]))
    ],
    options: [
      .value("node", letter: "n", "n", "One node, by its index."),
      .value("nodes", "3,7-9", "Several nodes."),
      .value("inputs", "name|index,…", "Where the part begins; the graph's inputs otherwise."),
      .value("outputs", "name|index,…", "Where it ends; the graph's outputs otherwise."),
      .flag("all", "Every node as a model of its own, in the folder of --output-dir."),
      .flag(
        "unique", "With --all, only the first of nodes with equal operator, options and shapes."),
      .value(
        "operator", "name", "With --all, only nodes of this operator; may be given for each.",
        isRepeated: true),
      .value("subgraph", "n", "The nodes' subgraph; the one that runs unless given."),
      .output(["tflite"]),
      .value(
        "output-dir", "folder", "Where the files go; made where it is missing.",
        completion: .folders),
      .flag("record", "Run the model and store each part's inputs and outputs."),
    ] + RunInputs.descriptions + ComputationOptions.descriptions + [.json]
  ) { arguments, console throws(CommandError) in
    let path = try arguments.required("model")
    let request = try ExtractionRequest(arguments)
    let command = ExtractCommand(
      arguments: arguments, console: console, path: path, model: try console.model(at: path))
    return try command.run(request)
  }

  private func run(_ request: ExtractionRequest) throws(CommandError) -> ExitCode {
    try model.checkSignature(
      arguments.value("signature"), at: path, command: arguments.command)
    let recording = try arguments.flag("record") ? recording() : nil
    let named = Folder.lastName(of: path)
    var extracted: [ExtractedPart] = []
    for (part, file) in try request.parts(of: model, at: path, arguments) {
      let bytes: [UInt8]
      do throws(ExtractionError) { bytes = try model.bytes(of: part, named: named) } catch {
        throw .data("\(error)", location: path)
      }
      if let folder = request.folder {
        do throws(FileSystemError) { try Folder.create(at: folder) } catch { throw .file(error) }
      }
      try console.write(bytes, to: file)
      var result = ExtractedPart(part, file: file, byteCount: bytes.count)
      if let recording {
        do throws(GoldenError) {
          result.outcome = try recording.store(
            part, bytes, model: "../\(Folder.lastName(of: file))", in: result.caseFolder)
        } catch {
          throw CommandError(error)
        }
      }
      extracted.append(result)
    }
    try report(extracted)
    return .success
  }

  /// A run of the whole model on the command's inputs.
  private func recording() throws(CommandError) -> PartRecording {
    let inputs = try RunInputs(arguments, madeUp: nil)
    let interpreter = try ComputationOptions(arguments).interpreter(
      of: model, path, signature: arguments.value("signature"), keepsAllTensors: true,
      command: arguments.command)
    try inputs.apply(
      to: interpreter, model: path, command: arguments.command, console: console)
    try naming(path) { () throws(InferenceError) in try interpreter.invoke() }
    return PartRecording(of: interpreter, named: Folder.lastName(of: path))
  }

  private func report(_ extracted: [ExtractedPart]) throws(CommandError) {
    for part in extracted {
      if case .left(let reason) = part.outcome {
        console.note("note: no golden case for \(part.part.title): \(reason)\n")
      }
    }
    if arguments.flag("json") {
      try console.print([
        "schema": "martlet/extract/1", "model": .string(path),
        "parts": .array(extracted.map { $0.json(model) }),
      ])
    } else if let folder = arguments.value("output-dir"), arguments.flag("all") {
      let rows = extracted.map(\.row)
      try console.print(
        "\(folder.printable)\n"
          + TextTable(rows, left: [0, 2], shortening: [0]).text)
    } else if arguments.value("output") != "-" {
      try console.print(extracted.map { $0.text(model) }.joined(separator: "\n"))
    }
  }
}

/// A part that has been written.
private struct ExtractedPart {
  let part: ModelPart
  let file: String
  let byteCount: Int
  var outcome: PartRecording.Outcome?

  init(_ part: ModelPart, file: String, byteCount: Int) {
    self.part = part
    self.file = file
    self.byteCount = byteCount
  }

  /// The folder of the part's case: the file's name without `.tflite`, or with `.case`.
  var caseFolder: String {
    file.hasSuffix(".tflite") ? String(file.dropLast(7)) : file + ".case"
  }

  /// The file in its folder, its size and whether there is a case.
  var row: [String] {
    [
      "  \(Folder.lastName(of: file).printable)", byteCount.byteText,
      outcome == .stored ? "recorded" : "",
    ]
  }

  /// The same with inputs and outputs.
  func text(_ model: Model) -> String {
    let graph = model.file.subgraphs[part.subgraph]
    func names(_ tensors: [Int]) -> String {
      let names = tensors.map { graph.tensors[$0].name.printable(upTo: 40) }
      return names.count <= 3 ? names.joined(separator: ", ") : "\(names.count) tensors"
    }
    let recorded = outcome == .stored ? ", recorded" : ""
    return """
      \(file.printable)
      \("  \(part.title), \(byteCount.byteText)\(recorded)".narrow)
      \("  inputs   \(names(part.inputs))".wrapped(to: String.narrowLineLength, indentation: 11))
      \("  outputs  \(names(part.outputs))".wrapped(to: String.narrowLineLength, indentation: 11))
      """
  }

  func json(_ model: Model) -> JSON {
    let graph = model.file.subgraphs[part.subgraph]
    func tensors(_ indices: [Int]) -> JSON {
      .array(indices.map { ["tensor": .integer($0), "name": .string(graph.tensors[$0].name)] })
    }
    let reason: String? = if case .left(let reason) = outcome { reason } else { nil }
    return .record([
      "file": .string(file), "bytes": .integer(byteCount), "subgraph": .integer(part.subgraph),
      "nodes": .array(part.nodes.map { .integer($0) }),
      "operators": .array(part.nodes.map { .string(graph.nodes[$0].identity.name) }),
      "inputs": tensors(part.inputs), "outputs": tensors(part.outputs),
      "case": outcome == .stored ? .string(caseFolder) : nil,
      "no_case": reason.map { .string($0) },
    ])
  }
}

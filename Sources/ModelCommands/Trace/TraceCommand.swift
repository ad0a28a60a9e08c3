// SPDX-License-Identifier: Apache-2.0

import FileAccess
import JSONDocuments
import Martlet
import Npy
import Traces

/// `martlet trace`: one inference, of which every tensor is recorded.
package enum TraceCommand {
  package static let description = CommandDescription(
    "trace", "Run a model and record every tensor.",
    discussion: """
      Each node is computed by itself, with the same results as otherwise. The npz file gets all \
      inputs and everything that nodes compute, in subgraphs of loops and branches too; the \
      report has each node's time and each tensor's statistics. Docs/CommandLine.md explains the \
      names of the arrays.
      """,
    arguments: [
      ArgumentDescription(
        "model", "The model; - reads it from standard input.", completion: .files(["tflite"]))
    ],
    options: [
      .value(
        "output", letter: "o", "file.npz", "Store the values here.",
        completion: .files(["npz"])),
      invocations,
    ] + RunInputs.descriptions + ComputationOptions.descriptions + [.json]
  ) { arguments, console throws(CommandError) in
    let computation = try ComputationOptions(arguments)
    let inputs = try RunInputs(arguments, madeUp: nil)
    let limit = try invocationLimit(arguments)
    let path = try arguments.required("model")
    let output = arguments.value("output")
    if output == "-", arguments.flag("json") {
      throw arguments.usage("--json beside '--output -': only one of them fits standard output")
    }
    let model = try console.model(at: path, showsValues: true)
    let interpreter = try computation.interpreter(
      of: model, path, signature: arguments.value("signature"), command: arguments.command)
    try inputs.apply(to: interpreter, model: path, command: arguments.command, console: console)
    let trace = try record(interpreter, path, to: output, limit, console)
    if output == "-" {
      console.note("\(computation.summary)\n")
    } else if arguments.flag("json") {
      try console.print(
        JSON.record([
          "schema": "martlet/trace/1", "model": .string(path),
          "signature": arguments.value("signature").map { .string($0) },
        ]).adding(computation.members).adding(["file": output.map { .string($0) }])
          .adding(trace.json))
    } else {
      console.note("\(computation.summary)\n")
      try console.print(TraceTable(trace).text)
    }
    return .success
  }

  /// `--invocations`, which says how much of a loop is recorded.
  static let invocations = OptionDescription.value(
    "invocations", "n", "How many runs of each subgraph are recorded, as loops have many.",
    defaultValue: "\(Interpreter.recordedInvocations)")

  /// What `--invocations` says.
  static func invocationLimit(_ arguments: ParsedArguments) throws(CommandError) -> Int {
    try arguments.integer(
      "invocations", default: Interpreter.recordedInvocations, in: 1...1_000_000)
  }

  private static func record(
    _ interpreter: Interpreter, _ model: String, to output: String?, _ limit: Int,
    _ console: any Console
  ) throws(CommandError) -> Trace {
    let file = output ?? ""
    var writer: NpzWriter?
    do throws(FileSystemError) {
      if output == "-" {
        writer = NpzWriter { (bytes) throws(FileSystemError) in try console.write(bytes) }
      } else if let output {
        writer = try NpzWriter(to: output)
      }
    } catch {
      throw .file(error)
    }
    let trace: Trace
    do throws(TraceError) {
      trace = try interpreter.trace(into: writer, invocationLimit: limit)
    } catch {
      throw CommandError(error, model: model, file: file)
    }
    do throws(NpzFileError) { try writer?.finish() } catch {
      throw CommandError(error, file: file)
    }
    return trace
  }
}

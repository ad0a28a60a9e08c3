// SPDX-License-Identifier: Apache-2.0

import FileAccess
import JSONDocuments
import Martlet

/// `martlet run --batch`: one process that does what the lines of a list say.
///
/// Models that repeat are loaded once; each line has an interpreter of its own. A line that
/// fails leaves `error.txt` in its output folder, and the others go on.
final class BatchRun {
  private let command: RunCommand
  private let list: String
  private var models: [String: Model] = [:]

  init(_ command: RunCommand, list: String) {
    self.command = command
    self.list = list
  }

  /// One line of the list.
  private struct Line {
    let number: Int
    let model: String
    let files: [String]
    let folder: String
    let signature: String?
  }

  func run() throws(CommandError) -> ExitCode {
    let text = String(decoding: try command.console.read(list), as: UTF8.self)
    var results: [(folder: String, diagnostic: Diagnostic?)] = []
    // Carriage return and line feed are one character to Swift.
    for (index, row) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated() where !row.isEmpty
    {
      results.append(process(String(row), number: index + 1))
    }
    let failed = results.count { $0.diagnostic != nil }
    if command.printsJSON {
      try command.console.print(json(results))
    } else {
      try command.console.print(
        "\(results.count) runs, \(failed) failed (\(command.computation.summary))")
    }
    return failed == 0 ? .success : .failure
  }

  /// Runs one line; the error, if any, is in the folder and on standard error.
  private func process(_ row: String, number: Int) -> (folder: String, diagnostic: Diagnostic?) {
    var folder = ""
    do throws(CommandError) {
      let line = try parse(row, number: number)
      folder = line.folder
      try infer(line)
      return (folder, nil)
    } catch {
      let diagnostic = Diagnostic(error)
      command.console.note(diagnostic.line + "\n")
      if !folder.isEmpty { store(diagnostic, in: folder) }
      return (folder, diagnostic)
    }
  }

  private func store(_ diagnostic: Diagnostic, in folder: String) {
    do throws(FileSystemError) {
      try Folder.create(at: folder)
      try OutputFile.write(Array((diagnostic.line + "\n").utf8), to: "\(folder)/error.txt")
    } catch {
      command.console.note(Diagnostic(.file(error)).line + "\n")
    }
  }

  private func parse(_ row: String, number: Int) throws(CommandError) -> Line {
    let columns = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard (3...4).contains(columns.count), !columns[0].isEmpty, !columns[2].isEmpty else {
      throw .data(
        "line \(number) is not MODEL, INPUTS, FOLDER and perhaps SIGNATURE with tabs between",
        location: list)
    }
    return Line(
      number: number, model: columns[0], files: columns[1].split(separator: ",").map(String.init),
      folder: columns[2],
      signature: columns.count == 4 && !columns[3].isEmpty ? columns[3] : command.signature)
  }

  private func infer(_ line: Line) throws(CommandError) {
    let model = try model(at: line.model)
    let interpreter = try command.interpreter(model, line.model, signature: line.signature)
    var inputs = command.inputs
    inputs.files += line.files
    try inputs.apply(
      to: interpreter, model: line.model, command: command.command, console: command.console)
    try naming(line.model) { () throws(InferenceError) in try interpreter.invoke() }
    try RunOutputs(of: interpreter, model: line.model).write(to: line.folder)
    if command.keepsAllTensors {
      try RunOutputs.writeAllTensors(of: interpreter, to: line.folder)
    }
  }

  private func model(at path: String) throws(CommandError) -> Model {
    if let model = models[path] { return model }
    let model = try command.console.model(at: path)
    models[path] = model
    return model
  }

  private func json(_ results: [(folder: String, diagnostic: Diagnostic?)]) -> JSON {
    let rows = results.map { folder, diagnostic in
      JSON.record([
        "output_dir": .string(folder), "error": diagnostic.map { .string($0.what) },
        "place": diagnostic.map { .string($0.location) },
        "code": diagnostic.map { .integer(Int($0.code.rawValue)) },
      ])
    }
    return JSON.record(["schema": "martlet/batch/1"]).adding(command.computation.members)
      .adding(["runs": .array(rows)])
  }
}

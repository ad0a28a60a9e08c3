// SPDX-License-Identifier: Apache-2.0

import FileAccess
import GoldenCases
import Martlet
import Npy
import OptimizedKernels
import ReferenceKernels

/// `martlet verify`: golden cases, run and compared.
package enum VerifyCommand {
  package static let description = CommandDescription(
    "verify", "Run golden cases and compare the outputs, or store new ones.",
    discussion: """
      A golden case is a folder with inputs in_0.npy, in_1.npy and so on, expected outputs \
      out_0.npy and so on, perhaps a case.json, and a model.tflite there or above. Files of bare \
      bytes (in_0.raw) and archives (in.npz and out.npz, or io.npz) do as well. All cases below \
      the given folders are run. Integers must be equal, floats within the case's tolerance or \
      2e-5 of the largest magnitude.

      With --record, the path is a model; it runs once, and its inputs and outputs become a case.
      """,
    arguments: [
      ArgumentDescription(
        "path", "A folder with cases, or with --record a model.", isRepeated: true,
        completion: .folders)
    ],
    options: ComputationOptions.descriptions
      + ToleranceOptions.descriptions("What a float may be off by, whatever the case says.")
      + [
        .value(
          "tolerance", "name=x",
          "What floats of one operator's or one model's cases may be off by; may be given for each.",
          isRepeated: true),
        .flag("both-kernels", "Run every case with the other set of kernels, too."),
        .value(
          "junit", "file", "Write the results as JUnit XML here, too.",
          completion: .files(["xml"])),
        .value("record", "dir", "Store a run of the model as a case here.", completion: .folders),
      ] + RunInputs.descriptions + [.json]
  ) { arguments, console throws(CommandError) in
    if let folder = arguments.value("record") {
      return try GoldenRecording(arguments, folder: folder).run(console)
    }
    let computation = try ComputationOptions(arguments)
    let folders = try caseFolders(arguments)
    var options = computation.interpreter
    options.limits = console.limits
    var results = try results(of: folders, options, arguments)
    if arguments.flag("both-kernels") {
      options.kernels = options.kernels.name == KernelSet.reference.name ? .optimized : .reference
      results = results.map { $0.headed(by: computation.interpreter.kernels.name) }
      results += try Self.results(of: folders, options, arguments).map {
        $0.headed(by: options.kernels.name)
      }
    }
    if let file = arguments.value("junit") {
      do throws(FileSystemError) {
        try OutputFile.write(Array(JUnitReport(results).text.utf8), to: file)
      } catch {
        throw .file(error)
      }
    }
    let report = GoldenReport(results)
    if arguments.flag("json") {
      try console.print(report.json(computation))
    } else {
      try console.print(report.text)
      console.note(report.provenance + "\(computation.summary)\n")
    }
    return report.total.failed == 0 ? .success : .failure
  }

  private static func caseFolders(_ arguments: ParsedArguments) throws(CommandError) -> [String] {
    var folders: [String] = []
    for path in arguments.allArguments("path") {
      do throws(GoldenError) { folders += try GoldenCase.folders(in: path) } catch {
        throw CommandError(error)
      }
    }
    guard !folders.isEmpty else {
      throw .missing(
        "no golden cases", location: arguments.allArguments("path").joined(separator: ", "))
    }
    return folders
  }

  private static func results(
    of folders: [String], _ options: Interpreter.Options, _ arguments: ParsedArguments
  ) throws(CommandError) -> [GoldenResult] {
    var runner = GoldenRunner(
      options: options, overridesRounding: arguments.value("rounding") != nil,
      tolerance: try ToleranceOptions.tolerance(arguments))
    for text in arguments.allValues("tolerance") {
      guard let sign = text.lastIndex(of: "="), sign > text.startIndex,
        let number = Double(text[text.index(after: sign)...]), number >= 0, number.isFinite
      else { throw arguments.usage("'\(text)' for '--tolerance', wanted NAME=X") }
      runner.groupTolerances[String(text[..<sign])] = .absolute(number)
    }
    return folders.map { runner.run(folder: $0) }
  }
}

extension GoldenResult {
  /// The same under a heading that names the kernels too.
  fileprivate func headed(by kernels: String) -> GoldenResult {
    var result = self
    result.group = "\(group), \(kernels)"
    return result
  }
}

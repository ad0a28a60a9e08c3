// SPDX-License-Identifier: Apache-2.0

import Martlet
import Verification

/// `martlet verify`: golden cases, run and compared.
enum VerifyCommand {
  static let description = CommandDescription(
    "verify", "Run golden cases and compare the outputs.",
    discussion: """
      A golden case is a folder with inputs in_0.npy, in_1.npy and so on, expected outputs \
      out_0.npy and so on, perhaps a case.json, and a model.tflite there or above. All cases \
      below the given folders are run. Integers must be equal, floats within the case's \
      tolerance or 2e-5 of the largest magnitude.
      """,
    arguments: [
      ArgumentDescription("path", "A folder with cases.", isRepeated: true, completion: .folders)
    ],
    options: ComputationOptions.descriptions + tolerances + [.json]
  ) { arguments, console throws(CommandError) in
    let computation = try ComputationOptions(arguments)
    var folders: [String] = []
    for path in arguments.allArguments("path") {
      do throws(GoldenError) { folders += try GoldenCase.folders(in: path) } catch {
        throw CommandError(error)
      }
    }
    guard !folders.isEmpty else {
      throw .missing(
        "no golden cases", place: arguments.allArguments("path").joined(separator: ", "))
    }
    var runner = GoldenRunner(
      options: computation.interpreter, overridesRounding: arguments.value("rounding") != nil,
      tolerance: try tolerance(arguments))
    let report = GoldenReport(folders.map { runner.run(folder: $0) })
    if arguments.flag("json") {
      try console.print(report.json(computation))
    } else {
      try console.print(report.text)
      console.note("\(computation.summary)\n")
    }
    return report.total.failed == 0 ? .success : .failure
  }

  private static let tolerances: [OptionDescription] = [
    .value("atol", "x", "What a float may be off by, whatever the case says."),
    .value("rtol", "x", "The same, as a part of the expected number; both add up."),
  ]

  /// What `--atol` and `--rtol` ask for; nil where neither is given.
  private static func tolerance(
    _ arguments: ParsedArguments
  ) throws(CommandError) -> Tolerance? {
    let (absolute, relative) = (try arguments.number("atol"), try arguments.number("rtol"))
    if absolute == nil, relative == nil { return nil }
    guard absolute ?? 0 >= 0, relative ?? 0 >= 0 else {
      throw arguments.usage("'--atol' and '--rtol' want numbers of 0 or more")
    }
    return .perElement(absolute: absolute ?? 0, relative: relative ?? 0)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Martlet
import OptimizedKernels
import ReferenceKernels
import Tensors
import Verification

/// The options that say how a model is computed, which several commands share.
struct ComputationOptions {
  let interpreter: Interpreter.Options

  /// `--kernels`, `--rounding` and `--threads`.
  static let descriptions: [OptionDescription] = [
    .choice(
      "kernels", ["optimized", "reference"], "Which kernels compute.", defaultValue: "optimized"),
    .choice(
      "rounding", Rounding.allCases.map(\.rawValue),
      "How quantized kernels round: twice as TensorFlow Lite does, or once.",
      defaultValue: "double"),
    .value("threads", "n", "How many threads share the work.", defaultValue: "1"),
  ]

  init(_ arguments: ParsedArguments) throws(CommandError) {
    var options = Interpreter.Options()
    if arguments.value("kernels") == "reference" { options.kernels = .reference }
    if let word = arguments.value("rounding"), let rounding = Rounding(rawValue: word) {
      options.rounding = rounding
    }
    options.threadCount = try arguments.integer("threads", default: 1, in: 1...1024)
    interpreter = options
  }

  /// What was computed how, for a reader.
  var summary: String {
    let threads = interpreter.threadCount
    return "\(interpreter.kernels.name) kernels, \(interpreter.rounding.rawValue) rounding, "
      + "\(threads) thread\(threads == 1 ? "" : "s")"
  }

  /// The same for a program.
  var members: JSON {
    [
      "kernels": .string(interpreter.kernels.name),
      "rounding": .string(interpreter.rounding.rawValue),
      "threads": .integer(interpreter.threadCount),
    ]
  }
}

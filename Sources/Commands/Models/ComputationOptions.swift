// SPDX-License-Identifier: Apache-2.0

import JSONDocuments
import Martlet
import OptimizedKernels
import ReferenceKernels
import Tensors

/// The options that say how a model is computed, which several commands share.
struct ComputationOptions {
  let interpreter: Interpreter.Options

  /// `--kernels`, `--rounding` and `--threads`.
  static let descriptions: [OptionDescription] = [
    .choice(
      "kernels", ["optimized", "reference"], "Which kernels compute.", defaultValue: "optimized"),
    rounding,
    .value("threads", "n", "How many threads share the work.", defaultValue: "1"),
  ]

  /// `--rounding`.
  static let rounding = OptionDescription.choice(
    "rounding", Rounding.allCases.map(\.rawValue),
    "How quantized kernels round: twice as TensorFlow Lite does, or once.",
    defaultValue: "double")

  init(kernels: KernelSet, rounding: Rounding, threadCount: Int) {
    var options = Interpreter.Options()
    options.kernels = kernels
    options.rounding = rounding
    options.threadCount = threadCount
    interpreter = options
  }

  init(_ arguments: ParsedArguments) throws(CommandError) {
    self.init(
      kernels: arguments.value("kernels") == "reference" ? .reference : .optimized,
      rounding: arguments.value("rounding").flatMap(Rounding.init) ?? .double,
      threadCount: try arguments.integer("threads", default: 1, in: 1...1024))
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

// SPDX-License-Identifier: Apache-2.0

package import JSONDocuments
package import Martlet
package import OptimizedKernels
import ReferenceKernels
package import Tensors

/// The options that say how a model is computed, which several commands share.
package struct ComputationOptions {
  package let interpreter: Interpreter.Options

  /// `--kernels`, `--rounding` and `--threads`.
  package static let descriptions: [OptionDescription] = [
    .choice(
      "kernels", ["optimized", "reference"], "Which kernels compute.", defaultValue: "optimized"),
    rounding,
    threads,
  ]

  /// `--threads`.
  package static let threads = OptionDescription.value(
    "threads", "n|auto", "How many threads share the work; auto is one for each processor.",
    defaultValue: "1")

  /// `--rounding`.
  package static let rounding = OptionDescription.choice(
    "rounding", Rounding.allCases.map(\.rawValue),
    "How quantized kernels round: twice as TensorFlow Lite does, or once.",
    defaultValue: "double")

  package init(kernels: KernelSet, rounding: Rounding, threadCount: Int) {
    var options = Interpreter.Options()
    options.kernels = kernels
    options.rounding = rounding
    options.threadCount = threadCount
    interpreter = options
  }

  package init(_ arguments: ParsedArguments) throws(CommandError) {
    self.init(
      kernels: arguments.value("kernels") == "reference" ? .reference : .optimized,
      rounding: arguments.value("rounding").flatMap(Rounding.init) ?? .double,
      threadCount: try arguments.threadCount())
  }

  /// What was computed how, for a reader.
  package var summary: String {
    let threads = interpreter.threadCount
    return "\(interpreter.kernels.name) kernels, \(interpreter.rounding.rawValue) rounding, "
      + "\(threads) thread\(threads == 1 ? "" : "s")"
  }

  /// The same for a program.
  package var members: JSON {
    [
      "kernels": .string(interpreter.kernels.name),
      "rounding": .string(interpreter.rounding.rawValue),
      "threads": .integer(interpreter.threadCount),
    ]
  }
}

extension ParsedArguments {
  /// How many threads `--threads` asks for: 1 unless it is given.
  package func threadCount() throws(CommandError) -> Int {
    guard value("threads") != "auto" else { return min(Processors.count, 1024) }
    return try integer("threads", default: 1, in: 1...1024, orWord: "auto")
  }
}

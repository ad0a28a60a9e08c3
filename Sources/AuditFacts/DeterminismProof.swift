// SPDX-License-Identifier: Apache-2.0

package import Martlet
import Microkernels
import OptimizedKernels
import ReferenceKernels

/// Digests of the outputs of many runs on the same inputs: over kernel sets, instruction sets,
/// thread counts, and repetitions.
package struct DeterminismProof: Sendable {
  /// A way to compute, and what came out.
  package struct Row: Sendable {
    /// `reference` or `optimized`.
    package let kernels: String
    /// The instruction-set level; nil for reference kernels, which know none.
    package let instructionSet: String?
    package let threadCount: Int
    /// The digests of one run or two, each by an interpreter of its own.
    package let digests: [String]
  }

  package let rows: [Row]

  /// Whether each way gave the same twice, and the number of threads made no difference.
  package var isDeterministic: Bool {
    let byWay = Dictionary(grouping: rows) { "\($0.kernels) \($0.instructionSet ?? "")" }
    return byWay.values.allSatisfy { rows in Set(rows.flatMap(\.digests)).count == 1 }
  }

  /// Whether all ways gave the same bits.
  package var agreesEverywhere: Bool { Set(rows.flatMap(\.digests)).count == 1 }

  /// Runs `model` on `inputs` in every way that this processor offers.
  package init(
    of model: Model, _ inputs: CapturedInputs, _ options: Interpreter.Options,
    threadCounts: [Int]
  ) throws(InferenceError) {
    var rows = [try Self.row(model, inputs, options, .reference, nil, threadCount: 1, runs: 2)]
    for set in MicrokernelSet.available {
      let kernels = KernelSet.optimized(for: set)
      for (number, threadCount) in threadCounts.enumerated() {
        rows.append(
          try Self.row(
            model, inputs, options, kernels, set.level.rawValue, threadCount: threadCount,
            runs: number == 0 ? 2 : 1))
      }
    }
    self.rows = rows
  }

  private static func row(
    _ model: Model, _ inputs: CapturedInputs, _ options: Interpreter.Options,
    _ kernels: KernelSet, _ instructionSet: String?, threadCount: Int, runs: Int
  ) throws(InferenceError) -> Row {
    var options = options
    options.kernels = kernels
    options.threadCount = threadCount
    options.keepsAllTensors = false
    var digests: [String] = []
    for _ in 0..<runs {
      // With an interpreter of its own, each run starts with the same variables and generators.
      let interpreter = try inputs.interpreter(of: model, options: options)
      try interpreter.invoke()
      digests.append(interpreter.outputDigest())
    }
    return Row(
      kernels: kernels.name, instructionSet: instructionSet, threadCount: threadCount,
      digests: digests)
  }
}

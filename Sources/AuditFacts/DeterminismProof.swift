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
    /// The digests of one run or two; each of two by an interpreter of its own.
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
  ///
  /// `reference` is the digest of a run of reference kernels, which take longest: the first of theirs.
  package init(
    of model: Model, _ inputs: CapturedInputs, _ options: Interpreter.Options,
    threadCounts: [Int], reference: String
  ) throws(InferenceError) {
    var rows = try Self.rows(
      model, inputs, options, .reference, nil, threadCounts: [1], known: reference)
    for set in MicrokernelSet.available {
      rows += try Self.rows(
        model, inputs, options, .optimized(for: set), set.level.rawValue,
        threadCounts: threadCounts)
    }
    self.rows = rows
  }

  /// The rows of a kernel set: the first of two runs, of which `known` may be one, the others of one.
  private static func rows(
    _ model: Model, _ inputs: CapturedInputs, _ options: Interpreter.Options,
    _ kernels: KernelSet, _ instructionSet: String?, threadCounts: [Int], known: String? = nil
  ) throws(InferenceError) -> [Row] {
    var options = options
    options.kernels = kernels
    options.keepsAllTensors = false
    var latest: Interpreter?
    var rows: [Row] = []
    for (number, threadCount) in threadCounts.enumerated() {
      options.threadCount = threadCount
      var digests = number == 0 ? known.map { [$0] } ?? [] : []
      while digests.count < (number == 0 ? 2 : 1) {
        // Each run starts with the same variables, generators and memory. To plan a model of many
        // nodes takes longer than to run it, so one plan serves several numbers of threads.
        let interpreter: Interpreter
        if number > 0, let latest, latest.restart(threadCount: threadCount) {
          interpreter = latest
          try inputs.set(in: interpreter)
        } else {
          interpreter = try inputs.interpreter(of: model, options: options)
        }
        try interpreter.invoke()
        digests.append(interpreter.outputDigest())
        latest = interpreter
      }
      rows.append(
        Row(
          kernels: kernels.name, instructionSet: instructionSet, threadCount: threadCount,
          digests: digests))
    }
    return rows
  }
}

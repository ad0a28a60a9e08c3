// SPDX-License-Identifier: Apache-2.0

/// Kernels on 16-bit fixed-point numbers of one instruction-set level.
@safe
package final class WordMicrokernels: Sendable {
  private let function: Function
  private let gate: Gate
  private let states: States
  private let results: Results
  private let scaled: Scaled
  private let sigmoid: Sigmoid
  private let interpolation: Interpolation

  /// Applies a function to a run of numbers.
  package typealias Function = @Sendable (WordFunctionTask, WordFunction) -> Void
  /// Computes a run of a gate.
  package typealias Gate = @Sendable (CellGateTask) -> Void
  /// Updates a run of states.
  package typealias States = @Sendable (CellStateTask) -> Void
  /// Computes a row of arithmetic.
  package typealias Scaled = @Sendable (PlainRow, ScaledWords) -> Void
  /// Applies a function by a table to a run of numbers.
  package typealias Sigmoid = @Sendable (PlainRun, WordSigmoid) -> Void
  /// Applies a function by an interpolated table to a run of numbers.
  package typealias Interpolation = @Sendable (PlainRun, WordInterpolation) -> Void
  /// Computes a run of results.
  package typealias Results = @Sendable (CellResultTask) -> Void

  /// The kernels of these functions.
  package init(
    function: @escaping Function, gate: @escaping Gate, states: @escaping States,
    results: @escaping Results, scaled: @escaping Scaled, sigmoid: @escaping Sigmoid,
    interpolation: @escaping Interpolation
  ) {
    unsafe self.function = function
    unsafe self.gate = gate
    unsafe self.states = states
    unsafe self.results = results
    unsafe self.scaled = scaled
    unsafe self.sigmoid = sigmoid
    unsafe self.interpolation = interpolation
  }

  /// Applies a function to a run of numbers.
  @unsafe
  package func apply(_ function: WordFunction, _ task: WordFunctionTask) {
    unsafe self.function(task, function)
  }

  /// Applies a function by a table to a run of numbers; the results may replace them.
  @unsafe
  package func apply(_ sigmoid: WordSigmoid, _ run: PlainRun) { unsafe self.sigmoid(run, sigmoid) }

  /// Applies a function by an interpolated table to a run of numbers; the results may replace them.
  @unsafe
  package func apply(_ interpolation: WordInterpolation, _ run: PlainRun) {
    unsafe self.interpolation(run, interpolation)
  }

  /// Computes a row of arithmetic.
  @unsafe
  package func compute(_ operation: ScaledWords, _ row: PlainRow) { unsafe scaled(row, operation) }

  /// Computes a run of a gate.
  @unsafe
  package func compute(_ task: CellGateTask) { unsafe gate(task) }

  /// Updates a run of states.
  @unsafe
  package func update(_ task: CellStateTask) { unsafe states(task) }

  /// Computes a run of results.
  @unsafe
  package func compute(_ task: CellResultTask) { unsafe results(task) }
}

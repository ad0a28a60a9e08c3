// SPDX-License-Identifier: Apache-2.0

/// A run of an integer LSTM cell's gate: two sums for each cell, each with a factor of its own.
///
///     y = clamp(clamp(m₁ · input) + m₂ · recurrent)       to 16 bits
@unsafe
@frozen
@usableFromInline
package struct CellGateTask {
  /// Sums of products with the input.
  @usableFromInline package var inputSums: UnsafePointer<Int32>
  /// Sums of products with the output state.
  @usableFromInline package var recurrentSums: UnsafePointer<Int32>
  /// Where the gate's numbers go.
  @usableFromInline package var output: UnsafeMutablePointer<Int16>
  /// Cells.
  @usableFromInline package var count: Int
  /// `m₁`.
  @usableFromInline package var input: WordFactor
  /// `m₂`.
  @usableFromInline package var recurrent: WordFactor

  /// A run of these parts.
  package init(
    inputSums: UnsafePointer<Int32>, recurrentSums: UnsafePointer<Int32>,
    output: UnsafeMutablePointer<Int16>, count: Int, input: WordFactor, recurrent: WordFactor
  ) {
    unsafe self.inputSums = inputSums
    unsafe self.recurrentSums = recurrentSums
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.input = input
    unsafe self.recurrent = recurrent
  }
}

/// The update of a run of an integer LSTM cell's states.
///
///     c ← clip(f c / 2^15 + i g / 2^shift)                 rounded half away from zero
@unsafe
@frozen
@usableFromInline
package struct CellStateTask {
  /// The input gate; nil for what is left of the forget gate.
  @usableFromInline package var inputGate: UnsafePointer<Int16>?
  /// The forget gate.
  @usableFromInline package var forgetGate: UnsafePointer<Int16>
  /// The cell gate.
  @usableFromInline package var cellGate: UnsafePointer<Int16>
  /// The states.
  @usableFromInline package var states: UnsafeMutablePointer<Int16>
  /// Cells.
  @usableFromInline package var count: Int
  /// Fraction bits that a product of the input and the cell gate loses.
  @usableFromInline package var shift: Int32
  /// The largest magnitude of a state; 0 for no limit.
  @usableFromInline package var clip: Int16

  /// A run of these parts.
  package init(
    inputGate: UnsafePointer<Int16>?, forgetGate: UnsafePointer<Int16>,
    cellGate: UnsafePointer<Int16>, states: UnsafeMutablePointer<Int16>, count: Int,
    shift: Int32, clip: Int16
  ) {
    unsafe self.inputGate = inputGate
    unsafe self.forgetGate = forgetGate
    unsafe self.cellGate = cellGate
    unsafe self.states = states
    unsafe self.count = count
    unsafe self.shift = shift
    unsafe self.clip = clip
  }
}

/// The results of a run of an integer LSTM's cells: `clamp(m · o · c + zeroPoint)` to 8 bits.
@unsafe
@frozen
@usableFromInline
package struct CellResultTask {
  /// The output gate.
  @usableFromInline package var outputGate: UnsafePointer<Int16>
  /// The function of the states.
  @usableFromInline package var states: UnsafePointer<Int16>
  /// Where the results go.
  @usableFromInline package var output: UnsafeMutablePointer<Int8>
  /// Cells.
  @usableFromInline package var count: Int
  /// `m`.
  @usableFromInline package var factor: WordFactor
  /// What is added to the products.
  @usableFromInline package var zeroPoint: Int32

  /// A run of these parts.
  package init(
    outputGate: UnsafePointer<Int16>, states: UnsafePointer<Int16>,
    output: UnsafeMutablePointer<Int8>, count: Int, factor: WordFactor, zeroPoint: Int32
  ) {
    unsafe self.outputGate = outputGate
    unsafe self.states = states
    unsafe self.output = output
    unsafe self.count = count
    unsafe self.factor = factor
    unsafe self.zeroPoint = zeroPoint
  }
}

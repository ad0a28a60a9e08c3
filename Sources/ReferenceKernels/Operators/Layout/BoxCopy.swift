// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// A box of elements copied from an input to an output, each walked with strides of its own.
///
///     output[to + Σ iₐ · outputStrideₐ] = input[from + Σ iₐ · inputStrideₐ],   0 ≤ iₐ < lengthₐ
///
/// Slices, transpositions, reversals, repetitions (stride 0) and joins are all such boxes.
package struct BoxCopy: Sendable, Hashable {
  /// One axis of the box.
  package struct Axis: Sendable, Hashable {
    /// Elements along the axis.
    package var length: Int
    /// How far apart neighbors lie in the input; may be negative or 0.
    package var inputStride: Int
    /// How far apart neighbors lie in the output.
    package var outputStride: Int

    /// An axis of these lengths.
    package init(_ length: Int, input inputStride: Int, output outputStride: Int) {
      self.length = length
      self.inputStride = inputStride
      self.outputStride = outputStride
    }
  }

  /// The position of the input.
  package let input: Int
  /// Where the box starts in the input.
  package let from: Int
  /// Where the box starts in the output.
  package let to: Int
  /// The loops outside of the innermost, outermost first.
  package let outer: [Axis]
  /// The innermost loop.
  package let row: Axis

  /// The box over `axes`, outermost first; neighboring axes that are walked as one are merged.
  package init(input: Int = 0, from: Int = 0, to: Int = 0, _ axes: [Axis]) {
    self.input = input
    self.from = from
    self.to = to
    var merged: [Axis] = []
    for axis in axes where axis.length != 1 {
      if let last = merged.last, last.inputStride == axis.inputStride * axis.length,
        last.outputStride == axis.outputStride * axis.length
      {
        merged[merged.count - 1] = Axis(
          last.length * axis.length, input: axis.inputStride, output: axis.outputStride)
      } else {
        merged.append(axis)
      }
    }
    row = merged.popLast() ?? Axis(1, input: 1, output: 1)
    outer = merged
  }

  /// The axes of a box that fills an output of shape `shape` in order, outermost first.
  package static func axes(filling shape: [Int], inputStrides: [Int]) -> [Axis] {
    // Lengths beside a zero are not bounded by the output's size, nor are their products.
    guard !shape.contains(0) else { return [Axis(0, input: 0, output: 0)] }
    var axes: [Axis] = []
    var outputStride = 1
    for (length, inputStride) in zip(shape, inputStrides).reversed() {
      axes.append(Axis(length, input: inputStride, output: outputStride))
      outputStride *= length
    }
    return axes.reversed()
  }

  /// Whether there is nothing to copy.
  package var isEmpty: Bool { row.length == 0 || outer.contains { $0.length == 0 } }

  /// Whether the elements lie side by side in the input and in the output.
  package var isRun: Bool {
    outer.isEmpty && (row.length == 1 || row.inputStride == 1 && row.outputStride == 1)
  }

  /// Copies the box.
  @_lifetime(output: copy output)
  package func copy<Unit: TensorElement>(
    _ input: Span<Unit>, into output: inout MutableSpan<Unit>
  ) {
    guard !isEmpty else { return }
    var indices = [Int](repeating: 0, count: outer.count)
    var (source, target) = (from, to)
    while true {
      copyRow(input, from: source, into: &output, at: target)
      var axis = outer.count - 1
      while axis >= 0 {
        source += outer[axis].inputStride
        target += outer[axis].outputStride
        indices[axis] += 1
        if indices[axis] < outer[axis].length { break }
        source -= outer[axis].inputStride * outer[axis].length
        target -= outer[axis].outputStride * outer[axis].length
        indices[axis] = 0
        axis -= 1
      }
      if axis < 0 { return }
    }
  }

  @_lifetime(output: copy output)
  private func copyRow<Unit: TensorElement>(
    _ input: Span<Unit>, from source: Int, into output: inout MutableSpan<Unit>, at target: Int
  ) {
    if row.inputStride == 1, row.outputStride == 1 {
      for offset in 0..<row.length { output[target + offset] = input[source + offset] }
    } else {
      var (source, target) = (source, target)
      for _ in 0..<row.length {
        output[target] = input[source]
        source += row.inputStride
        target += row.outputStride
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

package import ReferenceKernels
package import Tensors

/// A tensor of which some rows along the first axis are replaced by others.
///
/// Inputs: the tensor; the rows; how many come before them and, in all other axes, that no element
/// is left out, as `SLICE` takes it; where those begin that come after them, likewise. All that comes
/// from a run; what does not add up to a tensor of the same shape is an error of the kind
/// `unforeseen`.
package final class ReplacedRows: Kernel {
  /// Lengths along the axes.
  private let dimensions: [Int]
  /// Rows that are put in.
  private let count: Int
  /// Bytes of a row.
  private let rowByteCount: Int

  /// The kernel for tensors of these types; nil where they do not go together.
  package init?(list: TensorType, rows: TensorType, sizes: TensorType, begins: TensorType) {
    guard let byteCount = list.byteCount, let first = list.shape.dimensions.first, first > 0,
      list.elementType.bitCount.map({ $0 >= 8 }) == true, rows.elementType == list.elementType,
      rows.quantization == list.quantization, rows.shape.rank == list.shape.rank,
      rows.shape.dimensions.dropFirst() == list.shape.dimensions.dropFirst(),
      [sizes, begins].allSatisfy({
        $0.elementType == .int32 && $0.shape.dimensions == [list.shape.rank]
      })
    else { return nil }
    dimensions = list.shape.dimensions
    count = rows.shape[0]
    rowByteCount = byteCount / first
  }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let (sizes, begins) = (frame.input(2, as: Int32.self), frame.input(3, as: Int32.self))
    let (before, after) = (Int(sizes[0]), Int(begins[0]))
    var isWhole = before >= 0 && before + count == after && after <= dimensions[0]
    for axis in dimensions.indices.dropFirst() {
      isWhole =
        isWhole && begins[axis] == 0 && (sizes[axis] == -1 || Int(sizes[axis]) == dimensions[axis])
    }
    guard isWhole else {
      throw KernelError(.unforeseen, "rows \(before)…\(after) are replaced by \(count)")
    }
    guard let list = unsafe frame.inputAddress(0), let rows = unsafe frame.inputAddress(1) else {
      return
    }
    let output = unsafe frame.outputAddress(0)
    let (start, end) = (before * rowByteCount, after * rowByteCount)
    unsafe output.copyMemory(from: list, byteCount: start)
    unsafe (output + start).copyMemory(from: rows, byteCount: end - start)
    unsafe (output + end).copyMemory(
      from: list + end, byteCount: dimensions[0] * rowByteCount - end)
  }
}

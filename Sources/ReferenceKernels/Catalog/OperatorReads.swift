// SPDX-License-Identifier: Apache-2.0

import Tensors

/// How much a node of an operator reads of its inputs.
package enum OperatorReads: Sendable {
  /// All of each.
  case everything
  /// Nothing but shapes.
  case nothing
  /// Of one input what makes up output 0, everything of the others.
  case selection(of: Int)
  /// Of one input a row for each element of another one, everything of the others.
  case rows(of: Int, by: Int)

  /// Bytes read of one input; nil where they are not known, as of strings.
  package func byteCount(ofInput position: Int, _ types: OperandTypes) -> Int? {
    guard let whole = types.input(position)?.byteCount else { return nil }
    switch self {
    case .everything:
      return whole
    case .nothing:
      return 0
    case .selection(let selected):
      guard position == selected else { return whole }
      return types.output(0)?.byteCount.map { min($0, whole) }
    case .rows(let table, let indices):
      guard position == table else { return whole }
      guard let table = types.input(table), let indices = types.input(indices) else { return nil }
      let row = Checked.product(table.shape.dimensions.dropFirst().map { $0 })
      return Checked.product(row, indices.shape.elementCount)
        .flatMap(table.elementType.byteCount).map { min($0, whole) }
    }
  }
}

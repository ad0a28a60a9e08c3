// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// How much a node of an operator computes, by the operator's definition; how a kernel computes
/// does not matter.
package enum OperatorWork: Sendable {
  /// A number that follows from options and types; nil where they do not tell it.
  package typealias Count = @Sendable (OperandTypes) -> Int?

  /// Nothing: elements only move, are looked up, or subgraphs compute.
  case nothing
  /// Numbers that are computed one by one, so many.
  case elements(Count)
  /// Matrix products and convolutions: so many multiply-adds, those with elements of the padding
  /// included. Gates, biases and activations are not counted, nor are diagonal weights.
  ///
  /// `weights` is the position of an input with weights, whose type decides what is multiplied.
  case products(weights: @Sendable (OperandTypes) -> Int, Count)

  /// A number for each element of the outputs.
  package static var eachOutput: OperatorWork { .elements { $0.outputElementCount } }

  /// A number for each element of input 0.
  package static var eachInput: OperatorWork { .elements { $0.input(0)?.shape.elementCount } }

  /// Multiply-adds with the weights of input 1.
  package static func products(_ count: @escaping Count) -> OperatorWork {
    .products(weights: { _ in 1 }, count)
  }
}

extension OperandTypes {
  /// The elements of all outputs.
  package var outputElementCount: Int? {
    var count: Int? = 0
    for position in 0..<outputCount {
      count = Checked.sum(count, output(position)?.shape.elementCount)
    }
    return count
  }

  /// So many products for each element of a tensor.
  package func products(each type: TensorType?, _ factors: (some Sequence<Int>)?) -> Int? {
    guard let factors else { return nil }
    return Checked.product([type?.shape.elementCount] + factors.map { $0 })
  }

  /// The products of matrices that are multiplied with a vector for each row of input 0, at every
  /// step; those that are absent do not count.
  package func cellProducts(_ matrices: [Int]) -> Int? {
    guard let steps = input(0)?.shape.dimensions.dropLast() else { return nil }
    let weights = matrices.filter(hasInput).map { input($0)?.shape.elementCount }
    return Checked.product(steps.map { $0 } + [Checked.sum(weights)])
  }
}

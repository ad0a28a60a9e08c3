// SPDX-License-Identifier: Apache-2.0

import Tensors

/// Where a recurrent cell's results go: part of each row of one of the node's outputs.
package struct SequenceOutput: Sendable {
  /// Which output.
  package let position: Int
  /// Elements of a row.
  package let stride: Int
  /// How many elements of a row come before the cell's.
  package var offset = 0

  /// The flat index of the first of a cell's elements in a row.
  package func first(of row: Int) -> Int { row * stride + offset }
}

/// The results that a step of a sequence has, for the steps of an explanation.
struct StepResults {
  /// Which of the node's outputs they are in.
  let position: Int
  /// The flat index of the first one.
  let first: Int
  /// How many there are; 0 where they are not the last ones that are written there.
  let count: Int

  /// The flat index of a cell's result; none for cells that have no result of their own number.
  func element(_ cell: Int) -> Int { cell < count ? first + cell : -1 }
}

extension Steps {
  /// What follows is about one result of a step.
  @inline(__always)
  mutating func about(_ cell: Int, of results: StepResults) {
    about(results.element(cell), ofOutput: results.position)
  }

  /// What follows is shared by all results of a step.
  @inline(__always)
  mutating func about(allOf results: StepResults) {
    about(results.first..<results.first + results.count, ofOutput: results.position)
  }
}

extension PrepareContext {
  /// Checks that the input at `position` is of this type and shape.
  ///
  /// - Throws: `KernelError` where it is missing or another one.
  func expect(
    _ position: Int, _ type: ElementType, _ dimensions: [Int]
  ) throws(KernelError) {
    let tensor = try input(position)
    guard tensor.elementType == type else {
      throw .elementType(tensor.elementType, .input(position))
    }
    guard tensor.shape.dimensions == dimensions else {
      throw .invalid("shape \(tensor.shape), wanted \(dimensions)", .input(position))
    }
  }

  /// Checks that the input at `position` is a variable of this type with so many elements.
  ///
  /// - Throws: `KernelError` where it is missing or another one.
  func expectState(
    _ position: Int, _ type: ElementType, elementCount: Int
  ) throws(KernelError) {
    let state = try input(position)
    guard inputs[position]?.isVariable == true else {
      throw .invalid("state is no variable", .input(position))
    }
    guard state.elementType == type else {
      throw .elementType(state.elementType, .input(position))
    }
    guard state.shape.elementCount == elementCount else {
      throw .invalid("\(state.shape) state, wanted \(elementCount) elements", .input(position))
    }
  }
}

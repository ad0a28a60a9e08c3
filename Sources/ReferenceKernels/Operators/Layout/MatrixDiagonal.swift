// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let matrixDiag = CatalogEntry(
    .matrixDiag, chapter: .layout, formula: "y[…, i, i] = x[…, i],   elsewhere 0",
    versions: .upTo(1),
    variants: "f32 i8 u8 i16 i32 i64", optimized: "f32 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in MatrixDiagonal() }

  static let matrixSetDiag = CatalogEntry(
    .matrixSetDiag, chapter: .layout, formula: "y = x;  y[…, i, i] = diagonal[…, i]",
    versions: .upTo(1),
    variants: "f32 i8 u8 i16 i32 i64", optimized: "f32 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in MatrixSetDiagonal() }
}

/// `MATRIX_DIAG`: each row of the input as the diagonal of a matrix of zeros.
///
/// TFLite: `matrix_diag.cc`.
struct MatrixDiagonal: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try input.expectNumbers(.input(0))
    guard let length = input.shape.dimensions.last else {
      throw .rank(0, wanted: "at least 1", .input(0))
    }
    let shape = try Shape.checked(input.shape.dimensions + [length])
    let box = BoxCopy([
      .init(input.shape.dimensions.dropLast().reduce(1, *), input: length, output: length * length),
      .init(length, input: 1, output: length + 1),
    ])
    return try BoxCopies([[box]], over: .value(TensorBytes(zeroed: 16))).prepared(
      node, outputs: [input.moved(to: shape, declared: output)])
  }
}

/// `MATRIX_SET_DIAG`: matrices with their diagonals replaced.
///
/// - Input 0: the matrices, `[…, rows, columns]`.
/// - Input 1: the diagonals, `[…, min(rows, columns)]`.
///
/// TFLite: `matrix_set_diag.cc`.
struct MatrixSetDiagonal: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, diagonal) = (try node.input(0), try node.input(1))
    let rank = input.shape.rank
    guard rank >= 2 else { throw .rank(rank, wanted: "at least 2", .input(0)) }
    try diagonal.expect(input.elementType, .input(1))
    let (rows, columns) = (input.shape[rank - 2], input.shape[rank - 1])
    let length = min(rows, columns)
    guard diagonal.shape.dimensions == input.shape.dimensions.dropLast(2) + [length] else {
      throw .invalid("diagonals of shape \(diagonal.shape) for \(input.shape)", .input(1))
    }
    let count = input.shape.dimensions.dropLast(2).reduce(1, *)
    let boxes = [
      BoxCopy([.init(input.shape.elementCount, input: 1, output: 1)]),
      BoxCopy(
        input: 1,
        [
          .init(count, input: length, output: rows * columns),
          .init(length, input: 1, output: columns + 1),
        ]),
    ]
    return try BoxCopies([boxes]).prepared(
      node, outputs: [input.moved(to: input.shape, declared: try node.declaredOutput())])
  }
}

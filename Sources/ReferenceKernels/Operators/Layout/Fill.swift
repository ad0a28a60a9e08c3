// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let fill = CatalogEntry(
    .fill, chapter: .layout, formula: "y[i…] = value", versions: .upTo(5),
    variants: "f32 i8 i16 i32 i64 bool str f16 u8", optimized: "bool f16 f32 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in Fill() }

  static let zerosLike = CatalogEntry(
    .zerosLike, chapter: .layout, formula: "y[i…] = 0", versions: .upTo(1),
    variants: "f32 i32 i64", optimized: "f32 i32 i64",
    work: .nothing, reads: .nothing
  ) { _ throws(KernelError) in ZerosLike() }
}

/// `FILL`: a tensor of one repeated element.
///
/// - Input 0: the dimensions, an int32 or int64 vector.
/// - Input 1: the element, a scalar with the output's quantization.
///
/// TFLite: `fill.cc`.
struct Fill: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (dimensions, value) = (try node.input(0), try node.input(1))
    guard dimensions.shape.rank == 1 else {
      throw .rank(dimensions.shape.rank, wanted: "1", .input(0))
    }
    guard value.shape.rank == 0 else { throw .rank(value.shape.rank, wanted: "0", .input(1)) }
    let output = try node.declaredOutput()
    try output.expectSameScale(as: value, .input(1))
    if value.elementType == .int16, value.quantization?.perTensor?.zeroPoint ?? 0 != 0 {
      throw .invalid("int16 zero point must be 0", .input(1))
    }
    let shape = try Shape.checked(try node.integers(0))
    return try BoxCopies([[]], over: .input(1)).prepared(
      node, outputs: [value.moved(to: shape, declared: output)])
  }
}

/// `ZEROS_LIKE`: as many zeros as the input has elements.
///
/// TFLite: `zeros_like.cc`.
struct ZerosLike: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 1...1)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try input.expectNumbers(.input(0))
    return try BoxCopies([[]], over: .value(TensorBytes(zeroed: 16))).prepared(
      node, outputs: [input.moved(to: input.shape, declared: output)])
  }
}

// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let dilate = CatalogEntry(
    .dilate, chapter: .layout, formula: "y[i · d…] = x[i…],   elsewhere the padding value",
    versions: .upTo(1),
    variants: "f32 i8 u8 i16 i32 i64 f64 bool f16",
    optimized: "bool f16 f32 f64 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { _ in Dilate() }
}

/// `DILATE`: a tensor with a padding value between neighboring elements.
///
/// - Input 0: the elements, of rank 1 at least.
/// - Input 1: the distance `d` of neighbors along each axis, int32; an axis becomes
///   `(length − 1) · d + 1` long.
/// - Input 2: the padding value, one element.
///
/// TFLite: `dilate.cc`.
struct Dilate: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3)
    let (input, padding) = (try node.input(0), try node.input(2))
    guard input.shape.rank > 0 else { throw .rank(0, wanted: "at least 1", .input(0)) }
    try input.expectNumbers(.input(0))
    try padding.expect(input.elementType, .input(2))
    guard padding.shape.elementCount > 0 else { throw .invalid("a value is missing", .input(2)) }
    try node.declaredOutput().expect(input.elementType, .output(0))
    guard try node.input(1).shape.rank == 1 else {
      throw .rank(try node.input(1).shape.rank, wanted: "1", .input(1))
    }
    let distances = try node.values(1, as: Int32.self).map { Int($0) }
    guard distances.count == input.shape.rank else {
      throw .invalid("\(distances.count) distances for \(input.shape.rank) axes", .input(1))
    }
    var lengths: [Int] = []
    for (length, distance) in zip(input.shape.dimensions, distances) {
      guard distance >= 1 else {
        throw .invalid("distance \(distance), wanted at least 1", .input(1))
      }
      // Lengths are at most 2⁴⁰ and distances less than 2³¹, so that only the product may be large.
      let (gaps, overflow) = (length - 1).multipliedReportingOverflow(by: distance)
      guard !overflow, gaps < Int.max else {
        throw .invalid("length \(length) · \(distance)", .input(1))
      }
      lengths.append(gaps + 1)
    }
    let shape = try Shape.checked(lengths)
    let axes = input.shape.dimensions.indices.map { axis in
      // A stride that does not fit belongs to an axis of length 1.
      BoxCopy.Axis(
        input.shape[axis], input: input.shape.strides[axis],
        output: shape.strides[axis].multipliedReportingOverflow(by: distances[axis]).partialValue)
    }
    let output = input.moved(to: shape, declared: try node.declaredOutput())
    return try BoxCopies([[BoxCopy(axes)]], over: .input(2)).prepared(node, outputs: [output])
  }
}

// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let split = CatalogEntry(
    .split, chapter: .layout,
    formula: "yₙ[…, i, …] = x[…, n · k + i, …],   k = length of the axis / outputs",
    versions: .upTo(5),
    variants: "f32 i8 u8 i16 i32 i64", optimized: "f32 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in Split(options: try node.options()) }

  static let splitV = CatalogEntry(
    .splitV, chapter: .layout,
    formula: "yₙ[…, i, …] = x[…, start(n) + i, …],   start(n) = Σ of the lengths of y₀ … yₙ₋₁",
    versions: .upTo(3),
    variants: "f32 i8 u8 i16 i32 i64", optimized: "f32 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in SplitV(options: try node.options()) }

  static let unpack = CatalogEntry(
    .unpack, chapter: .layout, formula: "yₙ[…] = x[…, n, …]", versions: .upTo(6),
    variants: "f32 i8 u8 i16 i32 bool f16 bf16", optimized: "bf16 bool f16 f32 i16 i32 i8 u8",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in Unpack(options: try node.options()) }
}

/// `SPLIT`: a tensor cut along an axis into equal parts, one per output.
///
/// - Input 0: the axis, one int32.
/// - Input 1: the tensor; the number of outputs divides its length along the axis.
///
/// TFLite: `split.cc`.
struct Split: Operator {
  let options: SplitOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let count = Int(options.splitCount)
    try node.expect(inputs: 2...2, outputs: count)
    let input = try node.input(1)
    let axis = try input.shape.axis(try node.integer(0), .input(0))
    let length = input.shape[axis]
    guard count > 0, length % count == 0 else {
      throw .invalid("\(count) equal parts of length \(length)", .input(1))
    }
    // An array of one number repeated would look up its type at run time.
    let lengths = (0..<count).map { _ in length / count }
    return try Parts(of: 1, along: axis, lengths).prepared(node)
  }
}

/// `SPLIT_V`: a tensor cut along an axis into parts of given lengths, one per output.
///
/// - Input 0: the tensor.
/// - Input 1: the lengths, an int32 or int64 vector; one may be -1: what the others leave.
/// - Input 2: the axis, one int32.
///
/// TFLite: `split_v.cc`.
struct SplitV: Operator {
  let options: SplitVOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3, outputs: Int(options.splitCount))
    let input = try node.input(0)
    let sizes = try node.input(1)
    guard sizes.shape.rank == 1, sizes.shape.elementCount == node.declaredOutputs.count else {
      throw .invalid("\(sizes.shape) lengths for \(options.splitCount) outputs", .input(1))
    }
    var lengths = try node.integers(1)
    let axis = try input.shape.axis(try node.integer(2), .input(2))
    let total = input.shape[axis]
    var known = 0
    for length in lengths where length != -1 {
      guard length >= 0, length <= total - known else {
        throw .invalid("lengths \(lengths) for \(total) along axis \(axis)", .input(1))
      }
      known += length
    }
    let open = lengths.indices.filter { lengths[$0] == -1 }
    guard open.count == 1 || (open.isEmpty && known == total) else {
      throw .invalid("lengths \(lengths) for \(total) along axis \(axis)", .input(1))
    }
    if let open = open.first { lengths[open] = total - known }
    return try Parts(of: 0, along: axis, lengths).prepared(node)
  }
}

/// `UNPACK`: a tensor cut along an axis into slices without that axis, one per output.
///
/// TFLite: `unpack.cc`.
struct Unpack: Operator {
  let options: UnpackOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let count = Int(options.count)
    try node.expect(inputs: 1...1, outputs: count)
    let input = try node.input(0)
    let axis = try input.shape.axis(Int(options.axis))
    guard input.shape.elementCount > 0, input.shape[axis] == count else {
      throw .invalid("\(count) slices of \(input.shape) along axis \(axis)", .input(0))
    }
    for position in 0..<count {
      try input.expectSameScale(
        as: try node.declaredOutput(position), .output(position))
    }
    let lengths = [Int](repeating: 1, count: count)
    return try Parts(of: 0, along: axis, lengths).prepared(node, keepingAxis: false)
  }
}

/// The parts of an input between cuts along an axis.
private struct Parts {
  let position: Int
  let axis: Int
  let lengths: [Int]

  init(of position: Int, along axis: Int, _ lengths: [Int]) {
    self.position = position
    self.axis = axis
    self.lengths = lengths
  }

  func prepared(
    _ node: PrepareContext, keepingAxis: Bool = true
  ) throws(KernelError) -> Prepared {
    let input = try node.input(position)
    let dimensions = input.shape.dimensions
    let outerCount = dimensions[..<axis].reduce(1, *)
    let inner = dimensions[(axis + 1)...].reduce(1, *)
    var (outputs, boxes, start) = ([TensorType](), [[BoxCopy]](), 0)
    for (output, length) in lengths.enumerated() {
      var own = dimensions
      own[axis] = length
      if !keepingAxis { own.remove(at: axis) }
      let declared = try node.declaredOutput(output)
      outputs.append(input.moved(to: try Shape.checked(own, .output(output)), declared: declared))
      let run = length * inner
      boxes.append([
        BoxCopy(
          input: position, from: start,
          [
            .init(outerCount, input: dimensions[axis] * inner, output: run),
            .init(run, input: 1, output: 1),
          ])
      ])
      start += run
    }
    return try BoxCopies(boxes).prepared(node, outputs: outputs)
  }
}

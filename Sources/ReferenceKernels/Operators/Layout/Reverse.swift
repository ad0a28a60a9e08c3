// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let reverseV2 = CatalogEntry(
    .reverseV2, chapter: .layout, formula: "y[…, i, …] = x[…, n − 1 − i, …]", versions: .upTo(4),
    variants: "f32 i8 u8 i16 i32 i64 bool f16 bf16",
    optimized: "bf16 bool f16 f32 i16 i32 i64 i8 u8",
    work: .nothing, reads: .everything
  ) { _ throws(KernelError) in Reverse() }

  static let reverseSequence = CatalogEntry(
    .reverseSequence, chapter: .layout,
    formula: "y[…, t, …] = x[…, n − 1 − t, …] for t < n, else x[…, t, …],   n = lengths[b]",
    versions: .upTo(1),
    variants: "f32 u8 i16 i32 i64", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in ReverseSequence(options: try node.options()) }
}

/// `REVERSE_V2`: a tensor with some axes in reverse order.
///
/// - Input 0: the elements.
/// - Input 1: the axes, an int32 vector. TFLite wants them to be neighbors; here they need not
///   be.
///
/// TFLite: `reverse.cc`.
struct Reverse: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    let axes = try node.input(1)
    try axes.expect(.int32, .input(1))
    guard axes.shape.rank == 1 else { throw .rank(axes.shape.rank, wanted: "1", .input(1)) }
    var (strides, start) = (input.shape.strides, 0)
    var reversed = Set<Int>()
    for axis in try node.integers(1) {
      let axis = try input.shape.axis(axis, .input(1))
      guard reversed.insert(axis).inserted else {
        throw .invalid("axis \(axis) is repeated", .input(1))
      }
      start += (input.shape[axis] - 1) * strides[axis]
      strides[axis] = -strides[axis]
    }
    let box = BoxCopy(
      from: start, BoxCopy.axes(filling: input.shape.dimensions, inputStrides: strides))
    return try BoxCopies(box).prepared(
      node, outputs: [input.moved(to: input.shape, declared: output)])
  }
}

/// `REVERSE_SEQUENCE`: the beginning of each sequence in reverse order.
///
/// - Input 0: the sequences; `t` runs along one axis, `b` along another.
/// - Input 1: the lengths, an int32 or int64 vector; 0 and less leave a sequence as it is.
///
/// TFLite: `reverse_sequence.cc`.
struct ReverseSequence: Operator {
  let options: ReverseSequenceOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, lengths) = (try node.input(0), try node.input(1))
    let output = try node.declaredOutput()
    try output.expect(input.elementType, .output(0))
    let (time, batch) = (Int(options.sequenceAxis), Int(options.batchAxis))
    let axes = 0..<input.shape.rank
    guard axes.contains(time), axes.contains(batch), time != batch else {
      throw .invalid("sequence axis \(time) and batch axis \(batch) of \(input.shape)")
    }
    guard lengths.shape == (try Shape.checked([input.shape[batch]])) else {
      throw .invalid("\(lengths.shape) lengths for \(input.shape[batch]) sequences", .input(1))
    }
    let loops = SequenceLoops(input.shape, time: time, batch: batch)
    let type = input.moved(to: input.shape, declared: output)
    let lengthType = try IndexType(lengths, .input(1))
    return try SequenceReversal(loops: loops, lengthType: lengthType)
      .prepared(node, outputs: [type])
  }
}

/// The loops around two axes of a tensor.
package struct SequenceLoops: Sendable, Hashable {
  let timeIsOuter: Bool
  /// Lengths outside of both axes, of the outer axis, between them, of the inner axis, inside.
  let lengths: [Int]

  init(_ shape: Shape, time: Int, batch: Int) {
    let (outer, inner) = (min(time, batch), max(time, batch))
    timeIsOuter = time < batch
    lengths = [
      shape.dimensions[..<outer].reduce(1, *), shape[outer],
      shape.dimensions[(outer + 1)..<inner].reduce(1, *), shape[inner],
      shape.dimensions[(inner + 1)...].reduce(1, *),
    ]
  }
}

private struct SequenceReversal: Movement {
  let loops: SequenceLoops
  let lengthType: IndexType

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(ReverseSequenceLoop<Unit>(loops: loops, lengthType: lengthType))
  }
}

/// The loop of `REVERSE_SEQUENCE`.
package struct ReverseSequenceLoop<Unit: TensorElement>: KernelLoop {
  let loops: SequenceLoops
  let lengthType: IndexType

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    let lengths = Indices(frame, 1, lengthType)
    var output = frame.output(0, as: Unit.self)
    let count = loops.lengths
    let timeLength = loops.timeIsOuter ? count[1] : count[3]
    for index in 0..<lengths.count where lengths[index] > timeLength {
      throw .invalid("length \(lengths[index]) of sequences of \(timeLength)", .input(1))
    }
    guard !output.isEmpty else { return }
    var target = 0
    for outside in 0..<count[0] {
      for outer in 0..<count[1] {
        for between in 0..<count[2] {
          for inner in 0..<count[3] {
            let (time, batch) = loops.timeIsOuter ? (outer, inner) : (inner, outer)
            let length = lengths[batch]
            let source = time < length ? length - 1 - time : time
            let (first, second) = loops.timeIsOuter ? (source, inner) : (outer, source)
            let row = ((outside * count[1] + first) * count[2] + between) * count[3] + second
            for k in 0..<count[4] { output[target + k] = input[row * count[4] + k] }
            target += count[4]
          }
        }
      }
    }
  }
}

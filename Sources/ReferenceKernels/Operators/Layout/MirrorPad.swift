// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let mirrorPad = CatalogEntry(
    .mirrorPad, chapter: .layout, formula: nil, versions: .upTo(3),
    variants: "f32 i8 u8 i16 i32 i64 bool", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in MirrorPad(options: try node.options()) }
}

/// `MIRROR_PAD`: a tensor with its mirror images around it.
///
/// - Input 0: the elements.
/// - Input 1: `[rank, 2]`, how many elements go before and after them along each axis.
///
/// In REFLECT mode the border is the mirror and not repeated: `3 2 | 1 2 3`; in SYMMETRIC mode
/// the mirror lies beyond it: `2 1 | 1 2 3`. An image is no longer than what it mirrors.
/// TFLite: `mirror_pad.cc`.
struct MirrorPad: Operator {
  let options: MirrorPadOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, output) = (try node.input(0), try node.declaredOutput())
    try output.expect(input.elementType, .output(0))
    if [.uint8, .int8, .int16].contains(input.elementType) {
      try input.expectSameScale(as: output, .output(0))
    }
    let rank = input.shape.rank
    let paddings = try node.input(1)
    guard paddings.shape == (try Shape.checked([rank, 2])) else {
      throw .invalid("shape \(paddings.shape), wanted \(rank)x2", .input(1))
    }
    let counts = try node.integers(1)
    let borderWidth = options.mode == .reflect ? 1 : 0
    var axes: [MirroredAxis] = []
    for axis in 0..<rank {
      let length = input.shape[axis]
      let (before, after) = (counts[2 * axis], counts[2 * axis + 1])
      guard min(before, after) >= 0, max(before, after) <= length - borderWidth else {
        throw .invalid("\(before) and \(after) elements around \(length)", .input(1))
      }
      axes.append(
        MirroredAxis(
          before: before, length: length, after: after, borderWidth: borderWidth,
          stride: input.shape.strides[axis]))
    }
    let shape = try Shape.checked(axes.map(\.outputLength))
    return try Mirroring(axes: axes).prepared(
      node, outputs: [input.moved(to: shape, declared: output)])
  }
}

/// An axis with mirror images at both ends.
package struct MirroredAxis: Sendable, Hashable {
  let before: Int
  let length: Int
  let after: Int
  /// Elements at the border that an image leaves out.
  let borderWidth: Int
  let stride: Int

  var outputLength: Int { before + length + after }

  /// The index in the input that output index `index` repeats.
  func source(_ index: Int) -> Int {
    let location = index - before
    if location < 0 { return borderWidth - 1 - location }
    if location >= length { return 2 * length - 1 - borderWidth - location }
    return location
  }
}

private struct Mirroring: Movement {
  let axes: [MirroredAxis]

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(MirrorPadLoop<Unit>(axes: axes))
  }
}

/// The loop of `MIRROR_PAD`, row by row.
package struct MirrorPadLoop<Unit: TensorElement>: KernelLoop {
  /// The axes, outermost first.
  package let axes: [MirroredAxis]

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    var output = frame.output(0, as: Unit.self)
    guard let row = axes.last, !output.isEmpty else {
      if !output.isEmpty { output[0] = input[0] }
      return
    }
    var indices = [Int](repeating: 0, count: axes.count - 1)
    for target in stride(from: 0, to: output.count, by: row.outputLength) {
      var source = 0
      for (axis, index) in indices.enumerated() {
        source += axes[axis].source(index) * axes[axis].stride
      }
      for index in 0..<row.outputLength {
        output[target + index] = input[source + row.source(index)]
      }
      for axis in indices.indices.reversed() {
        indices[axis] += 1
        if indices[axis] < axes[axis].outputLength { break }
        indices[axis] = 0
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let oneHot = CatalogEntry(
    .oneHot, chapter: .indexing, formula: "y[…, k, …] = on if k = indices[…], else off",
    versions: .upTo(1),
    variants: "f32 i32 i64 i8 u8 bool", optimized: "",
    work: .nothing, reads: .everything
  ) { node throws(KernelError) in OneHot(options: try node.options()) }
}

/// `ONE_HOT`: a vector for each index, with one value at the index and another elsewhere.
///
/// - Input 0: the indices, int32 or int64; those outside of the vector set nothing.
/// - Input 1: the vectors' length, one int32.
/// - Inputs 2 and 3: the value at the index and the one elsewhere.
///
/// The vectors lie along a new axis; -1 in the options appends it. TFLite: `one_hot.cc`.
struct OneHot: Operator {
  let options: OneHotOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 4...4)
    let (indices, value) = (try node.input(0), try node.input(2))
    try node.input(1).expect(.int32, .input(1))
    try node.input(3).expect(value.elementType, .input(3))
    for position in 1...3 where try node.input(position).shape.elementCount != 1 {
      throw .invalid("one element wanted", .input(position))
    }
    let depth = try node.integer(1)
    let rank = indices.shape.rank
    let axis = options.axis == -1 ? rank : Int(options.axis)
    guard 0...rank ~= axis else { throw .invalid("axis \(axis) beside \(rank) others") }
    var dimensions = indices.shape.dimensions
    dimensions.insert(depth, at: axis)
    let output = value.moved(
      to: try Shape.checked(dimensions), declared: try node.declaredOutput())
    let loops = AxisLoops(output.shape, axis: axis)
    let indexType = try IndexType(indices, .input(0))
    return try HotSpots(loops: loops, indexType: indexType).prepared(node, outputs: [output])
  }
}

private struct HotSpots: Movement {
  let loops: AxisLoops
  let indexType: IndexType

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(OneHotLoop<Unit>(loops: loops, indexType: indexType))
  }
}

/// The loop of `ONE_HOT`.
package struct OneHotLoop<Unit: TensorElement>: KernelLoop {
  /// The loops around the vectors' axis.
  package let loops: AxisLoops
  /// What the indices are.
  package let indexType: IndexType

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let indices = Indices(frame, 0, indexType)
    let (value, other) = (frame.input(2, as: Unit.self)[0], frame.input(3, as: Unit.self)[0])
    var output = frame.output(0, as: Unit.self)
    for index in output.indices { output[index] = other }
    guard !output.isEmpty else { return }
    for outer in 0..<loops.outerCount {
      for inner in 0..<loops.innerCount {
        // TFLite looks at the lower 32 bits of an index.
        let index = Int(Int32(truncatingIfNeeded: indices[outer * loops.innerCount + inner]))
        guard index >= 0, index < loops.length else { continue }
        output[(outer * loops.length + index) * loops.innerCount + inner] = value
      }
    }
  }
}

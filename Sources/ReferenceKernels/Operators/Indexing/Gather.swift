// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let gather = CatalogEntry(
    .gather, chapter: .indexing, formula: "y[b…, o…, j…, i…] = x[b…, o…, indices[b…, j…], i…]",
    versions: .upTo(8),
    variants: "f32 i8 u8 i16 i32 i64 bool str f16 i4",
    optimized: "f32 i8 u8 i16 i32 i64 bool f16",
    work: .nothing, reads: .selection(of: 0)
  ) { node throws(KernelError) in Gather(options: try node.options()) }
}

/// `GATHER`: slices of a tensor, chosen by index along an axis.
///
/// - Input 0: the slices; `b` are the batch axes, `o` those before the axis, `i` those behind it.
/// - Input 1: the indices, int16, int32 or int64. Unlike in NumPy, none may be negative.
///
/// TFLite: `gather.cc`, `reference/gather.h`.
struct Gather: Operator {
  let options: GatherOptions

  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (input, indices) = (try node.input(0), try node.input(1))
    let axis = try input.shape.axis(Int(options.axis))
    var batchRank = Int(options.batchDimensions)
    if batchRank < 0 { batchRank += indices.shape.rank }
    guard 0...min(axis, indices.shape.rank) ~= batchRank,
      input.shape.dimensions[..<batchRank] == indices.shape.dimensions[..<batchRank]
    else {
      throw .invalid(
        "\(options.batchDimensions) batch dimensions for axis \(axis) of \(input.shape) "
          + "and indices \(indices.shape)")
    }
    let (outer, chosen) = (input.shape.dimensions[..<axis], indices.shape.dimensions[batchRank...])
    let inner = input.shape.dimensions[(axis + 1)...]
    let rows = GatheredRows(
      batchCount: outer[..<batchRank].reduce(1, *), outerCount: outer[batchRank...].reduce(1, *),
      indexCount: chosen.reduce(1, *), axisLength: input.shape[axis], rowLength: inner.reduce(1, *))
    let output = input.moved(
      to: try Shape.checked(Array(outer + chosen + inner)), declared: try node.declaredOutput())
    switch indices.elementType {
    case .int16: return try Gathering<Int16>(rows).prepared(node, outputs: [output])
    case .int32: return try Gathering<Int32>(rows).prepared(node, outputs: [output])
    case .int64: return try Gathering<Int64>(rows).prepared(node, outputs: [output])
    case let other: throw .elementType(other, .input(1))
    }
  }
}

/// The loop bounds of a `GATHER` node.
package struct GatheredRows: Sendable, Hashable {
  /// Batches: leading axes that elements and indices share.
  package let batchCount: Int
  /// Positions along the axes between those and the chosen one.
  package let outerCount: Int
  /// Indices in a batch.
  package let indexCount: Int
  /// The length that indices must stay below.
  package let axisLength: Int
  /// Elements behind an index.
  package let rowLength: Int
}

private struct Gathering<Index: TensorElement & FixedWidthInteger>: Movement {
  let rows: GatheredRows

  init(_ rows: GatheredRows) { self.rows = rows }

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    GatherKernel<Unit, Index>(rows)
  }
}

/// The loop of `GATHER` for elements as wide as `Unit` and indices of type `Index`.
package struct GatherLoop<Unit, Index>: KernelLoop
where Unit: TensorElement, Index: TensorElement & FixedWidthInteger {
  package static var family: LoopFamily? { LoopFamily(.movement, Unit.elementType) }

  /// The loop bounds.
  package let rows: GatheredRows

  /// The loop over `rows`.
  package init(_ rows: GatheredRows) { self.rows = rows }

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let input = frame.input(0, as: Unit.self)
    let indices = frame.input(1, as: Index.self)
    var output = frame.output(0, as: Unit.self)
    for position in 0..<rows.batchCount * rows.indexCount {
      guard indices[position] >= 0, Int(indices[position]) < rows.axisLength else {
        throw .invalid("index \(indices[position]) of \(rows.axisLength)", .input(1))
      }
    }
    guard !output.isEmpty else { return }
    var target = 0
    for batch in 0..<rows.batchCount {
      for outer in 0..<rows.outerCount {
        let block = (batch * rows.outerCount + outer) * rows.axisLength
        for position in 0..<rows.indexCount {
          let row = block + Int(indices[batch * rows.indexCount + position])
          let source = row * rows.rowLength
          for offset in 0..<rows.rowLength { output[target + offset] = input[source + offset] }
          target += rows.rowLength
        }
      }
    }
  }
}

/// The kernel of `GatherLoop`.
package typealias GatherKernel<Unit, Index> = LoopKernel<GatherLoop<Unit, Index>>
where Unit: TensorElement, Index: TensorElement & FixedWidthInteger

extension LoopKernel {
  /// The loop over `rows`.
  package convenience init<Unit, Index>(_ rows: GatheredRows)
  where
    Loop == GatherLoop<Unit, Index>, Unit: TensorElement, Index: TensorElement & FixedWidthInteger
  {
    self.init(GatherLoop(rows))
  }
}

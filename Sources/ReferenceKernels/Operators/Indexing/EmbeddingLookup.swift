// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let embeddingLookup = CatalogEntry(
    .embeddingLookup, chapter: .indexing, formula: "y[j, i…] = table[lookup[j], i…]",
    versions: .upTo(5),
    variants: """
      f32 i8_q i32 hybrid_i8 hybrid_u8 hybrid_i8_pc hybrid_i4 hybrid_i4_pc hybrid_i2_pc \
      hybrid_i8_f16 blockwise_i4 blockwise_i2
      """,
    optimized: "",
    work: .nothing, reads: .selection(of: 1)
  ) { _ in EmbeddingLookup() }
}

/// `EMBEDDING_LOOKUP`: rows of a table, chosen by index.
///
/// - Input 0: the indices, int32, of rank 1.
/// - Input 1: the table, of rank 2 at least.
///
/// Where the output is a float type and the table is not, rows are dequantized, see
/// `DequantizedRowsLoop`; else they are copied. TFLite: `embedding_lookup.cc`.
struct EmbeddingLookup: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 2...2)
    let (lookup, table) = (try node.input(0), try node.input(1))
    try lookup.expect(.int32, .input(0))
    guard lookup.shape.rank == 1 else { throw .rank(lookup.shape.rank, wanted: "1", .input(0)) }
    guard table.shape.rank >= 2 else {
      throw .rank(table.shape.rank, wanted: "at least 2", .input(1))
    }
    let declared = try node.declaredOutput()
    let rows = TableRows(
      count: table.shape[0], length: table.shape.dimensions.dropFirst().reduce(1, *))
    let output = declared.with(
      shape: try Shape.checked([lookup.shape[0]] + table.shape.dimensions.dropFirst()))
    if declared.elementType == table.elementType {
      try table.expectNumbers(.input(1))
      return try RowCopies(rows).prepared(node, outputs: [output])
    }
    switch declared.elementType {
    case .float32: return try dequantizing(node, output, rows, as: Float.self)
    case .float16: return try dequantizing(node, output, rows, as: Float16.self)
    case let other: throw .elementType(other, .output(0))
    }
  }

  private func dequantizing<Output: FloatElement>(
    _ node: PrepareContext, _ output: TensorType, _ rows: TableRows, as type: Output.Type
  ) throws(KernelError) -> Prepared {
    let table = try node.input(1)
    let scales = try RowScales(node, rows)
    switch table.elementType {
    case .int8, .uint8:
      guard scales.blockLength == rows.length else {
        throw .elementType(table.elementType, .input(1))
      }
      return Prepared(
        output, LoopKernel(DequantizedRowsLoop<WholeElements<Int8>, Output>(rows, scales, bits: 8)))
    case .int4:
      return Prepared(
        output, LoopKernel(DequantizedRowsLoop<Int4Elements, Output>(rows, scales, bits: 4)))
    case .int2:
      return Prepared(
        output, LoopKernel(DequantizedRowsLoop<Int2Elements, Output>(rows, scales, bits: 2)))
    case let other: throw .elementType(other, .input(1))
    }
  }
}

/// The rows of a table of embeddings.
package struct TableRows: Sendable, Hashable {
  /// How many there are.
  package let count: Int
  /// Elements of a row.
  package let length: Int

  /// The row that `index` names.
  ///
  /// - Throws: `KernelError` where there is none.
  func row(_ index: Int32, _ tensor: KernelError.Tensor = .input(0)) throws(KernelError) -> Int {
    guard index >= 0, Int(index) < count else {
      throw .invalid("index \(index) of \(count)", tensor)
    }
    return Int(index)
  }
}

private struct RowCopies: Movement {
  let rows: TableRows

  init(_ rows: TableRows) { self.rows = rows }

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(CopiedRowsLoop<Unit>(rows: rows))
  }
}

/// The loop over copied rows of elements as wide as `Unit`.
package struct CopiedRowsLoop<Unit: TensorElement>: KernelLoop {
  /// The table.
  package let rows: TableRows

  package func evaluate(_ frame: borrowing TensorFrame) throws(KernelError) {
    let lookup = frame.input(0, as: Int32.self)
    let table = frame.input(1, as: Unit.self)
    var output = frame.output(0, as: Unit.self)
    for position in lookup.indices {
      let source = try rows.row(lookup[position]) * rows.length
      let target = position * rows.length
      for offset in 0..<rows.length { output[target + offset] = table[source + offset] }
    }
  }
}

/// The scales of a quantized table's rows.
package struct RowScales: Sendable {
  /// One for all, one for each row, or one for each block of a row.
  package let scales: [Float]
  /// Elements of a row that share a scale.
  package let blockLength: Int
  /// How far apart the scales of neighboring rows lie; 0 where one holds for all.
  package let stride: Int

  /// The scales of input 1 of `node`, a table of these rows.
  ///
  /// - Throws: `KernelError` where they are missing or do not belong to rows.
  fileprivate init(_ node: PrepareContext, _ rows: TableRows) throws(KernelError) {
    let table = try node.input(1)
    if let blocks = node.inputs[1]?.blockScales {
      guard table.shape.rank == 2 else { throw .rank(table.shape.rank, wanted: "2", .input(1)) }
      guard blocks.blockLength > 0, rows.length % blocks.blockLength == 0 else {
        throw .invalid("blocks of \(blocks.blockLength) in rows of \(rows.length)", .input(1))
      }
      let perRow = rows.length / blocks.blockLength
      let (wanted, overflow) = rows.count.multipliedReportingOverflow(by: perRow)
      guard !overflow, blocks.scales.count >= wanted else {
        throw .invalid("\(blocks.scales.count) scales for \(rows.count) rows", .input(1))
      }
      (scales, blockLength, stride) = (blocks.scales, blocks.blockLength, perRow)
      return
    }
    guard let quantization = table.quantization else {
      throw .invalid("quantization parameters are missing", .input(1))
    }
    let zeroPoint = quantization.slice(0)?.zeroPoint ?? 0
    guard try node.declaredOutput().elementType != .float32 || zeroPoint == 0
    else { throw .invalid("zero point \(zeroPoint), wanted 0", .input(1)) }
    guard !quantization.isPerChannel || quantization.axis == 0,
      [1, rows.count].contains(quantization.scaleCount)
    else { throw .invalid("scales that do not belong to rows", .input(1)) }
    scales = quantization.scales
    blockLength = rows.length
    stride = quantization.isPerChannel ? 1 : 0
  }
}

/// The loop over rows that are dequantized.
///
///     y[j, i] = s[lookup[j], i / block] · table[lookup[j], i]
///
/// The zero point is 0. TFLite moves quantized values of 4 or 2 bits to the top of a byte, and
/// divides the scale by as much; it reads uint8 quantized values as signed; and rows of packed
/// quantized values begin at whole bytes, the last of which a row may share with the next one.
package struct DequantizedRowsLoop<Codes: QuantizedFormat, Output: FloatElement>: SteppedLoop {
  /// The table.
  package let rows: TableRows
  /// The table's scales.
  package let scales: RowScales
  /// Quantized values in a byte.
  package let elementsPerByte: Int
  /// What moving a quantized value to the top of a byte multiplies it by.
  package let lift: Float

  /// The loop over `rows` with quantized values of `bits` bits.
  package init(_ rows: TableRows, _ scales: RowScales, bits: Int) {
    self.rows = rows
    self.scales = scales
    elementsPerByte = 8 / bits
    lift = Float(1 << (8 - bits))
  }

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let lookup = frame.input(0, as: Int32.self)
    let table = frame.input(1, as: Codes.Stored.self)
    var output = frame.output(0, as: Output.self)
    guard rows.length > 0 else { return }
    for position in lookup.indices {
      let row = try rows.row(lookup[position])
      for block in 0..<rows.length / scales.blockLength {
        let scale = scales.scales[row * scales.stride + block] / lift
        let start = row * rows.length + block * scales.blockLength
        let source = start / elementsPerByte * elementsPerByte
        let target = position * rows.length + block * scales.blockLength
        for offset in 0..<scales.blockLength {
          steps.about(target + offset)
          steps.read(lookup, position)
          steps.read(element: source + offset, ofInput: 1)
          steps.note("row", "of the table", row)
          steps.note(
            "scale", "\(scale * lift) / \(lift), of block \(block) of the row", scale)
          let value = Codes.load(source + offset, from: table)
          let lifted = steps.product(Float(value), lift, "value")
          output[target + offset] = steps.narrow(steps.product(lifted, scale))
        }
      }
    }
  }
}

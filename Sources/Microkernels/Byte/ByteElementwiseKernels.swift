// SPDX-License-Identifier: Apache-2.0

/// Element-wise kernels on 8-bit quantized values of one instruction-set level.
@safe
package struct ByteElementwiseKernels: Sendable {
  /// Bytes of a vector.
  let width: Int
  let add: Add
  let estimateSums: EstimateSums
  let multiply: Multiply
  let choose: Choose
  let maxima: Maxima
  let averages: Averages
  let columnSums: ColumnSums
  let dot: Dot
  let lookUp: LookUp
  let quantize: Convert
  let dequantize: Convert

  /// Sums of quantized values by the fast form of `ByteFinish`.
  package typealias Add = @Sendable (PlainRow, ByteOperands, ByteSumTerms, ByteFinish) -> Void
  /// Sums of quantized values from an index on, as far as their estimates are certain; returns how
  /// far.
  package typealias EstimateSums =
    @Sendable (PlainRow, Int, ByteOperands, ByteSumEstimate, ByteFinish) -> Int
  /// Products of quantized values by the fast form of `ByteFinish`.
  package typealias Multiply = @Sendable (PlainRow, ByteOperands, ByteFinish) -> Void
  /// The greater or the lesser quantized values.
  package typealias Choose =
    @Sendable (PlainRow, _ isMaximum: Bool, _ isSigned: Bool) -> Void
  /// The greatest quantized values of windows.
  package typealias Maxima = @Sendable (ByteMaximumLine) -> Void
  /// The averages of the quantized values of windows.
  package typealias Averages = @Sendable (ByteAverageLine) -> Void
  /// Sums of up to `width` columns.
  package typealias ColumnSums = @Sendable (ByteColumns, UnsafeMutableRawPointer) -> Void
  /// The sum of the products of two runs.
  package typealias Dot = @Sendable (ByteDot) -> Int32
  /// Bytes replaced by a table's.
  package typealias LookUp = @Sendable (ByteLookup) -> Void
  /// Floats turned into quantized values, or quantized values into floats.
  package typealias Convert = @Sendable (ByteConversion) -> Void

  /// The kernels of these functions.
  package init(
    width: Int, add: @escaping Add, estimateSums: @escaping EstimateSums,
    multiply: @escaping Multiply, choose: @escaping Choose, maxima: @escaping Maxima,
    averages: @escaping Averages,
    columnSums: @escaping ColumnSums, dot: @escaping Dot, lookUp: @escaping LookUp,
    quantize: @escaping Convert, dequantize: @escaping Convert
  ) {
    self.width = width
    unsafe self.add = add
    unsafe self.estimateSums = estimateSums
    unsafe self.multiply = multiply
    unsafe self.choose = choose
    unsafe self.maxima = maxima
    unsafe self.averages = averages
    unsafe self.columnSums = columnSums
    unsafe self.dot = dot
    unsafe self.lookUp = lookUp
    unsafe self.quantize = quantize
    unsafe self.dequantize = dequantize
  }
}

extension ByteMicrokernels {
  /// Computes sums of quantized values; `finish` has the fast form.
  @unsafe
  package func add(
    _ row: PlainRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) { unsafe elementwise.add(row, operands, terms, finish) }

  /// Computes sums of quantized values by their estimate, and those whose quantized value it leaves
  /// open by `exactly`.
  @unsafe
  package func add(
    _ row: PlainRow, _ operands: ByteOperands, _ estimate: ByteSumEstimate,
    _ finish: ByteFinish, exactly: (PlainRow) -> Void
  ) {
    var start = 0
    while true {
      start = unsafe elementwise.estimateSums(row, start, operands, estimate, finish)
      let count = unsafe min(elementwise.width, row.count &- start)
      guard count > 0 else { return }
      unsafe exactly(
        PlainRow(
          left: row.left + start, right: row.right + start, output: row.output + start,
          count: count))
      start &+= count
    }
  }

  /// Computes products of quantized values; `finish` has the fast form.
  @unsafe
  package func multiply(_ row: PlainRow, _ operands: ByteOperands, _ finish: ByteFinish) {
    unsafe elementwise.multiply(row, operands, finish)
  }

  /// Chooses the greater or the lesser of two quantized values each.
  @unsafe
  package func choose(_ row: PlainRow, isMaximum: Bool, isSigned: Bool) {
    unsafe elementwise.choose(row, isMaximum, isSigned)
  }

  /// Finds the greatest quantized values of windows.
  @unsafe
  package func pool(_ line: ByteMaximumLine) { unsafe elementwise.maxima(line) }

  /// Finds the averages of the quantized values of windows.
  @unsafe
  package func pool(_ line: ByteAverageLine) { unsafe elementwise.averages(line) }

  /// Adds up the products of two runs.
  @unsafe
  package func dot(_ task: ByteDot) -> Int32 { unsafe elementwise.dot(task) }

  /// Replaces bytes by entries of a table.
  @unsafe
  package func lookUp(_ task: ByteLookup) { unsafe elementwise.lookUp(task) }

  /// Turns floats into quantized values.
  @unsafe
  package func quantize(_ run: ByteConversion) { unsafe elementwise.quantize(run) }

  /// Turns quantized values into floats, with one rounding.
  @unsafe
  package func dequantize(_ run: ByteConversion) { unsafe elementwise.dequantize(run) }

  /// The sums of the columns in `range`.
  @unsafe
  package func sumColumns(
    _ rows: ByteColumns, _ range: Range<Int>, to sums: UnsafeMutablePointer<Int32>
  ) {
    let width = elementwise.width
    // What makes quantized values unsigned is taken away again.
    let excess: Int32 = unsafe rows.isSigned ? 128 &* Int32(truncatingIfNeeded: rows.rowCount) : 0
    unsafe withUnsafeTemporaryAllocation(
      byteCount: width &* 4, alignment: 16
    ) { buffer in
      guard let memory = buffer.baseAddress else { return }
      let vector = unsafe memory.assumingMemoryBound(to: Int32.self)
      for column in stride(from: range.lowerBound, to: range.upperBound, by: width) {
        let count = min(width, range.upperBound &- column)
        // A part of a vector is the end of a whole one where there are so many columns.
        let first = count < width && column &+ count >= width ? column &+ count &- width : column
        var part = unsafe rows
        unsafe part.input += first
        unsafe part.columnCount = column &+ count &- first
        unsafe elementwise.columnSums(part, memory)
        for index in 0..<count {
          let position = interleavedPosition(of: column &+ index &- first, width: width)
          unsafe sums[column &+ index &- range.lowerBound] = vector[position] &- excess
        }
      }
    }
  }
}

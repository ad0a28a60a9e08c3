// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  private enum FloatVectors: FloatPrimitives {}
  private enum ByteVectors: BytePrimitives {}

  /// Sums of quantized values.
  func addBytes(
    _ row: PlainRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) {
    if unsafe finish.scalesInSteps {
      unsafe doublyRoundedByteSums(row, operands, terms, finish)
    } else if unsafe finish.roundsTwice {
      unsafe flooredByteSums(row, operands, terms, finish)
    } else {
      unsafe singlyRoundedByteSums(row, operands, terms, finish)
    }
  }

  @inline(never)
  func doublyRoundedByteSums(
    _ row: PlainRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowTwiceRoundedSum.self, ByteRowConstants<ByteVectors>(operands, terms, finish),
      inSteps: true)
  }

  @inline(never)
  func flooredByteSums(
    _ row: PlainRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowTwiceRoundedSum.self, ByteRowConstants<ByteVectors>(operands, terms, finish),
      inSteps: false)
  }

  @inline(never)
  func singlyRoundedByteSums(
    _ row: PlainRow, _ operands: ByteOperands, _ terms: ByteSumTerms, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowSum.self, ByteRowConstants<ByteVectors>(operands, terms, finish),
      inSteps: false)
  }

  /// Sums of quantized values as far as their estimates are certain.
  func estimateByteSums(
    _ row: PlainRow, _ start: Int, _ operands: ByteOperands, _ estimate: ByteSumEstimate,
    _ finish: ByteFinish
  ) -> Int {
    unsafe estimateRow(row, from: start, operands, estimate, ByteLimits<ByteVectors>(finish))
  }

  /// Products of quantized values.
  func multiplyBytes(_ row: PlainRow, _ operands: ByteOperands, _ finish: ByteFinish) {
    if unsafe finish.scalesInSteps {
      unsafe doublyRoundedByteProducts(row, operands, finish)
    } else {
      unsafe singlyRoundedByteProducts(row, operands, finish)
    }
  }

  @inline(never)
  func doublyRoundedByteProducts(
    _ row: PlainRow, _ operands: ByteOperands, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowProduct.self, ByteRowConstants<ByteVectors>(operands, ByteSumTerms(), finish),
      inSteps: true)
  }

  @inline(never)
  func singlyRoundedByteProducts(
    _ row: PlainRow, _ operands: ByteOperands, _ finish: ByteFinish
  ) {
    unsafe computeRow(
      row, ByteRowProduct.self, ByteRowConstants<ByteVectors>(operands, ByteSumTerms(), finish),
      inSteps: false)
  }

  /// The greater or the lesser of two quantized values each.
  func chooseBytes(_ row: PlainRow, isMaximum: Bool, isSigned: Bool) {
    unsafe chooseBytes(row, isMaximum: isMaximum, isSigned: isSigned, ByteVectors.self)
  }

  /// The greatest quantized values of windows.
  func bytePoolMaxima(_ line: ByteMaximumLine) { unsafe poolLine(line, ByteVectors.self) }

  /// The averages of windows.
  func bytePoolAverages(_ line: ByteAverageLine) { unsafe poolLine(line, ByteVectors.self) }

  /// Sums of columns of quantized values.
  func sumByteColumns(_ rows: ByteColumns, _ sums: UnsafeMutableRawPointer) {
    unsafe sumColumns(rows, to: sums, ByteVectors.self)
  }

  /// The sum of the products of two runs.
  func dotBytes(_ task: ByteDot) -> Int32 { unsafe dotBytes(task, ByteVectors.self) }

  /// Bytes replaced by a table's, by shuffles where the level has them.
  func byteLookup(_ task: ByteLookup) { unsafe lookUpBytes(task, ByteVectors.self) }

  /// Floats quantized, by vectors where the level has the conversions.
  func quantize(_ run: ByteConversion) {
    unsafe quantizeBytes(run, FloatVectors.self, ByteVectors.self)
  }

  /// Quantized values turned into floats, by vectors where the level has the conversions.
  func dequantize(_ run: ByteConversion) {
    unsafe dequantizeBytes(run, FloatVectors.self, ByteVectors.self)
  }

  /// A line of a resized image of int8 quantized values.
  func integerBilinearLine(_ line: IntegerBilinearLine) { unsafe interpolate(line) }
#endif

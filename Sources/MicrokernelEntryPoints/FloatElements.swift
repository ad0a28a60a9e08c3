// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  private enum FloatVectors: FloatPrimitives {}

  /// A function of each of a run of floats.
  func floatFunction(_ task: FloatFunctionTask, _ function: FloatFunction) {
    switch function {
    case .logistic: unsafe floatLogistics(task)
    case .tanh: unsafe floatTanhs(task)
    case .exponential: unsafe floatExponentials(task)
    case .hardSwish: unsafe floatHardSwishes(task)
    case .swish: unsafe floatSwishes(task)
    case .exponentialLinearUnit: unsafe floatExponentialUnits(task)
    case .gaussianErrorUnit: unsafe floatGaussianUnits(task)
    case .tanhErrorUnit: unsafe floatTanhUnits(task)
    case .logarithm: unsafe floatLogarithms(task)
    case .sine: unsafe floatSines(task)
    case .cosine: unsafe floatCosines(task)
    case .magnitude: unsafe floatMagnitudes(task)
    case .negation: unsafe floatNegations(task)
    case .square: unsafe floatSquares(task)
    case .squareRoot: unsafe floatSquareRoots(task)
    case .reciprocalSquareRoot: unsafe floatReciprocalSquareRoots(task)
    case .floor: unsafe floatFloors(task)
    case .ceiling: unsafe floatCeilings(task)
    case .nearest: unsafe floatNearest(task)
    }
  }

  /// The greatest elements of windows.
  func floatPoolMaxima(_ line: FloatPoolLine) {
    unsafe poolLine(
      line, RowMaximum.self, from: -.greatestFiniteMagnitude, divides: false, FloatVectors.self)
  }

  /// The averages of windows.
  func floatPoolAverages(_ line: FloatPoolLine) {
    unsafe poolLine(line, RowSum.self, from: 0, divides: true, FloatVectors.self)
  }

  /// The maxima of windows and their places.
  func floatArgmax(_ line: FloatArgmaxLine) { unsafe argmaxLine(line, FloatVectors.self) }

  /// The Fourier transforms of rows.
  func fourierRows(_ rows: FourierRows) { unsafe transformRows(rows) }

  @inline(__always)
  private func apply<Function: VectorFunction>(_: Function.Type, _ task: FloatFunctionTask) {
    unsafe applyFunction(
      task, Function.self, FloatVectors.self, several: Tiles.Functions<FloatVectors>.self)
  }

  /// A function that is too long for several vectors side by side: the optimizer leaves them as calls.
  @inline(__always)
  private func applyAlone<Function: VectorFunction>(
    _: Function.Type, _ task: FloatFunctionTask
  ) {
    unsafe applyFunction(task, Function.self, FloatVectors.self, several: FloatVectors.self)
  }

  @inline(never)
  func floatLogistics(_ task: FloatFunctionTask) {
    unsafe apply(VectorLogistic.self, task)
  }

  @inline(never)
  func floatTanhs(_ task: FloatFunctionTask) {
    unsafe apply(VectorTanh.self, task)
  }

  @inline(never)
  func floatExponentials(_ task: FloatFunctionTask) {
    unsafe apply(VectorExponential.self, task)
  }

  @inline(never)
  func floatHardSwishes(_ task: FloatFunctionTask) {
    unsafe apply(VectorHardSwish.self, task)
  }

  @inline(never)
  func floatSwishes(_ task: FloatFunctionTask) {
    unsafe apply(VectorSwish.self, task)
  }

  @inline(never)
  func floatExponentialUnits(_ task: FloatFunctionTask) {
    unsafe apply(VectorExponentialUnit.self, task)
  }

  @inline(never)
  func floatGaussianUnits(_ task: FloatFunctionTask) {
    unsafe apply(VectorGaussianUnit.self, task)
  }

  @inline(never)
  func floatTanhUnits(_ task: FloatFunctionTask) {
    unsafe apply(VectorTanhUnit.self, task)
  }

  @inline(never)
  func floatLogarithms(_ task: FloatFunctionTask) {
    unsafe applyAlone(VectorLogarithm.self, task)
  }

  @inline(never)
  func floatSines(_ task: FloatFunctionTask) {
    unsafe applyAlone(VectorSine.self, task)
  }

  @inline(never)
  func floatCosines(_ task: FloatFunctionTask) {
    unsafe applyAlone(VectorCosine.self, task)
  }

  @inline(never)
  func floatMagnitudes(_ task: FloatFunctionTask) {
    unsafe apply(VectorMagnitude.self, task)
  }

  @inline(never)
  func floatNegations(_ task: FloatFunctionTask) {
    unsafe apply(VectorNegation.self, task)
  }

  @inline(never)
  func floatSquares(_ task: FloatFunctionTask) {
    unsafe apply(VectorSquare.self, task)
  }

  @inline(never)
  func floatSquareRoots(_ task: FloatFunctionTask) {
    unsafe apply(VectorSquareRoot.self, task)
  }

  @inline(never)
  func floatReciprocalSquareRoots(_ task: FloatFunctionTask) {
    unsafe apply(VectorReciprocalSquareRoot.self, task)
  }

  @inline(never)
  func floatFloors(_ task: FloatFunctionTask) {
    unsafe apply(VectorFloor.self, task)
  }

  @inline(never)
  func floatCeilings(_ task: FloatFunctionTask) {
    unsafe apply(VectorCeiling.self, task)
  }

  @inline(never)
  func floatNearest(_ task: FloatFunctionTask) {
    unsafe apply(VectorNearest.self, task)
  }

  /// A row of an element-wise operation on floats.
  func floatBinary(_ row: FloatBinaryRow, _ operation: FloatBinaryOperation) {
    switch operation {
    case .add: unsafe floatSums(row)
    case .subtract: unsafe floatDifferences(row)
    case .multiply: unsafe floatProducts(row)
    case .divide: unsafe floatQuotients(row)
    case .maximum: unsafe floatMaxima(row)
    case .minimum: unsafe floatMinima(row)
    case .squaredDifference: unsafe floatSquaredDifferences(row)
    case .slopeBelowZero: unsafe floatSlopesBelowZero(row)
    case .slopeUpToZero: unsafe floatSlopesUpToZero(row)
    case .slopeOfNegatives: unsafe floatSlopesOfNegatives(row)
    }
  }

  @inline(never)
  func floatSums(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowSum.self, FloatVectors.self)
  }

  @inline(never)
  func floatDifferences(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowDifference.self, FloatVectors.self)
  }

  @inline(never)
  func floatProducts(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowProduct.self, FloatVectors.self)
  }

  @inline(never)
  func floatQuotients(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowQuotient.self, FloatVectors.self)
  }

  @inline(never)
  func floatMaxima(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowMaximum.self, FloatVectors.self)
  }

  @inline(never)
  func floatMinima(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowMinimum.self, FloatVectors.self)
  }

  @inline(never)
  func floatSquaredDifferences(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowSquaredDifference.self, FloatVectors.self)
  }

  @inline(never)
  func floatSlopesBelowZero(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowSlopeBelowZero.self, FloatVectors.self)
  }

  @inline(never)
  func floatSlopesUpToZero(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowSlopeUpToZero.self, FloatVectors.self)
  }

  @inline(never)
  func floatSlopesOfNegatives(_ row: FloatBinaryRow) {
    unsafe computeRow(row, RowSlopeOfNegatives.self, FloatVectors.self)
  }

  /// A line of a resized image, of floats or of unsigned quantized values.
  func bilinearLine(_ line: BilinearLine, bytes: Bool) {
    if bytes {
      unsafe byteBilinearLine(line)
    } else if unsafe line.weights == nil {
      unsafe floatBilinearLine(line)
    } else {
      unsafe weighedBilinearLine(line)
    }
  }

  @inline(never)
  func byteBilinearLine(_ line: BilinearLine) {
    unsafe interpolate(line, weighs: false, ByteLineOutput.self, FloatVectors.self)
  }

  @inline(never)
  func floatBilinearLine(_ line: BilinearLine) {
    unsafe interpolate(line, weighs: false, FloatLineOutput.self, FloatVectors.self)
  }

  @inline(never)
  func weighedBilinearLine(_ line: BilinearLine) {
    unsafe interpolate(line, weighs: true, FloatLineOutput.self, FloatVectors.self)
  }

  /// The limit of float arithmetic.
  func floatPeak(_ rounds: Int) -> Float { floatPeak(rounds, FloatVectors.self) }

  /// The limit of reading.
  func readPeak(_ source: UnsafeRawPointer, _ byteCount: Int) -> Float {
    unsafe readPeak(source, byteCount, FloatVectors.self)
  }

  /// The limit of copying.
  func copyPeak(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ byteCount: Int
  ) {
    unsafe copyPeak(source, target, byteCount, FloatVectors.self)
  }
#endif

// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  internal import Microkernels
  internal import _Builtin_intrinsics.intel

  /// Sixteen floats.
  private enum FloatVectors: FloatInstructions {
    typealias Vector = SIMD16<Float>

    @inline(__always)
    static func broadcast(_ value: Float) -> Vector { Vector(repeating: value) }

    @inline(__always)
    static func multiplyAdd(_ sum: Vector, _ left: Vector, _ right: Vector) -> Vector {
      sum.addingProduct(left, right)
    }

    @inline(__always)
    static func clamp(_ value: Vector, _ lowest: Vector, _ highest: Vector) -> Vector {
      // Both return their second operand where one is NaN.
      _mm512_min_ps(highest, _mm512_max_ps(lowest, value))
    }

    @inline(__always)
    static func add(_ left: Vector, _ right: Vector) -> Vector { left + right }

    @inline(__always)
    static func subtract(_ left: Vector, _ right: Vector) -> Vector { left - right }

    @inline(__always)
    static func multiply(_ left: Vector, _ right: Vector) -> Vector { left * right }

    @inline(__always)
    static func divide(_ left: Vector, _ right: Vector) -> Vector { left / right }

    @inline(__always)
    static func squareRoot(_ value: Vector) -> Vector { _mm512_sqrt_ps(value) }

    @inline(__always)
    static func flipSign(_ value: Vector, whereNegative sign: Vector) -> Vector {
      let signs = unsafe unsafeBitCast(sign, to: SIMD16<UInt32>.self) & 0x8000_0000
      return unsafe unsafeBitCast(
        unsafeBitCast(value, to: SIMD16<UInt32>.self) ^ signs, to: Vector.self)
    }

    @inline(__always)
    static func minimum(_ left: Vector, _ right: Vector) -> Vector { _mm512_min_ps(left, right) }

    @inline(__always)
    static func select(
      _ left: Vector, lessThan right: Vector, _ then: Vector, else otherwise: Vector
    ) -> Vector {
      otherwise.replacing(with: then, where: left .< right)
    }

    @inline(__always)
    static func scale(_ value: Vector, byPowerOfTwo n: Vector) -> Vector {
      _mm512_scalef_ps(value, n)
    }

    @inline(__always)
    static func loadPrefix(_ pointer: UnsafeRawPointer, count: Int) -> Vector {
      unsafe _mm512_maskz_loadu_ps(mask(count), pointer)
    }

    @inline(__always)
    static func storePrefix(_ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int) {
      unsafe _mm512_mask_storeu_ps(pointer, mask(count), value)
    }

    @inline(__always)
    static func storeBytes(
      _ value: Vector, to pointer: UnsafeMutableRawPointer, count: Int
    ) {
      let codes = _mm512_cvtepi32_epi8(_mm512_cvttps_epi32(value))
      if count >= 16 {
        unsafe pointer.storeBytes(of: codes, as: __m128i.self)
      } else {
        unsafe _mm_mask_storeu_epi8(pointer, mask(count), codes)
      }
    }

    @inline(__always)
    static func mask(_ count: Int) -> UInt16 {
      UInt16(truncatingIfNeeded: (1 &<< UInt32(truncatingIfNeeded: count)) &- 1)
    }
  }

  /// A tile of a float product, as wide as one or two vectors.
  func floatTile(_ task: FloatTileTask, vectors: Int) {
    if vectors == 2 {
      unsafe fullFloatTile(task)
    } else {
      unsafe halfFloatTile(task)
    }
  }

  @inline(never)
  func fullFloatTile(_ task: FloatTileTask) {
    unsafe floatTile(task, tileRows: 12, FloatTile<FloatVectors, 1, 2>.self)
  }

  @inline(never)
  func halfFloatTile(_ task: FloatTileTask) {
    unsafe floatTile(task, tileRows: 12, FloatTile<FloatVectors, 1, 1>.self)
  }

  /// A tile of a product whose products are scaled, as wide as one or two vectors.
  func scaledFloatTile(_ task: FloatTileTask, _ scaling: FloatProductScaling, vectors: Int) {
    if vectors == 2 {
      unsafe fullScaledFloatTile(task, scaling)
    } else {
      unsafe halfScaledFloatTile(task, scaling)
    }
  }

  @inline(never)
  func fullScaledFloatTile(_ task: FloatTileTask, _ scaling: FloatProductScaling) {
    unsafe scaledFloatTile(task, scaling, FloatTile<FloatVectors, 1, 2>.self)
  }

  @inline(never)
  func halfScaledFloatTile(_ task: FloatTileTask, _ scaling: FloatProductScaling) {
    unsafe scaledFloatTile(task, scaling, FloatTile<FloatVectors, 1, 1>.self)
  }

  /// A part of a float depthwise convolution with any window.
  func floatDepthwise(_ part: FloatDepthwisePart) {
    unsafe floatDepthwise(part, FloatVectors.self)
  }

  /// A part of a float depthwise convolution with three neighbouring columns and a stride of 1.
  func floatDepthwiseThree(_ part: FloatDepthwisePart) {
    unsafe floatDepthwise(part, SharedColumns<3, 1, 6>.self, pairs: true, FloatVectors.self)
  }

  /// A part of a float depthwise convolution with five neighbouring columns and a stride of 1.
  func floatDepthwiseFive(_ part: FloatDepthwisePart) {
    unsafe floatDepthwise(part, SharedColumns<5, 1, 8>.self, pairs: true, FloatVectors.self)
  }

  /// A function of each of a run of floats.
  func floatFunction(_ task: FloatFunctionTask, _ function: FloatFunction) {
    switch function {
    case .logistic: unsafe floatLogistics(task)
    case .tanh: unsafe floatTangents(task)
    case .exponential: unsafe floatExponentials(task)
    case .hardSwish: unsafe floatHardSwishes(task)
    case .swish: unsafe floatSwishes(task)
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

  @inline(never)
  func floatLogistics(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorLogistic.self, FloatVectors.self)
  }

  @inline(never)
  func floatTangents(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorTangent.self, FloatVectors.self)
  }

  @inline(never)
  func floatExponentials(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorExponential.self, FloatVectors.self)
  }

  @inline(never)
  func floatHardSwishes(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorHardSwish.self, FloatVectors.self)
  }

  @inline(never)
  func floatSwishes(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorSwish.self, FloatVectors.self)
  }

  @inline(never)
  func floatMagnitudes(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorMagnitude.self, FloatVectors.self)
  }

  @inline(never)
  func floatNegations(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorNegation.self, FloatVectors.self)
  }

  @inline(never)
  func floatSquares(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorSquare.self, FloatVectors.self)
  }

  @inline(never)
  func floatSquareRoots(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorSquareRoot.self, FloatVectors.self)
  }

  @inline(never)
  func floatReciprocalSquareRoots(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorReciprocalSquareRoot.self, FloatVectors.self)
  }

  @inline(never)
  func floatFloors(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorFloor.self, FloatVectors.self)
  }

  @inline(never)
  func floatCeilings(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorCeiling.self, FloatVectors.self)
  }

  @inline(never)
  func floatNearest(_ task: FloatFunctionTask) {
    unsafe applyFunction(task, VectorNearest.self, FloatVectors.self)
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

  /// A line of a picture at another size.
  func bilinearLine(_ line: BilinearLine, bytes: Bool) {
    if bytes { unsafe byteBilinearLine(line) } else { unsafe floatBilinearLine(line) }
  }

  @inline(never)
  func byteBilinearLine(_ line: BilinearLine) {
    unsafe interpolate(line, ByteLineOutput.self, FloatVectors.self)
  }

  @inline(never)
  func floatBilinearLine(_ line: BilinearLine) {
    unsafe interpolate(line, FloatLineOutput.self, FloatVectors.self)
  }

  /// A line of a picture of int8 codes at another size.
  func codeBilinearLine(_ line: CodeBilinearLine) { unsafe interpolate(line) }

  /// A tile of the input of a convolution by minimal filtering.
  func winogradInput(_ task: WinogradInputTask, _ size: WinogradTileSize) {
    switch size {
    case .two: unsafe smallWinogradInput(task)
    case .four: unsafe largeWinogradInput(task)
    }
  }

  @inline(never)
  func smallWinogradInput(_ task: WinogradInputTask) {
    unsafe WinogradTile<FloatVectors, 4, 2>.run(task)
  }

  @inline(never)
  func largeWinogradInput(_ task: WinogradInputTask) {
    unsafe WinogradTile<FloatVectors, 6, 4>.run(task)
  }

  /// A tile of sums of a convolution by minimal filtering.
  func winogradOutput(_ task: WinogradOutputTask, _ size: WinogradTileSize) {
    switch size {
    case .two: unsafe smallWinogradOutput(task)
    case .four: unsafe largeWinogradOutput(task)
    }
  }

  @inline(never)
  func smallWinogradOutput(_ task: WinogradOutputTask) {
    unsafe WinogradTile<FloatVectors, 4, 2>.run(task)
  }

  @inline(never)
  func largeWinogradOutput(_ task: WinogradOutputTask) {
    unsafe WinogradTile<FloatVectors, 6, 4>.run(task)
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

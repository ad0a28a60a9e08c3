// SPDX-License-Identifier: Apache-2.0

/// Float kernels of one instruction-set level.
@safe
package final class FloatMicrokernels: Sendable {
  /// How products are laid out and cut up.
  package let layout: FloatGemmLayout
  let tile: Tile
  let lineTile: LineTile
  let scaledTile: ScaledTile
  let rowProducts: RowProducts
  let depthwisePart: DepthwisePart
  let depthwiseThree: DepthwisePart
  let depthwiseFive: DepthwisePart
  let function: Function
  let binary: Binary
  let bilinear: Bilinear
  let integerBilinear: IntegerBilinear
  let maxima: Pool
  let averages: Pool
  let argmax: Argmax
  let fourier: Fourier
  /// The transforms of convolutions by minimal filtering.
  package let winograd: WinogradKernels

  /// Computes a tile of a product; its columns fill so many vectors, or 0 for a shorter one.
  package typealias Tile = @Sendable (FloatTileTask, _ vectors: Int) -> Void
  /// Computes a tile of a line; its columns fill so many vectors, or 0 for a shorter one.
  package typealias LineTile = @Sendable (FloatLineTileTask, _ vectors: Int) -> Void
  /// Computes a tile of a product whose products are scaled.
  package typealias ScaledTile =
    @Sendable (FloatTileTask, FloatProductScaling, _ vectors: Int) -> Void
  /// Multiplies rows with a vector.
  package typealias RowProducts = @Sendable (FloatRowProducts) -> Void
  /// Computes some output pixels of a depthwise convolution.
  package typealias DepthwisePart = @Sendable (FloatDepthwisePart) -> Void

  /// Applies a function to a run of floats.
  package typealias Function = @Sendable (FloatFunctionTask, FloatFunction) -> Void

  /// Computes a row of an element-wise operation.
  package typealias Binary = @Sendable (FloatBinaryRow, FloatBinaryOperation) -> Void

  /// Computes a line of a resized image, of floats or of unsigned quantized values.
  package typealias Bilinear = @Sendable (BilinearLine, _ bytes: Bool) -> Void

  /// Computes a line of a resized image of int8 quantized values.
  package typealias IntegerBilinear = @Sendable (IntegerBilinearLine) -> Void

  /// Pools the windows of a row of output pixels.
  package typealias Pool = @Sendable (FloatPoolLine) -> Void

  /// Finds the maxima of the windows of a row of output pixels, and their places.
  package typealias Argmax = @Sendable (FloatArgmaxLine) -> Void

  /// Transforms rows of complex numbers in double precision.
  package typealias Fourier = @Sendable (FourierRows) -> Void

  /// The kernels of these functions.
  ///
  /// `depthwiseThree` and `depthwiseFive` are for windows of three and of five neighboring
  /// columns that move by one pixel, and four output pixels or more.
  package init(
    layout: FloatGemmLayout, tile: @escaping Tile, lineTile: @escaping LineTile,
    scaledTile: @escaping ScaledTile, rowProducts: @escaping RowProducts,
    depthwise: @escaping DepthwisePart,
    depthwiseThree: @escaping DepthwisePart, depthwiseFive: @escaping DepthwisePart,
    function: @escaping Function, binary: @escaping Binary, bilinear: @escaping Bilinear,
    integerBilinear: @escaping IntegerBilinear, maxima: @escaping Pool,
    averages: @escaping Pool, argmax: @escaping Argmax, fourier: @escaping Fourier,
    winograd: WinogradKernels
  ) {
    self.layout = layout
    unsafe self.tile = tile
    unsafe self.lineTile = lineTile
    unsafe self.scaledTile = scaledTile
    unsafe self.rowProducts = rowProducts
    unsafe depthwisePart = depthwise
    unsafe self.depthwiseThree = depthwiseThree
    unsafe self.depthwiseFive = depthwiseFive
    unsafe self.function = function
    unsafe self.binary = binary
    unsafe self.bilinear = bilinear
    unsafe self.integerBilinear = integerBilinear
    unsafe self.maxima = maxima
    unsafe self.averages = averages
    unsafe self.argmax = argmax
    unsafe self.fourier = fourier
    self.winograd = winograd
  }

  /// Multiplies rows with a vector where they lie.
  @unsafe
  package func multiply(_ rows: FloatRowProducts) { unsafe rowProducts(rows) }

  /// Computes a line of a resized image of floats, or of unsigned quantized values.
  @unsafe
  package func interpolate(_ line: BilinearLine, toBytes: Bool) {
    unsafe bilinear(line, toBytes)
  }

  /// Computes a line of a resized image of int8 quantized values.
  @unsafe
  package func interpolate(_ line: IntegerBilinearLine) { unsafe integerBilinear(line) }

  /// Pools the windows of a row of output pixels: their averages or their maxima.
  @unsafe
  package func pool(_ line: FloatPoolLine, isAverage: Bool) {
    if isAverage {
      unsafe averages(line)
    } else {
      unsafe maxima(line)
    }
  }

  /// Finds the maxima of the windows of a row of output pixels, and their places.
  @unsafe
  package func findMaxima(_ line: FloatArgmaxLine) { unsafe argmax(line) }

  /// Replaces rows of complex numbers, in bit-reversed order, by their transforms.
  @unsafe
  package func transform(_ rows: FourierRows) { unsafe fourier(rows) }

  /// Computes a row of an element-wise operation.
  @unsafe
  package func compute(_ operation: FloatBinaryOperation, _ row: FloatBinaryRow) {
    unsafe binary(row, operation)
  }

  /// Applies a function to a run of floats.
  @unsafe
  package func apply(_ function: FloatFunction, _ task: FloatFunctionTask) {
    unsafe self.function(task, function)
  }

  /// Computes a run of output pixels of a depthwise convolution.
  @unsafe
  package func depthwise(_ task: FloatDepthwiseTask) {
    let window = unsafe task.window
    unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: window.tapCount) { offsets in
      guard let base = offsets.baseAddress else { return }
      unsafe window.fill(base)
      let part = unsafe FloatDepthwisePart(
        run: task, offsets: base, first: 0, count: task.outputCount)
      if unsafe window.tapStep == 1 && window.step == 1 && task.outputCount >= 4,
        let shared = unsafe sharedColumns(window.columnCount)
      {
        unsafe shared(part)
      } else {
        unsafe depthwisePart(part)
      }
    }
  }

  private func sharedColumns(_ width: Int) -> DepthwisePart? {
    switch width {
    case 3: unsafe depthwiseThree
    case 5: unsafe depthwiseFive
    default: nil
    }
  }
}

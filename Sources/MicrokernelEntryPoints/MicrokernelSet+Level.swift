// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  internal import Microkernels

  // The folder of a level defines
  // - `FloatPrimitives`, `BytePrimitives` and `NarrowFloatPrimitives`: its vectors' operations, the
  //   last for convolutions of few channels;
  // - `depthwiseTile()` and `narrowDepthwiseTile()`: its 8-bit depthwise tiles;
  // - `Tiles.registerCount`: how many vectors there are registers for;
  // - `Tiles.FloatProduct` and `Tiles.ByteProduct`: the largest tiles, rows by vectors;
  // - `Tiles.FloatColumn`: the largest tile for products of few columns;
  // - `Tiles.scalesByteProducts`: whether a full tile scales its sums before they leave registers.
  //
  // Primitives are default implementations, and every file has types of its own that get them:
  // conformances of private types bring no weak code along.

  private enum FloatVectors: FloatPrimitives {}
  private enum ByteVectors: BytePrimitives {}
  private enum NarrowFloatVectors: NarrowFloatPrimitives {}

  extension MicrokernelSet {
    /// The kernels of this module's level, which replace bytes by a table's in this way.
    // Not inlined, it would be weak code.
    @inline(__always)
    static func make(
      _ level: Level, lookUp: @escaping ByteElementwiseKernels.LookUp
    ) -> MicrokernelSet {
      unsafe MicrokernelSet(
        level: level, float: makeFloat(), byte: makeByte(lookUp: lookUp),
        word: WordMicrokernels(
          function: wordFunction, gate: cellGate, states: cellStates, results: cellResults,
          scaled: scaledWords, sigmoid: wordSigmoid, interpolation: wordInterpolation),
        plain: plainRow, columns: reducePlainColumns, rows: reducePlainRows,
        peak: PeakLoops(
          laneCount: FloatVectors.laneCount,
          byteProducts: PeakLoops.byteProducts(
            isWide: ByteVectors.isWide, laneCount: FloatVectors.laneCount), float: floatPeak,
          byte: bytePeak, read: readPeak, copy: copyPeak))
    }

    private static func makeFloat() -> FloatMicrokernels {
      unsafe FloatMicrokernels(
        layout: FloatGemmLayout(
          Tiles.FloatProduct<FloatVectors>.self, column: Tiles.FloatColumn<FloatVectors>.self,
          narrowWidth: hasNarrowFloats ? NarrowFloatVectors.laneCount : 0),
        tile: floatTile, lineTile: floatLineTile, scaledTile: scaledFloatTile,
        rowProducts: floatRows,
        depthwise: floatDepthwise, depthwiseThree: floatDepthwiseThree,
        depthwiseFive: floatDepthwiseFive, function: floatFunction, binary: floatBinary,
        bilinear: bilinearLine, integerBilinear: integerBilinearLine,
        maxima: floatPoolMaxima, averages: floatPoolAverages,
        argmax: floatArgmax, fourier: fourierRows,
        winograd: WinogradKernels(input: winogradInput, output: winogradOutput))
    }

    /// Whether the level has shorter vectors for products of few columns.
    private static var hasNarrowFloats: Bool {
      NarrowFloatVectors.byteCount < FloatVectors.byteCount
    }

    // Not inlined, it would be weak code.
    @inline(__always)
    private static func makeByte(
      lookUp: @escaping ByteElementwiseKernels.LookUp
    ) -> ByteMicrokernels {
      unsafe ByteMicrokernels(
        layout: ByteGemmLayout(
          tileRows: Tiles.ByteProduct<ByteVectors>.rows, ByteVectors.self),
        copyRows: copyByteRows, widen: widenWeights, tile: byteTile, row: byteRow,
        scaledTile: Tiles.scalesByteProducts ? scaledByteTile : nil, scale: scaleByteProduct,
        finishReally: finishByteProduct,
        depthwise: depthwiseTile(), narrowDepthwise: narrowDepthwiseTile(),
        elementwise: ByteElementwiseKernels(
          width: ByteVectors.byteCount, add: addBytes, estimateSums: estimateByteSums,
          multiply: multiplyBytes, choose: chooseBytes, maxima: bytePoolMaxima,
          averages: bytePoolAverages, columnSums: sumByteColumns, dot: dotBytes, lookUp: lookUp,
          quantize: quantize, dequantize: dequantize),
        winograd: ByteWinogradKernels(input: byteWinogradInput, sums: byteWinogradSums),
        hybrid: HybridMicrokernels(
          limits: floatLimits, quantize: quantizeByRange, ranges: quantizeHybridRanges,
          finish: finishHybridSums))
    }
  }
#endif

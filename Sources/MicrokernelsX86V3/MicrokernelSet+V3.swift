// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  package import Microkernels

  extension MicrokernelSet {
    /// Kernels for x86-64-v3: call nothing of them on lesser processors.
    package static func v3() -> MicrokernelSet {
      unsafe MicrokernelSet(
        level: .v3,
        float: FloatMicrokernels(
          layout: FloatGemmLayout(tileRows: 5, panelWidth: 16), tile: floatTile,
          scaledTile: scaledFloatTile,
          depthwise: floatDepthwise, depthwiseThree: floatDepthwiseThree,
          depthwiseFive: floatDepthwiseFive, function: floatFunction, binary: floatBinary,
          bilinear: bilinearLine,
          codeBilinear: codeBilinearLine,
          winograd: WinogradKernels(input: winogradInput, output: winogradOutput)),
        byte: ByteMicrokernels(
          layout: ByteGemmLayout(tileRows: 5, panelWidth: 16, isWide: true),
          copyRows: copyByteRows, tile: byteTile, scaledTile: scaledByteTile,
          scale: scaleByteProduct,
          depthwise: ByteDepthwiseKernels(
            width: 32, isWide: true, sums: byteDepthwise, scale: scaleByteDepthwise),
          elementwise: ByteElementwiseKernels(
            width: 32, add: addBytes, estimateSums: estimateByteSums, multiply: multiplyBytes,
            columnSums: sumByteColumns,
            lookUp: lookUpBytesByShuffles, quantize: quantizeByVectors,
            dequantize: dequantizeByVectors)),
        word: WordMicrokernels(
          function: wordFunction, gate: cellGate, states: cellStates, results: cellResults),
        peak: PeakLoops(
          laneCount: 8, isWide: true, float: floatPeak, byte: bytePeak, read: readPeak,
          copy: copyPeak))
    }
  }
#endif

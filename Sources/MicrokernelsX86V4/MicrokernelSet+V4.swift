// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  package import Microkernels

  extension MicrokernelSet {
    /// Kernels for x86-64-v4 with VNNI: call nothing of them on lesser processors.
    package static func v4() -> MicrokernelSet { unsafe v4(lookUp: lookUpBytesByShuffles) }

    /// `v4` with another way to replace bytes by a table's.
    package static func v4(
      lookUp: @escaping ByteElementwiseKernels.LookUp
    ) -> MicrokernelSet {
      unsafe MicrokernelSet(
        level: .v4,
        float: FloatMicrokernels(
          layout: FloatGemmLayout(tileRows: 12, panelWidth: 32), tile: floatTile,
          scaledTile: scaledFloatTile,
          depthwise: floatDepthwise, depthwiseThree: floatDepthwiseThree,
          depthwiseFive: floatDepthwiseFive, function: floatFunction, binary: floatBinary,
          bilinear: bilinearLine,
          codeBilinear: codeBilinearLine,
          winograd: WinogradKernels(input: winogradInput, output: winogradOutput)),
        byte: ByteMicrokernels(
          layout: ByteGemmLayout(tileRows: 12, panelWidth: 32, isWide: false),
          copyRows: copyByteRows, tile: byteTile, scaledTile: scaledByteTile,
          scale: scaleByteProduct,
          depthwise: ByteDepthwiseKernels(
            width: 64, isWide: false, sums: byteDepthwise, columnSums: byteDepthwiseColumns,
            scale: scaleByteDepthwise),
          narrowDepthwise: ByteDepthwiseKernels(
            width: 32, isWide: false, sums: halfByteDepthwise, columnSums: halfByteDepthwiseColumns,
            scale: scaleHalfByteDepthwise),
          elementwise: ByteElementwiseKernels(
            width: 64, add: addBytes, estimateSums: estimateByteSums, multiply: multiplyBytes,
            columnSums: sumByteColumns,
            lookUp: lookUp, quantize: quantizeByVectors, dequantize: dequantizeByVectors)),
        word: WordMicrokernels(
          function: wordFunction, gate: cellGate, states: cellStates, results: cellResults),
        peak: PeakLoops(
          laneCount: 16, isWide: false, float: floatPeak, byte: bytePeak, read: readPeak,
          copy: copyPeak))
    }
  }
#endif

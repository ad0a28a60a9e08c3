// SPDX-License-Identifier: Apache-2.0

package import Microkernels

extension MicrokernelSet {
  /// Kernels for any processor.
  package static func portable() -> MicrokernelSet {
    unsafe MicrokernelSet(
      level: .portable,
      float: FloatMicrokernels(
        layout: FloatGemmLayout(tileRows: 4, panelWidth: 8), tile: floatTile,
        scaledTile: scaledFloatTile,
        depthwise: floatDepthwise, depthwiseThree: floatDepthwiseThree,
        depthwiseFive: floatDepthwiseFive, function: floatFunction, binary: floatBinary,
        bilinear: bilinearLine,
        codeBilinear: codeBilinearLine,
        winograd: WinogradKernels(input: winogradInput, output: winogradOutput)),
      byte: ByteMicrokernels(
        layout: ByteGemmLayout(tileRows: 4, panelWidth: 8, isWide: true),
        copyRows: copyPortableByteRows, tile: portableByteTile, scale: scalePortableByteProduct,
        depthwise: ByteDepthwiseKernels(
          width: 16, isWide: true, sums: portableByteDepthwise,
          scale: scalePortableByteDepthwise),
        elementwise: ByteElementwiseKernels(
          width: 16, add: addPortableBytes, estimateSums: estimatePortableByteSums,
          multiply: multiplyPortableBytes,
          columnSums: sumPortableByteColumns, lookUp: lookUpBytes, quantize: quantizeBytes,
          dequantize: dequantizeBytes)),
      word: WordMicrokernels(
        function: wordFunction, gate: cellGate, states: cellStates, results: cellResults),
      peak: PeakLoops(
        laneCount: 4, isWide: true, float: floatPeak, byte: portableBytePeak, read: readPeak,
        copy: copyPeak))
  }

  /// Kernels for every processor of this architecture.
  package static func baseline() -> MicrokernelSet {
    #if arch(x86_64)
      unsafe MicrokernelSet(
        level: .baseline,
        float: FloatMicrokernels(
          layout: FloatGemmLayout(tileRows: 4, panelWidth: 8), tile: floatTile,
          scaledTile: scaledFloatTile,
          depthwise: floatDepthwise, depthwiseThree: floatDepthwiseThree,
          depthwiseFive: floatDepthwiseFive, function: floatFunction, binary: floatBinary,
          bilinear: bilinearLine,
          codeBilinear: codeBilinearLine,
          winograd: WinogradKernels(input: winogradInput, output: winogradOutput)),
        byte: ByteMicrokernels(
          layout: ByteGemmLayout(tileRows: 4, panelWidth: 8, isWide: true),
          copyRows: copyByteRows, tile: byteTile, scale: scaleByteProduct,
          depthwise: ByteDepthwiseKernels(
            width: 16, isWide: true, sums: byteDepthwise, scale: scaleByteDepthwise),
          elementwise: ByteElementwiseKernels(
            width: 16, add: addBytes, estimateSums: estimateByteSums, multiply: multiplyBytes,
            columnSums: sumByteColumns,
            lookUp: lookUpBytes, quantize: quantizeBytes, dequantize: dequantizeBytes)),
        word: WordMicrokernels(
          function: wordFunction, gate: cellGate, states: cellStates, results: cellResults),
        peak: PeakLoops(
          laneCount: 4, isWide: true, float: floatPeak, byte: bytePeak, read: readPeak,
          copy: copyPeak))
    #else
      portable()
    #endif
  }
}

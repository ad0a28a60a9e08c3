// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  internal import Microkernels

  private enum ByteVectors: BytePrimitives {}

  /// Vectors of 16 bytes in 32 registers.
  enum Tiles {
    static var registerCount: Int { 32 }
    typealias ByteProduct<Vectors: ByteInstructions> = ByteTile<Vectors, 8, 2>
  }

  extension MicrokernelSet {
    /// These kernels, those of `neon`, with this module's products of bytes.
    func multiplyingSignedBytes(_ level: Level) -> MicrokernelSet {
      unsafe multiplyingBytes(
        level,
        layout: ByteGemmLayout(
          tileRows: Tiles.ByteProduct<ByteVectors>.rows, ByteVectors.self),
        copyRows: copyByteRows, tile: byteTile, row: byteRow, scaledTile: scaledByteTile,
        depthwise: depthwiseTile(), peak: bytePeak)
    }
  }
#endif

// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  package import Microkernels

  private enum ByteVectors: BytePrimitives {}

  extension MicrokernelSet {
    /// Kernels for x86-64-v3 with AVX-VNNI, which are those of `v3` save for products of bytes: call
    /// nothing of them on lesser processors.
    package static func v3vnni(_ v3: MicrokernelSet) -> MicrokernelSet {
      unsafe v3.multiplyingBytes(
        .v3vnni,
        layout: ByteGemmLayout(
          tileRows: Tiles.ByteProduct<ByteVectors>.rows, ByteVectors.self),
        copyRows: copyByteRows, tile: byteTile, row: byteRow, scaledTile: scaledByteTile,
        depthwise: depthwiseTile(), peak: bytePeak)
    }
  }

  /// Vectors of 32 bytes in 16 registers.
  enum Tiles {
    static var registerCount: Int { 16 }
    typealias ByteProduct<Vectors: ByteInstructions> = ByteTile<Vectors, 5, 2>
  }
#endif

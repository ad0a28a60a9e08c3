// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  package import Microkernels

  extension MicrokernelSet {
    /// Kernels for x86-64-v4 with VNNI: call nothing of them on lesser processors.
    package static func v4() -> MicrokernelSet { unsafe make(.v4, lookUp: byteLookup) }

    /// `v4` with another way to replace bytes by a table's.
    package static func v4(
      lookUp: @escaping ByteElementwiseKernels.LookUp
    ) -> MicrokernelSet {
      unsafe make(.v4, lookUp: lookUp)
    }
  }

  /// Vectors of 64 bytes in 32 registers.
  enum Tiles {
    static var registerCount: Int { 32 }
    typealias FloatProduct<Vectors: FloatProductInstructions> = FloatTile<Vectors, 6, 4>
    typealias FloatColumn<Vectors: FloatProductInstructions> = FloatTile<Vectors, 12, 2>
    typealias ByteProduct<Vectors: ByteInstructions> = ByteTile<Vectors, 12, 2>
    typealias Functions<Vectors: FloatArithmetic> = Interleaved<Vectors, 3>
    static var scalesByteProducts: Bool { true }
  }

  /// Depthwise convolutions of few channels waste less of these.
  typealias NarrowBytePrimitives = BytePrimitives256
#endif

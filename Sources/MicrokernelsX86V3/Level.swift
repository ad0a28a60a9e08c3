// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  package import Microkernels

  extension MicrokernelSet {
    /// Kernels for x86-64-v3: call nothing of them on lesser processors.
    package static func v3() -> MicrokernelSet { unsafe make(.v3, lookUp: byteLookup) }
  }

  /// Vectors of 32 bytes in 16 registers.
  enum Tiles {
    static var registerCount: Int { 16 }
    typealias FloatProduct<Vectors: FloatProductInstructions> = FloatTile<Vectors, 6, 2>
    typealias FloatColumn<Vectors: FloatProductInstructions> = FloatTile<Vectors, 10, 1>
    typealias ByteProduct<Vectors: ByteInstructions> = ByteTile<Vectors, 5, 2>
    typealias Functions<Vectors: FloatArithmetic> = Interleaved<Vectors, 3>
    static var scalesByteProducts: Bool { true }
  }

  /// Shorter vectors have no kernels.
  typealias NarrowFloatPrimitives = FloatPrimitives
#endif

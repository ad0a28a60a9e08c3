// SPDX-License-Identifier: Apache-2.0

#if arch(x86_64)
  package import Microkernels

  extension MicrokernelSet {
    /// Kernels for every x86-64 processor.
    package static func baseline() -> MicrokernelSet { unsafe make(.baseline, lookUp: byteLookup) }
  }

  /// Vectors of 16 bytes in 16 registers.
  enum Tiles {
    static var registerCount: Int { 16 }
    typealias FloatProduct<Vectors: FloatProductInstructions> = FloatTile<Vectors, 4, 2>
    typealias FloatColumn<Vectors: FloatProductInstructions> = FloatTile<Vectors, 8, 1>
    typealias ByteProduct<Vectors: ByteInstructions> = ByteTile<Vectors, 4, 2>
    typealias Functions<Vectors: FloatArithmetic> = Interleaved<Vectors, 2>
    static var scalesByteProducts: Bool { false }
  }

  /// There are no shorter vectors.
  typealias NarrowFloatPrimitives = FloatPrimitives
#endif

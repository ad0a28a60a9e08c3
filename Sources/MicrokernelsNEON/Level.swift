// SPDX-License-Identifier: Apache-2.0

#if arch(arm64)
  package import Microkernels

  extension MicrokernelSet {
    /// Kernels for every arm64 processor: Advanced SIMD as ARMv8.0 has it.
    package static func neon() -> MicrokernelSet { unsafe make(.neon, lookUp: lookUpInRegisters) }
  }

  /// Vectors of 16 bytes in 32 registers.
  enum Tiles {
    static var registerCount: Int { 32 }
    typealias FloatProduct<Vectors: FloatProductInstructions> = FloatTile<Vectors, 8, 2>
    typealias FloatColumn<Vectors: FloatProductInstructions> = FloatTile<Vectors, 12, 1>
    typealias ByteProduct<Vectors: ByteInstructions> = ByteTile<Vectors, 8, 2>
    typealias Functions<Vectors: FloatArithmetic> = Interleaved<Vectors, 3>
    static var scalesByteProducts: Bool { true }
  }

  /// There are no shorter vectors.
  typealias NarrowFloatPrimitives = FloatPrimitives
#endif

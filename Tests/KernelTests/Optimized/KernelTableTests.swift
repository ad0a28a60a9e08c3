// SPDX-License-Identifier: Apache-2.0

import Microkernels
import OptimizedKernels
import ReferenceKernels
import Tensors
import Testing

/// Tables of optimized kernels are looked up by families of loops.
struct KernelTableTests {
  static let kinds: [LoopFamily.Kind] =
    [
      .products, .hybridProducts, .binary, .unary, .quantization, .cast, .pool, .reduction, .search,
      .normalization, .movement, .interpolation, .recurrent, .spectrum,
    ] + LoopFamily.Function.allCases.map { .function($0) }

  /// A loop in the table of another family stops the program, as do two with one identity.
  @Test(arguments: kinds)
  func `loops are in the tables of their families`(kind: LoopFamily.Kind) {
    let tables = ElementType.allCases.map { KernelTable(of: LoopFamily(kind, $0), .selected) }
    #expect(tables.contains { !$0.isEmpty })
  }

  @Test func `an arithmetic tells its loops from others`() {
    #expect(BinaryLoop<FloatAddition<Float>>.identity == KernelIdentity(FloatAddition<Float>.self))
    #expect(UnaryLoop<Clamp>.identity != UnaryLoop<FloatLeakyRelu>.identity)
    #expect(BoxCopyLoop<UInt16>.identity == KernelIdentity(BoxCopyLoop<UInt16>.self))
    let kernel = LoopKernel(BoxCopyLoop<UInt16>(BoxCopies([])))
    #expect((kernel as any Kernel).identity == BoxCopyLoop<UInt16>.identity)
  }

  @Test func `a loop is looked up in its family`() {
    #expect(BinaryLoop<QuantizedAddition<Int8>>.family == LoopFamily(.binary, .int8))
    #expect(
      UnaryLoop<RealArithmetic<Tanh, Float>>.family == LoopFamily(.function(.tanh), .float32))
    #expect(LoopKernel(BoxCopyLoop<UInt16>(BoxCopies([]))).family == LoopFamily(.movement, .uint16))
  }
}

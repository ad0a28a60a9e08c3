// SPDX-License-Identifier: Apache-2.0

package import Microkernels
import ReferenceKernels

extension KernelSet {
  /// The reference kernels with every optimized kernel there is.
  public static let optimized = optimized(for: .selected)

  /// The set whose optimized kernels use the microkernels of one instruction-set level.
  package static func optimized(for set: MicrokernelSet) -> KernelSet {
    KernelSet("optimized")
      .replacingConvolutions(set)
      .replacingDepthwise(set)
      .replacingTransposedConvolutions(set)
      .replacingProducts(set)
      .replacingWideProducts(set)
      .replacingHybridProducts(set)
      .replacingElementwise(set)
      .replacingWords(set)
      .replacingPlainOperations(set)
      .replacingFloatOperatorsAndNormalizations(set)
      .replacingResizes(set)
      .replacingSearches()
      .replacing(loop: Rfft2DLoop.self) { kernel, _, _ in
        FourierImages(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacingPools(set)
      .replacingReductions(set)
      .replacingValues(set)
      .replacingMovements(set)
      .replacingRecurrentCells(set)
      .fusingNodes()
  }

  private func replacingConvolutions(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(Conv2DNest.self, FloatConvolution.self) {
        Winograd<FloatTiles>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? LineProduct<FloatLines>($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? FloatProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
      }
      .replacing(Conv3DNest.self, FloatConvolution.self) {
        FloatProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
      }
      .replacing(Conv2DNest.self, QuantizedConvolution<Int8, Int8>.self) {
        ByteConvolutionParts($0.loop, $1, set.byte.layout)?.optimizedKernel($2, set)
      }
      .replacing(Conv2DNest.self, QuantizedConvolution<UInt8, UInt8>.self) {
        ByteConvolutionParts($0.loop, $1, set.byte.layout)?.optimizedKernel($2, set)
      }
  }

  private func replacingProducts(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(loop: BatchMatMulLoop<FloatConvolution>.self) {
        FloatMatrices($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? RowTimesMatrices($0.loop).map { OptimizedKernel($0) }
      }
      .replacing(loop: BatchMatMulLoop<QuantizedConvolution<Int8, Int8>>.self) {
        ByteMatrices($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(FullyConnectedNest.self, FloatConvolution.self) {
        FloatProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? FloatMatrices($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(FullyConnectedNest.self, QuantizedFullyConnected<Int8, Int8, Int32, Int8>.self) {
        ByteProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
          ?? ByteMatrices($0.loop, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
      .replacing(FullyConnectedNest.self, QuantizedFullyConnected<UInt8, UInt8, Int32, UInt8>.self)
    {
      ByteProduct($0.loop, $1, $2, set).map { OptimizedKernel($0) }
    }
  }

  private func replacingHybridProducts(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(loop: HybridConvolutionLoop<Conv2DNest, HybridConvolution>.self) {
        HybridProduct.optimizedKernel($0.loop, $1, $2, set)
      }
      .replacing(loop: HybridConvolutionLoop<FullyConnectedNest, HybridConvolution>.self) {
        HybridProduct.optimizedKernel($0.loop, $1, $2, set)
      }
      .replacing(HybridBatchMatMulKernel.self) {
        HybridMatrices($0, $1, $2, set).map { OptimizedKernel($0, scratch: $0.scratch) }
      }
  }

  private func replacingElementwise(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(binary: FloatAddition<Float>.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(kernel.loop, set))
      }
      .replacing(binary: FloatMultiplication<Float>.self) { kernel, _, _ in
        OptimizedKernel(FloatBinary(kernel.loop, set))
      }
      .replacing(binary: QuantizedAddition<Int8>.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedAddition<UInt8>.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedMultiplication<Int8>.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedMultiplication<UInt8>.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedSquaredDifference.self) { kernel, _, _ in
        ByteBinary(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedPrelu<Int8, Int8>.self) { kernel, _, _ in
        BytePrelu(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(binary: QuantizedPrelu<UInt8, UInt8>.self) { kernel, _, _ in
        BytePrelu(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .mapping(ClampedSigmoid.self, .logistic, set).mapping(Tanh.self, .tanh, set)
      .mapping(Exponential.self, .exponential, set)
      .mapping(HardSwishFunction.self, .hardSwish, set)
      .mapping(ExponentialLinearUnit.self, .exponentialLinearUnit, set)
      .replacing(unary: RealArithmetic<FloatGelu, Float>.self) { kernel, node, _ in
        let approximates = kernel.loop.arithmetic.function.approximates
        return FloatMap(approximates ? .tanhErrorUnit : .gaussianErrorUnit, node, set)
          .map { OptimizedKernel($0) }
      }
      .replacing(unary: RealArithmetic<Logarithm, Float>.self) { kernel, node, _ in
        guard kernel.loop.arithmetic.function.lowest == nil else { return nil }
        return FloatMap(.logarithm, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: RealArithmetic<Sine, Float>.self) { kernel, node, _ in
        FloatMap(.sine, limit: (VectorSine.limit, FloatMath.sin), node, set)
          .map { OptimizedKernel($0) }
      }
      .replacing(unary: RealArithmetic<Cosine, Float>.self) { kernel, node, _ in
        FloatMap(.cosine, limit: (VectorSine.limit, FloatMath.cos), node, set)
          .map { OptimizedKernel($0) }
      }
      .mapping(Magnitude.self, .magnitude, set).mapping(Negate.self, .negation, set)
      .mapping(Square.self, .square, set).mapping(SquareRoot.self, .squareRoot, set)
      .mapping(ReciprocalSquareRoot.self, .reciprocalSquareRoot, set)
      .mapping(Floor.self, .floor, set).mapping(Ceiling.self, .ceiling, set)
      .mapping(Nearest.self, .nearest, set)
      .replacing(unary: ByteTable<Int8>.self) { kernel, node, _ in
        QuantizedTable(kernel.loop.arithmetic, node, set).map { OptimizedKernel($0) }
      }
      .replacing(unary: ByteTable<UInt8>.self) { kernel, node, _ in
        QuantizedTable(kernel.loop.arithmetic, node, set).map { OptimizedKernel($0) }
      }
      .tabulating(Requantization<Int8, Int8>.self, set).tabulating(
        Requantization<UInt8, UInt8>.self, set
      )
      .tabulating(Requantization<Int8, UInt8>.self, set).tabulating(
        Requantization<UInt8, Int8>.self, set
      )
      .tabulating(QuantizedLeakyRelu<Int8>.self, set).tabulating(
        QuantizedLeakyRelu<UInt8>.self, set
      )
      .tabulating(QuantizedHardSwish<Int8>.self, set).tabulating(
        QuantizedHardSwish<UInt8>.self, set)
  }

  /// The set with vector code for a function of floats; see `replacing(loop:with:)`.
  @_semantics("optimize.sil.specialize.generic.never")
  private func mapping<Function: RealFunction>(
    _: Function.Type, _ function: FloatFunction, _ set: MicrokernelSet
  ) -> KernelSet {
    replacing(unary: RealArithmetic<Function, Float>.self) { _, node, _ in
      FloatMap(function, node, set).map { OptimizedKernel($0) }
    }
  }

  /// The set with tables for a function of 8-bit quantized values.
  private func tabulating<Arithmetic: UnaryArithmetic>(
    _ type: Arithmetic.Type, _ set: MicrokernelSet
  ) -> KernelSet
  where Arithmetic.Input: FixedWidthInteger, Arithmetic.Output: FixedWidthInteger {
    replacing(unary: Arithmetic.self) { kernel, node, _ in
      QuantizedTable(kernel.loop, node, set).map { OptimizedKernel($0) }
    }
  }

  private func replacingPools(_ set: MicrokernelSet) -> KernelSet {
    self
      .replacing(pool: FloatAverage.self) { kernel, _, _ in
        OptimizedKernel(FloatPool(kernel.loop, set))
      }
      .replacing(pool: FloatMaximum.self) { kernel, _, _ in
        OptimizedKernel(FloatPool(kernel.loop, set))
      }
      .replacing(loop: ArgmaxPoolLoop.self) { kernel, _, _ in
        OptimizedKernel(ArgmaxPool(kernel.loop, set))
      }
      .replacing(loop: UnpoolLoop.self) { kernel, _, _ in
        FloatUnpool(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(pool: QuantizedAverage<Int8>.self) { kernel, _, _ in
        BytePool(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(pool: QuantizedAverage<UInt8>.self) { kernel, _, _ in
        BytePool(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(pool: QuantizedMaximum<Int8>.self) { kernel, _, _ in
        ByteMaxima(kernel.loop, set).map { OptimizedKernel($0) }
          ?? BytePool(kernel.loop).map { OptimizedKernel($0) }
      }
      .replacing(pool: QuantizedMaximum<UInt8>.self) { kernel, _, _ in
        ByteMaxima(kernel.loop, set).map { OptimizedKernel($0) }
          ?? BytePool(kernel.loop).map { OptimizedKernel($0) }
      }
  }

  private func replacingReductions(_ set: MicrokernelSet) -> KernelSet {
    // The types are written out so that the loops are compiled for each.
    self
      .replacing(reduction: FloatMeanReduction.self) { kernel, _, _ in
        ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? RowSums(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(reduction: FloatSumReduction.self) { kernel, _, _ in
        ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? RowSums(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacing(reduction: ExtremeReduction<Float>.self) { kernel, _, _ in
        ColumnReduction(kernel.loop, set).map { OptimizedKernel($0, scratch: $0.scratch) }
          ?? RowExtremes(kernel.loop, set).map { OptimizedKernel($0) }
      }
      .replacingIntegerReductions(set)
  }
}

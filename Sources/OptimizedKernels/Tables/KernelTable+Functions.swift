// SPDX-License-Identifier: Apache-2.0

import Microkernels
import ReferenceKernels

extension KernelTable {
  /// The table with vector code for `function` of floats.
  func replacing(function: LoopFamily.Function, _ set: MicrokernelSet) -> KernelTable {
    switch function {
    case .logistic: mapping(.logistic, set)
    case .tanh: mapping(.tanh, set)
    case .exponential: mapping(.exponential, set)
    case .exponentialLinearUnit: mapping(.exponentialLinearUnit, set)
    case .hardSwish: mapping(.hardSwish, set)
    case .magnitude: mapping(.magnitude, set)
    case .negation: mapping(.negation, set)
    case .square: mapping(.square, set)
    case .squareRoot: mapping(.squareRoot, set)
    case .reciprocalSquareRoot: mapping(.reciprocalSquareRoot, set)
    case .floor: mapping(.floor, set)
    case .ceiling: mapping(.ceiling, set)
    case .nearest: mapping(.nearest, set)
    case .sine: mapping(.sine, limit: (VectorSine.limit, FloatMath.sin), set)
    case .cosine: mapping(.cosine, limit: (VectorSine.limit, FloatMath.cos), set)
    case .gelu:
      replacing(unary: RealArithmetic<FloatGelu, Float>.self) { kernel, node, _ in
        let approximates = kernel.loop.arithmetic.function.approximates
        return FloatMap(approximates ? .tanhErrorUnit : .gaussianErrorUnit, node, set)
          .map { OptimizedKernel($0) }
      }
    case .logarithm:
      replacing(unary: RealArithmetic<Logarithm, Float>.self) { kernel, node, _ in
        guard kernel.loop.arithmetic.function.lowest == nil else { return nil }
        return FloatMap(.logarithm, node, set).map { OptimizedKernel($0) }
      }
    }
  }

  private func mapping(
    _ function: FloatFunction, limit: FloatMap.Limit? = nil, _ set: MicrokernelSet
  ) -> KernelTable {
    replacingAll { node in
      FloatMap(function, limit: limit, node, set).map { OptimizedKernel($0) }
    }
  }
}

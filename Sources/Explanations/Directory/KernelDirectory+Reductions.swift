// SPDX-License-Identifier: Apache-2.0

extension KernelDirectory {
  /// Where kernels are written that compute from windows, rows and codes.
  static let reductions = """
    Operators/Normalization/L2Normalization.swift
      L2NormalizationKernel
      QuantizedL2NormalizationLoop
        y = z_y + 128 · (q − z_x) / √Σ (q − z_x)²
      InverseLength
    Operators/Normalization/LocalResponseNormalization.swift
      LocalResponseNormalizationKernel
    Operators/Normalization/LogSoftmax.swift
      LogSoftmaxKernel
      QuantizedLogSoftmaxLoop
        y = highest code + round((d − ln Σ exp(d)) · 16),   d = s (q − max q)
    Operators/Normalization/QuantizedSoftmax.swift
      ScaledDifference
        d = β s (q − max q), as a Q5 number (5 integer bits, so down to -32)
      QuantizedSoftmaxLoop
        y = lowest code + round(exp(d) / Σ exp(d) · 2^bits)
      Int16SoftmaxKernel
        y = exp(d) · 1 / Σ exp(d)
    Operators/Normalization/Softmax.swift
      SoftmaxLoop
    Operators/Pooling/Pool2DKernel.swift
      Pool2DNest
      Pool2DLoop
        y[b, r, c, k] = finish(over taps (i, j): x[b, r·s + i − p, c·s + j − p, k])
      FloatAverage
      FloatMaximum
      RootMeanSquare
      CodeAverage
      CodeMaximum
    Operators/Quantization/Cast.swift
      CastArithmetic
      UnpackingCast
      PackingCast
    Operators/Quantization/ChannelQuantization.swift
      ChannelQuantization
    Operators/Quantization/Densify.swift
      DensifyLoop
    Operators/Quantization/Dequantize.swift
      Widening
      DequantizeLoop
    Operators/Quantization/FakeQuant.swift
      FakeQuantization
    Operators/Quantization/Quantize.swift
      QuantizeLoop
    Operators/Reduction/ArgMinMax.swift
      AxisLoops
      ArgMinMaxLoop
    Operators/Reduction/CumulativeSum.swift
      CumulativeSumLoop
    Operators/Reduction/Mean.swift
      FloatMeanReduction
      IntegerMeanReduction
    Operators/Reduction/QuantizedReduction.swift
      QuantizedMeanReduction
        y = clamp(z_y + m · (Σ q − n z_x))
      QuantizedSumReduction
        y = clamp(z_y + round(Σ q · s + b)),   s = s_x / s_y,   b = −z_x · s · n
      QuantizedProductReduction
        y = clamp(z_y + m · (…(m · (m · p₁ · p₂) · p₃)… · pₙ)),   pᵢ = qᵢ − z_x
    Operators/Reduction/ReducedAxes.swift
      ReducedAxes
    Operators/Reduction/ReductionFormats.swift
      FloatSumReduction
      FloatProductReduction
      WrappingSumReduction
      WrappingProductReduction
      ExtremeReduction
      LogicalReduction
    Operators/Reduction/ReductionKernel.swift
      ReductionLoop
    Operators/Reduction/Segments.swift
      Segments
      SegmentLoop
    Operators/Reduction/TopK.swift
      TopRows
      TopKLoop
    Operators/Reduction/WindowReduction.swift
      WindowFunction
      WindowReduction
    Operators/Reduction/WindowReductionLoop.swift
      WindowReductionLoop
    Operators/Resize/ResizeBilinear.swift
      BilinearPlace
      BilinearAxis
        place = i · s,  or (i + ½) · s − ½ with half pixel centres,   s = input / output
      ResizeBilinearLoop
    Operators/Resize/ResizeBilinearInteger.swift
      FixedPointPlace
      FixedPointAxis
        place = i · s,  or i · s + s/2 − 2⁹ with half pixel centres
      ResizeBilinearIntegerLoop
    Operators/Resize/ResizeNearestNeighbor.swift
      NearestNeighbors
      ResizeNearestNeighborLoop
    Operators/Resize/ResizedPictures.swift
      ResizedPictures
    """
}

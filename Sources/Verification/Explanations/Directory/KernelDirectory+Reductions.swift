// SPDX-License-Identifier: Apache-2.0

extension KernelDirectory {
  /// Where kernels are written that compute from windows, rows and codes.
  static let reductions = """
    Operators/Normalization/L2Normalization.swift
      L2Normalization
        y = x / max(√Σ x², 10⁻⁶)
      L2NormalizationKernel
      QuantizedL2NormalizationLoop
        y = z_y + 128 · (q − z_x) / √Σ (q − z_x)²
      InverseLength
    Operators/Normalization/LocalResponseNormalization.swift
      LocalResponseNormalization
        y[c] = x[c] · (bias + Σ alpha · x[j]²)^(−beta),   c − radius ≤ j ≤ c + radius
      LocalResponseNormalizationKernel
    Operators/Normalization/LogSoftmax.swift
      LogSoftmax
        y[i] = (x[i] − max x) − ln Σj exp(x[j] − max x)
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
      Softmax
        y[i] = exp(β (x[i] − max x)) / Σj exp(β (x[j] − max x))
      SoftmaxLoop
    Operators/Pooling/Pool2D.swift
      Pool2D
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
      Cast
      CastArithmetic
      UnpackingCast
      PackingCast
    Operators/Quantization/ChannelQuantization.swift
      ChannelQuantization
    Operators/Quantization/Densify.swift
      Densify
      DensifyLoop
    Operators/Quantization/Dequantize.swift
      Dequantize
        y = s (x − z)
      Widening
      DequantizeLoop
    Operators/Quantization/FakeQuant.swift
      FakeQuant
        y = round((clamp(x) − min) / s) s + min,   s = (max − min) / (2ᵇ − 1)
      FakeQuantization
    Operators/Quantization/Quantize.swift
      Quantize
        y = clamp(z_y + round(x / s_y))         from floats
        y = clamp(z_y + s_x / s_y (x − z_x))    from codes
      QuantizeLoop
    Operators/Reduction/ArgMinMax.swift
      ArgMinMax
      AxisLoops
      ArgMinMaxLoop
    Operators/Reduction/CumulativeSum.swift
      CumulativeSum
        y[t] = x[0] + x[1] + … + x[t]
      CumulativeSumLoop
    Operators/Reduction/Mean.swift
      Mean
        y = Σ x / n
      FloatMeanReduction
      IntegerMeanReduction
    Operators/Reduction/QuantizedReduction.swift
      QuantizedMeanReduction
        y = clamp(z_y + m · (Σ q − n z_x))
      QuantizedSumReduction
        y = clamp(z_y + round(Σ q · s + b)),   s = s_x / s_y,   b = −z_x · s · n
      QuantizedProductReduction
        y = clamp(z_y + m · (…(m · (m · p₁ · p₂) · p₃)… · pₙ)),   pᵢ = qᵢ − z_x
    Operators/Reduction/Reduce.swift
      Reduce
    Operators/Reduction/ReduceWindow.swift
      ReduceWindow
        y[p…] = f(… f(f(init, x[p · s]), x[p · s + d]) …)
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
      SegmentSum
        y[s, i…] = Σ x[j, i…] over all j with id[j] = s
      UnsortedSegments
        y[s, i…] = Σ x[j…, i…] over all j… with id[j…] = s        (or Π, max, min)
      Segments
      SegmentLoop
    Operators/Reduction/TopK.swift
      TopK
      TopRows
      TopKLoop
    Operators/Reduction/WindowReduction.swift
      WindowFunction
      WindowReduction
    Operators/Reduction/WindowReductionLoop.swift
      WindowReductionLoop
    Operators/Resize/ResizeBilinear.swift
      ResizeBilinear
        y[r, c] = (1−u)(1−v) x[r₀, c₀] + u(1−v) x[r₁, c₀] + (1−u)v x[r₀, c₁] + uv x[r₁, c₁]
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
      ResizeNearestNeighbor
        source = ⌊i · s⌋,  or ⌊(i + ½) · s⌋ with half pixel centres,   s = input / output
      NearestNeighbors
      ResizeNearestNeighborLoop
    Operators/Resize/ResizedPictures.swift
      ResizedPictures
    """
}

// SPDX-License-Identifier: Apache-2.0

extension KernelDirectory {
  /// Where kernels are written that compute as sums of products.
  static let products = """
    Operators/Convolution/Conv2DNest.swift
      Conv2DNest
        y[b, r, c, o] = finish(Σ over taps (i, j) and channels k of
                               x[b, r·s + i·d − p, c·s + j·d − p, k] · w[o, i, j, k])
    Operators/Convolution/Conv3D.swift
      VolumeGeometry
      Conv3DNest
        y[b, p, q, r, o] = finish(Σ over taps (i, j, l) and channels k of
                                  x[b, p·s + i·d − z, q·s + j·d − z, r·s + l·d − z, k]
                                  · w[i, j, l, k, o])
    Operators/Convolution/Conv3DTranspose.swift
      Conv3DTransposeLoop
        y[b, p·s + i·d − z, q·s + j·d − z, r·s + l·d − z, o] += x[b, p, q, r, k] · w[i, j, l, o, k]
    Operators/Convolution/ConvolutionArithmetic.swift
      FloatConvolution
        y = clamp(Σ x w + bias)
      QuantizedConvolution
        y = clamp(zᵧ + m[c] · (Σ (x − zₓ)(w − z_w) + bias))
      WideProducts
        y = clamp(m[c] · (Σ x (w − z_w) + bias))
      ChannelMultipliers
    Operators/Convolution/ConvolutionKernel.swift
      ConvolutionPositions
      ConvolutionLoop
    Operators/Convolution/DepthwiseConv2D.swift
      DepthwiseConv2DNest
        y[b, r, c, o] = finish(Σ over taps (i, j) of
                               x[b, r·s + i·d − p, c·s + j·d − p, ⌊o / multiplier⌋] · w[0, i, j, o])
    Operators/Convolution/HybridConvolution.swift
      HybridConvolution
        y = clamp(sₓ s_w[c] Σ (x − zₓ) w + bias)
      HybridConvolutionLoop
    Operators/Convolution/PicturePadding.swift
      PicturePadding
    Operators/Convolution/ScatteredHybridConvolution.swift
      ScatteredHybridConvolution
        y = clamp(Σ ((x − zₓ) w · s_w[c]) · sₓ + bias)
    Operators/Convolution/TransposeConv.swift
      TransposeConvNest
        y[b, i, j, o] = finish(Σ over positions (r, c) whose window contains (i, j) and channels k of
                               x[b, r, c, k] · w[o, i − r·s + p, j − c·s + p, k])
    Operators/Convolution/WindowGeometry.swift
      WindowAxis
      WindowGeometry
    Operators/Matrix/BatchMatMul.swift
      CodeProducts
    Operators/Matrix/BatchMatMulKernel.swift
      BatchMatMulNest
        y[…, i, j] = finish(Σ over k of left[…, i, k] · right[…, k, j])
      BatchMatMulLoop
    Operators/Matrix/FullyConnected.swift
      FullyConnectedNest
        y[r, u] = finish(Σ over k of x[r, k] · w[u, k])
    Operators/Matrix/HybridBatchMatMul.swift
      HybridBatchMatMulKernel
        y[b, i, j] = s[p, i] · s_right[j] · (Σ over k of codes[b, i, k] · right[b, k, j]
                                             − z[p, i] · Σ over k of right[q, k, j])
    Operators/Matrix/QuantizedFullyConnected.swift
      QuantizedFullyConnected
        y = clamp(zᵧ + round(sₓ s_w[u] / sᵧ · (Σ (x − zₓ)(w − z_w) + bias)))
      SumScaling
    Operators/Matrix/ShuffledFullyConnected.swift
      ShuffledFullyConnected
        y[r, u] = clamp(m · (Σ over k of (x[r, k] − 128) · (w[u, k] − 128) + bias[u]))
    """
}

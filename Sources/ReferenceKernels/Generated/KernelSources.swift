// SPDX-License-Identifier: Apache-2.0
// Generated from the files of this target by .ci/generate-kernel-sources.

/// The types that kernels are made of, by file, with the formulas of their documentation.
package enum KernelSources {
  /// A line for each file.
  ///
  /// It has the file's path in this target, and the types in it. The lines of a type's formula
  /// follow, four spaces in, and then what other types there are, two spaces in.
  package static let table = """
    Core/ActivationRange.swift ActivationRange
    Core/BinaryKernel.swift BinaryLoop
    Core/BlockScales.swift BlockScales
    Core/Broadcast.swift Broadcast
    Core/HybridQuantization.swift HybridQuantization
    Core/KernelError.swift KernelError
    Core/LookupTables.swift ByteTable
        y = clamp(z_y + round(f(s_x (x − z_x)) / s_y))
      InterpolatedTable
        y = t[i] + ((t[i + 1] − t[i]) · r + 64) / 128,   x = 128 (i − 256) + r
    Core/LoopKernel.swift LoopKernel
    Core/NodeDescription.swift NodeDescription
    Core/PrepareContext.swift PrepareContext
    Core/QuantizedFormat.swift WholeElements Int4Elements UInt4Elements Int2Elements
    Core/RealFunction.swift RealArithmetic
    Core/Requantization.swift Requantization
        y = clamp(z_y + m (x − z_x)),   m = s_x / s_y in fixed point
    Core/ScaledOperand.swift ScaledOperand
        m · (q − z) · 2ˢ
    Core/SparseLayout.swift SparseLayout Contradiction
    Core/Steps/Steps.swift NoSteps
    Core/UnaryKernel.swift UnaryLoop
    Operators/Convolution/Conv2DNest.swift Conv2DNest
        y[b, r, c, o] = finish(Σ over taps (i, j) and channels k of
                               x[b, r·s + i·d − p, c·s + j·d − p, k] · w[o, i, j, k])
    Operators/Convolution/Conv3D.swift VolumeGeometry Conv3DNest
        y[b, p, q, r, o] = finish(Σ over taps (i, j, l) and channels k of
                                  x[b, p·s + i·d − z, q·s + j·d − z, r·s + l·d − z, k]
                                  · w[i, j, l, k, o])
    Operators/Convolution/Conv3DTranspose.swift Conv3DTransposeLoop
        y[b, p·s + i·d − z, q·s + j·d − z, r·s + l·d − z, o] += x[b, p, q, r, k] · w[i, j, l, o, k]
    Operators/Convolution/ConvolutionArithmetic.swift FloatConvolution
        y = clamp(Σ x w + bias)
      QuantizedConvolution
        y = clamp(zᵧ + m[c] · (Σ (x − zₓ)(w − z_w) + bias))
      WideProducts
        y = clamp(m[c] · (Σ x (w − z_w) + bias))
      ChannelMultipliers
    Operators/Convolution/ConvolutionKernel.swift ConvolutionPositions ConvolutionLoop
    Operators/Convolution/DepthwiseConv2D.swift DepthwiseConv2DNest
        y[b, r, c, o] = finish(Σ over taps (i, j) of
                               x[b, r·s + i·d − p, c·s + j·d − p, ⌊o / multiplier⌋] · w[0, i, j, o])
    Operators/Convolution/HybridConvolution.swift HybridConvolution
        y = clamp(sₓ s_w[c] Σ (x − zₓ) w + bias)
      HybridConvolutionLoop
    Operators/Convolution/ScatteredHybridConvolution.swift ScatteredHybridConvolution
        y = clamp(Σ ((x − zₓ) w · s_w[c]) · sₓ + bias)
    Operators/Convolution/TransposeConv.swift TransposeConvNest
        y[b, i, j, o] = finish(Σ over positions (r, c) whose window contains (i, j) and channels k of
                               x[b, r, c, k] · w[o, i − r·s + p, j − c·s + p, k])
    Operators/Convolution/WindowGeometry.swift WindowAxis WindowGeometry
    Operators/Custom/AudioSpectrogram.swift AudioSpectrogramLoop
    Operators/Custom/Convolution2DTransposeBias.swift BiasedTransposeConvNest
    Operators/Custom/DetectionPostProcess.swift DetectionOptions
    Operators/Custom/DetectionPostProcessKernel.swift DetectionPostProcessKernel
        center = encoding / scale · anchor size + anchor center
        size = exp(encoding / scale) · anchor size
        overlap = common area / (sum of areas − common area)
    Operators/Custom/MaxPoolingWithArgmax.swift ArgmaxPoolLoop
    Operators/Custom/MaxUnpooling.swift UnpoolLoop PositionUnpoolLoop
    Operators/Custom/Mfcc.swift MfccLayout MfccLoop
    Operators/Custom/NumericVerify.swift NumericVerifyLoop
    Operators/Elementwise/Add.swift FloatAddition WrappingAddition QuantizedAddition
        y = clamp(z_y + m_y · (m_a · (a − z_a)·2ˢ ± m_b · (b − z_b)·2ˢ))
      PowerOfTwoAddition
    Operators/Elementwise/AddN.swift FiniteSum WrappingSum AddNLoop
    Operators/Elementwise/Arctangent.swift SingleArctangent DoubleArctangent
    Operators/Elementwise/Bitwise.swift DifferingBits LimitedRightShift
    Operators/Elementwise/Comparison.swift EqualTo NotEqualTo Less LessOrEqual Greater
      GreaterOrEqual PlainComparison BFloatComparison BoolComparison QuantizedComparison
        m_a (a − z_a) 2⁸ ∘ m_b (b − z_b) 2⁸
    Operators/Elementwise/ComplexMultiplication.swift ComplexMultiplication
    Operators/Elementwise/ComplexParts.swift RealPart ImaginaryPart ComplexMagnitude
    Operators/Elementwise/Divide.swift FloatDivision IntegerDivision QuantizedDivision
        y = clamp(z_y + m (a − z_a) · 1 / (b − z_b)),   m = s_a / (s_b s_y)
    Operators/Elementwise/Exponential.swift Exponential Logarithm ExponentialLinearUnit
    Operators/Elementwise/FloorDivide.swift FloatFloorQuotient IntegerFloorQuotient
      FloatFloorRemainder IntegerFloorRemainder
    Operators/Elementwise/Gelu.swift FloatGelu HalfGelu
    Operators/Elementwise/HardSwish.swift HardSwishFunction QuantizedHardSwish
        y = clamp(z_y + m (x − z_x) 2⁷ · r),   r = (sat(3⁻¹ s_x (x − z_x)) + 1) / 2
    Operators/Elementwise/LeakyRelu.swift FloatLeakyRelu QuantizedLeakyRelu
        y = clamp(z_y + m₊ (x − z_x)) or clamp(z_y + m₋ (x − z_x))
    Operators/Elementwise/Logical.swift Connective Opposite
    Operators/Elementwise/Logistic.swift Sigmoid ClampedSigmoid Tanh
    Operators/Elementwise/MaximumMinimum.swift Extremum BFloatExtremum
    Operators/Elementwise/Multiply.swift FloatMultiplication WrappingMultiplication
      QuantizedMultiplication
        y = clamp(z_y + m (a − z_a)(b − z_b))
      HalvedMultiplication
        y = z_y + clamp((2 a b / 2¹⁶) / 2⁸)
    Operators/Elementwise/Power.swift FloatPower IntegerPower SinglePowerLoop
    Operators/Elementwise/Prelu.swift FloatPrelu QuantizedPrelu
        y = clamp(z_y + m₊ (x − z_x)) or clamp(z_y + m₋ (x − z_x)(α − z_α))
    Operators/Elementwise/Relu.swift Clamp
    Operators/Elementwise/Rounding.swift Floor Ceiling Nearest
    Operators/Elementwise/Select.swift SelectLoop
    Operators/Elementwise/SigmoidTable.swift SigmoidTable Int16Logistic Int16Tanh
    Operators/Elementwise/Sign.swift Magnitude Negate WrappingMagnitude WrappingNegate Signum
      QuantizedMagnitude
        y = clamp(z_y + m |x − z_x|)
    Operators/Elementwise/SquareRoot.swift Square SquareRoot ReciprocalSquareRoot
      QuantizedSquareRoot
        y = clamp(z_y + trunc(√(s_x (x − z_x)) / s_y))
      NonNegativeTable QuantizedReciprocalSquareRoot
        y = clamp(z_y + m · 1 / √(x − z_x)),   m = 1 / (√s_x s_y)
    Operators/Elementwise/SquaredDifference.swift FloatSquaredDifference WrappingSquaredDifference
      QuantizedSquaredDifference
        y = clamp(z_y + m_y (m_a (a − z_a) 2⁷ − m_b (b − z_b) 2⁷)²)
    Operators/Elementwise/StringComparison.swift StringComparisonKernel
    Operators/Elementwise/Trigonometry.swift Sine Cosine
    Operators/Indexing/Bucketize.swift BucketNumber
    Operators/Indexing/DynamicUpdateSlice.swift BoxUpdate DynamicUpdateSliceLoop
    Operators/Indexing/EmbeddingLookup.swift TableRows RowCopies CopiedRowsLoop RowScales
      DequantizedRowsLoop
        y[j, i] = s[lookup[j], i / block] · table[lookup[j], i]
    Operators/Indexing/EmbeddingLookupSparse.swift EmbeddingSumLoop
    Operators/Indexing/Gather.swift GatheredRows Gathering GatherLoop
    Operators/Indexing/GatherNd.swift IndexedSlices SliceGathering GatherNdLoop
    Operators/Indexing/HashtableLookup.swift FoundRows HashtableLookupLoop StringLookupLoop
    Operators/Indexing/LSHProjection.swift LSHProjectionLoop
    Operators/Indexing/NonMaxSuppression.swift NonMaxSuppressionKernel
    Operators/Indexing/OneHot.swift HotSpots OneHotLoop
    Operators/Indexing/ScatterNd.swift ScatterNdLoop
    Operators/Indexing/SparseToDense.swift Placement SparseToDenseLoop
    Operators/Indexing/Unique.swift UniqueLoop
    Operators/Indexing/Where.swift WhereLoop
    Operators/Layout/BoxCopy.swift BoxCopy
        output[to + Σ iₐ · outputStrideₐ] = input[from + Σ iₐ · inputStrideₐ],   0 ≤ iₐ < lengthₐ
    Operators/Layout/BoxCopyKernel.swift BoxCopies BoxCopyLoop
    Operators/Layout/Concatenation.swift JoinedAxis RescalingConcatenationKernel RescalingTable
        q' = round(q · s + b) + z_y,   s = s_x · (1 / s_y),   b = −z_x · s
    Operators/Layout/MirrorPad.swift MirroredAxis Mirroring MirrorPadLoop
    Operators/Layout/NumberRange.swift RangeLoop
    Operators/Layout/PackedElementsKernel.swift PackedElementsKernel
    Operators/Layout/Repeat.swift BroadcastArgumentsLoop
    Operators/Layout/Reshape.swift BytesKernel
    Operators/Layout/Reverse.swift SequenceLoops SequenceReversal ReverseSequenceLoop
    Operators/Layout/ShapeAndRank.swift LengthsLoop RankLoop
    Operators/Layout/SpaceAndBatch.swift BlockGrid BatchSpreading BatchGathering SpaceToBatchLoop
      BatchToSpaceLoop
    Operators/Layout/StringMovementKernel.swift StringMovementKernel
    Operators/Matrix/BatchMatMul.swift QuantizedProducts
    Operators/Matrix/BatchMatMulKernel.swift BatchMatMulNest
        y[…, i, j] = finish(Σ over k of left[…, i, k] · right[…, k, j])
      BatchMatMulLoop
    Operators/Matrix/FullyConnected.swift FullyConnectedNest
        y[r, u] = finish(Σ over k of x[r, k] · w[u, k])
    Operators/Matrix/HybridBatchMatMul.swift HybridBatchMatMulKernel
        y[b, i, j] = s[p, i] · s_right[j] · (Σ over k of quantizedValues[b, i, k] · right[b, k, j]
                                             − z[p, i] · Σ over k of right[q, k, j])
    Operators/Matrix/QuantizedFullyConnected.swift QuantizedFullyConnected
        y = clamp(zᵧ + round(sₓ s_w[u] / sᵧ · (Σ (x − zₓ)(w − z_w) + bias)))
      SumScaling
    Operators/Matrix/ShuffledFullyConnected.swift ShuffledFullyConnected
        y[r, u] = clamp(m · (Σ over k of (x[r, k] − 128) · (w[u, k] − 128) + bias[u]))
    Operators/Normalization/L2Normalization.swift L2NormalizationKernel
      QuantizedL2NormalizationLoop
        y = z_y + 128 · (q − z_x) / √Σ (q − z_x)²
      InverseLength
    Operators/Normalization/LocalResponseNormalization.swift LocalResponseNormalizationKernel
    Operators/Normalization/LogSoftmax.swift LogSoftmaxKernel QuantizedLogSoftmaxLoop
        y = highest quantized + round((d − ln Σ exp(d)) · 16),   d = s (q − max q)
    Operators/Normalization/QuantizedSoftmax.swift ScaledDifference
        d = β s (q − max q), as a Q5 number (5 integer bits, so down to -32)
      QuantizedSoftmaxLoop
        y = lowest quantized + round(exp(d) / Σ exp(d) · 2^bits)
      Int16SoftmaxKernel
        y = exp(d) · 1 / Σ exp(d)
    Operators/Normalization/Softmax.swift SoftmaxLoop
    Operators/Pooling/Pool2DKernel.swift Pool2DNest Pool2DLoop
        y[b, r, c, k] = finish(over taps (i, j): x[b, r·s + i − p, c·s + j − p, k])
      FloatAverage FloatMaximum RootMeanSquare QuantizedAverage QuantizedMaximum
    Operators/Quantization/Cast.swift CastArithmetic UnpackingCast PackingCast
    Operators/Quantization/ChannelQuantization.swift ChannelQuantization
    Operators/Quantization/Densify.swift DensifyLoop
    Operators/Quantization/Dequantize.swift Widening DequantizeLoop
    Operators/Quantization/FakeQuant.swift FakeQuantization
    Operators/Quantization/Quantize.swift QuantizeLoop
    Operators/Random/Multinomial.swift MultinomialLoop
    Operators/Random/RandomBits.swift RandomBitsLoop
    Operators/Random/RandomNumbers.swift UniformNumbers NormalNumbers
        y₀ = sin(2π u₁) · √(−2 ln u₀)      y₁ = cos(2π u₁) · √(−2 ln u₀)
      RandomLoop
    Operators/Random/RandomStream.swift RandomStream
    Operators/Reduction/ArgMinMax.swift AxisLoops ArgMinMaxLoop
    Operators/Reduction/CumulativeSum.swift CumulativeSumLoop
    Operators/Reduction/Mean.swift FloatMeanReduction IntegerMeanReduction
    Operators/Reduction/QuantizedReduction.swift QuantizedMeanReduction
        y = clamp(z_y + m · (Σ q − n z_x))
      QuantizedSumReduction
        y = clamp(z_y + round(Σ q · s + b)),   s = s_x / s_y,   b = −z_x · s · n
      QuantizedProductReduction
        y = clamp(z_y + m · (…(m · (m · p₁ · p₂) · p₃)… · pₙ)),   pᵢ = qᵢ − z_x
    Operators/Reduction/ReducedAxes.swift ReducedAxes
    Operators/Reduction/ReductionFormats.swift FloatSumReduction FloatProductReduction
      WrappingSumReduction WrappingProductReduction ExtremeReduction LogicalReduction
    Operators/Reduction/ReductionKernel.swift ReductionLoop
    Operators/Reduction/Segments.swift Segments SegmentLoop
    Operators/Reduction/TopK.swift TopRows TopKLoop
    Operators/Reduction/WindowReduction.swift WindowFunction WindowReduction
    Operators/Reduction/WindowReductionLoop.swift WindowArithmetic WindowReductionLoop
    Operators/Resize/ResizeBilinear.swift BilinearLocation BilinearAxis
        position = i · s,  or (i + ½) · s − ½ with half pixel centers,   s = input / output
      ResizeBilinearLoop
    Operators/Resize/ResizeBilinearInteger.swift FixedPointLocation FixedPointAxis
        position = i · s,  or i · s + s/2 − 2⁹ with half pixel centers
      ResizeBilinearIntegerLoop
    Operators/Resize/ResizeNearestNeighbor.swift NearestNeighbors ResizeNearestNeighborLoop
    Operators/Resize/ResizedImages.swift ResizedImages
    Operators/Sequence/BasicLSTM.swift BasicLSTMLayout BasicFloatLSTM
        [i, g, f, o] = W [x, h] + b
        c ← σ(i) ⊙ tanh(g) + σ(f) ⊙ c,   h ← σ(o) ⊙ tanh(c)
      BasicByteLSTM
        [i, g, f, o] = W [x, h] + b
        c ← σ(i) ⊙ tanh(g) + σ(f) ⊙ c,   h ← σ(o) ⊙ tanh(c)
    Operators/Sequence/BothDirections.swift BothDirections
    Operators/Sequence/CellActivation.swift CellActivation
    Operators/Sequence/CellProducts.swift FloatCellProducts HybridCellProducts
    Operators/Sequence/FloatLSTM.swift FloatLSTMLoop
        i, f, o = σ(W x + A a + R h + p ⊙ c + b),  g = act(W x + A a + R h + b)
        c ← clip(f ⊙ c + i ⊙ g),                   h ← clip(P (o ⊙ act(c)) + b)
      LSTMCellGate
    Operators/Sequence/IntegerLSTM.swift IntegerLSTM
        i, f, o = σ(W x + R h + p ⊙ c + b),  g = tanh(W x + R h + b)
        c ← clip(f ⊙ c + i ⊙ g),             h ← clip(P (o ⊙ tanh(c)) + b)
    Operators/Sequence/LSTMLayout.swift LSTMLayout
    Operators/Sequence/LSTMTensors.swift LSTMGate LSTMTensors
    Operators/Sequence/NarrowLSTM.swift NarrowLSTM
        f, o = σ(norm(W x + R h)),  g = tanh(norm(W x + R h))
        c ← clip(f ⊙ c + (1 − f) ⊙ g),  h ← clip(P (o ⊙ tanh(c)) + b)
      NarrowProduct
    Operators/Sequence/RNNLoop.swift RNNTensors RNNLayout RNNLoop
        h ← act(b + W x + A a + R h)
    Operators/Sequence/SVDF.swift SVDFLayout SVDFLoop IntegerSVDF
    Operators/Sequence/SequenceNode.swift SequenceOutput
    Operators/Signal/FourierTransform.swift FourierTransform
        X[f] = Σₜ x[t] · exp(−2πi f t / n)
    Operators/Signal/Rfft2D.swift Rfft2DLoop
    Operators/Stablehlo/CombinedElement.swift Combination
    Operators/Stablehlo/IndexedWindows.swift IndexedWindows
    Operators/Stablehlo/StablehloElementwise.swift CombinationLoop ShiftLoop
    Operators/Stablehlo/StablehloGather.swift WindowGathering WindowGatherLoop
    Operators/Stablehlo/StablehloPad.swift InteriorPadding
    Operators/Stablehlo/StablehloScatter.swift ScatterLoops WindowScatterLoop
    Operators/Strings/SkipGram.swift SkipGramLoop
    """
}

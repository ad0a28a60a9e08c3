// SPDX-License-Identifier: Apache-2.0

extension KernelDirectory {
  /// Where kernels are written that compute in any other way.
  static let others = """
    Core/ActivationRange.swift
      ActivationRange
    Core/BinaryKernel.swift
      BinaryLoop
    Core/BlockScales.swift
      BlockScales
    Core/Broadcast.swift
      Broadcast
    Core/CodeFormat.swift
      WholeCodes
      Int4Codes
      UInt4Codes
      Int2Codes
    Core/HybridQuantization.swift
      HybridQuantization
    Core/KernelError.swift
      KernelError
    Core/KernelSet.swift
      KernelSet
    Core/LookupTables.swift
      ByteTable
        y = clamp(z_y + round(f(s_x (x − z_x)) / s_y))
      InterpolatedTable
        y = t[i] + ((t[i + 1] − t[i]) · r + 64) / 128,   x = 128 (i − 256) + r
    Core/LoopKernel.swift
      LoopKernel
    Core/NodeDescription.swift
      NodeDescription
    Core/PrepareContext.swift
      PrepareContext
    Core/RealFunction.swift
      RealArithmetic
    Core/Requantization.swift
      Requantization
        y = clamp(z_y + m (x − z_x)),   m = s_x / s_y in fixed point
    Core/ScaledOperand.swift
      ScaledOperand
        m · (q − z) · 2ˢ
    Core/SparseLayout.swift
      SparseLayout
      Contradiction
    Core/Steps/Steps.swift
      NoSteps
    Core/UnaryKernel.swift
      UnaryLoop
    Operators/Custom/AudioSpectrogram.swift
      AudioSpectrogramLoop
    Operators/Custom/Convolution2DTransposeBias.swift
      BiasedTransposeConvNest
    Operators/Custom/DetectionPostProcess.swift
      DetectionOptions
    Operators/Custom/DetectionPostProcessKernel.swift
      DetectionPostProcessKernel
        centre = encoding / scale · anchor size + anchor centre
        size = exp(encoding / scale) · anchor size
        overlap = common area / (sum of areas − common area)
    Operators/Custom/MaxPoolingWithArgmax.swift
      ArgmaxPoolLoop
    Operators/Custom/MaxUnpooling.swift
      UnpoolLoop
      PositionUnpoolLoop
    Operators/Custom/Mfcc.swift
      MfccLayout
      MfccLoop
    Operators/Custom/NumericVerify.swift
      NumericVerifyLoop
    Operators/Random/Multinomial.swift
      MultinomialLoop
    Operators/Random/RandomBits.swift
      RandomBitsLoop
    Operators/Random/RandomNumbers.swift
      UniformNumbers
      NormalNumbers
        y₀ = sin(2π u₁) · √(−2 ln u₀)      y₁ = cos(2π u₁) · √(−2 ln u₀)
      RandomLoop
    Operators/Random/RandomStream.swift
      RandomStream
    Operators/Sequence/BasicLSTM.swift
      BasicLSTMLayout
      BasicFloatLSTM
        [i, g, f, o] = W [x, h] + b
        c ← σ(i) ⊙ tanh(g) + σ(f) ⊙ c,   h ← σ(o) ⊙ tanh(c)
      BasicByteLSTM
        [i, g, f, o] = W [x, h] + b
        c ← σ(i) ⊙ tanh(g) + σ(f) ⊙ c,   h ← σ(o) ⊙ tanh(c)
    Operators/Sequence/BothDirections.swift
      BothDirections
    Operators/Sequence/CellActivation.swift
      CellActivation
    Operators/Sequence/CellProducts.swift
      FloatCellProducts
      HybridCellProducts
    Operators/Sequence/FloatLSTM.swift
      FloatLSTMLoop
        i, f, o = σ(W x + A a + R h + p ⊙ c + b),  g = act(W x + A a + R h + b)
        c ← clip(f ⊙ c + i ⊙ g),                   h ← clip(P (o ⊙ act(c)) + b)
      LSTMCellGate
    Operators/Sequence/IntegerLSTM.swift
      IntegerLSTM
        i, f, o = σ(W x + R h + p ⊙ c + b),  g = tanh(W x + R h + b)
        c ← clip(f ⊙ c + i ⊙ g),             h ← clip(P (o ⊙ tanh(c)) + b)
    Operators/Sequence/LSTMLayout.swift
      LSTMLayout
    Operators/Sequence/LSTMTensors.swift
      LSTMGate
      LSTMTensors
    Operators/Sequence/NarrowLSTM.swift
      NarrowLSTM
        f, o = σ(norm(W x + R h)),  g = tanh(norm(W x + R h))
        c ← clip(f ⊙ c + (1 − f) ⊙ g),  h ← clip(P (o ⊙ tanh(c)) + b)
      NarrowProduct
    Operators/Sequence/RNNLoop.swift
      RNNTensors
      RNNLayout
      RNNLoop
        h ← act(b + W x + A a + R h)
    Operators/Sequence/SVDF.swift
      SVDFLayout
      SVDFLoop
      IntegerSVDF
    Operators/Sequence/SequenceNode.swift
      SequenceOutput
    Operators/Signal/FourierTransform.swift
      FourierTransform
        X[f] = Σₜ x[t] · exp(−2πi f t / n)
    Operators/Signal/Rfft2D.swift
      Rfft2DLoop
    Operators/Stablehlo/CombinedElement.swift
      Combination
    Operators/Stablehlo/IndexedWindows.swift
      IndexedWindows
    Operators/Stablehlo/StablehloElementwise.swift
      CombinationLoop
      ShiftLoop
    Operators/Stablehlo/StablehloGather.swift
      WindowGathering
      WindowGatherLoop
    Operators/Stablehlo/StablehloPad.swift
      InteriorPadding
    Operators/Stablehlo/StablehloScatter.swift
      ScatterLoops
      WindowScatterLoop
    """
}

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
    Core/CatalogEntry.swift
      CatalogEntry
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
      RealFunctionOperator
        y = f(x)
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
    Operators/Control/Branch.swift
      If
        outputs = condition ? then(inputs[1…]) : else(inputs[1…])
      StablehloCase
      StablehloComposite
      CallOnce
    Operators/Control/While.swift
      While
        state = inputs
        while condition(state) { state = body(state) }
        outputs = state
    Operators/Custom/AudioSpectrogram.swift
      AudioSpectrogram
        y[c, t, f] = |Σⱼ x[t·stride + j, c] · w[j] · exp(−2πi f j / n)|²,  w[j] = ½ − ½ cos(2πj / window)
      AudioSpectrogramLoop
    Operators/Custom/Convolution2DTransposeBias.swift
      Convolution2DTransposeBias
      BiasedTransposeConvNest
    Operators/Custom/DetectionPostProcess.swift
      DetectionPostProcess
      DetectionOptions
    Operators/Custom/DetectionPostProcessKernel.swift
      DetectionPostProcessKernel
        centre = encoding / scale · anchor size + anchor centre
        size = exp(encoding / scale) · anchor size
        overlap = common area / (sum of areas − common area)
    Operators/Custom/MaxPoolingWithArgmax.swift
      MaxPoolingWithArgmax
      ArgmaxPoolLoop
    Operators/Custom/MaxUnpooling.swift
      MaxUnpooling
      UnpoolLoop
      PositionUnpoolLoop
    Operators/Custom/Mfcc.swift
      Mfcc
        y[i] = √(2/n) Σⱼ cos(π i (j + ½) / n) · ln max(m[j], 10⁻¹²),   m = the mel filters' outputs
      MfccLayout
      MfccLoop
    Operators/Custom/NumericVerify.swift
      NumericVerify
        y = dequantize(x) − reference
      NumericVerifyLoop
    Operators/Random/Multinomial.swift
      Multinomial
        y[b, j] = the first class c with u · Σₖ eₖ < Σ_{k ≤ c} eₖ,   eₖ = exp(x[b, k] − max x[b])
      MultinomialLoop
    Operators/Random/RandomBits.swift
      RandomBits
      RandomBitsLoop
    Operators/Random/RandomNumbers.swift
      RandomNumbers
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
    Operators/Sequence/BidirectionalSequenceLSTM.swift
      BidirectionalSequenceLSTM
    Operators/Sequence/BidirectionalSequenceRNN.swift
      BidirectionalSequenceRNN
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
    Operators/Sequence/LSTM.swift
      LSTM
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
    Operators/Sequence/RNN.swift
      RNN
    Operators/Sequence/RNNLoop.swift
      RNNTensors
      RNNLayout
      RNNLoop
        h ← act(b + W x + A a + R h)
    Operators/Sequence/SVDF.swift
      SVDF
        s[f] ← s[f] without its oldest value, then Σk W[f, k] x[k]
        y[u] = act(b[u] + Σ(f of u) Σm T[f, m] s[f, m])
      SVDFLayout
      SVDFLoop
      IntegerSVDF
    Operators/Sequence/SequenceNode.swift
      SequenceOutput
    Operators/Sequence/UnidirectionalSequenceLSTM.swift
      UnidirectionalSequenceLSTM
    Operators/Signal/FourierTransform.swift
      FourierTransform
        X[f] = Σₜ x[t] · exp(−2πi f t / n)
    Operators/Signal/Rfft2D.swift
      Rfft2D
        Y[f, g] = Σₜ Σᵤ x[t, u] · exp(−2πi (f t / h + g u / w)),   0 ≤ f < h, 0 ≤ g ≤ w / 2
      Rfft2DLoop
    Operators/Stablehlo/CombinedElement.swift
      Combination
    Operators/Stablehlo/IndexedWindows.swift
      IndexedWindows
    Operators/Stablehlo/StablehloElementwise.swift
      StablehloElementwise
      StablehloShiftLeft
        y = x · 2ⁿ modulo the type's range
      CombinationLoop
      ShiftLoop
    Operators/Stablehlo/StablehloGather.swift
      StablehloGather
      WindowGathering
      WindowGatherLoop
    Operators/Stablehlo/StablehloPad.swift
      StablehloPad
        y[low + i · (interior + 1)] = x[i] along each axis, where that lies within y
      InteriorPadding
    Operators/Stablehlo/StablehloReduceWindow.swift
      StablehloReduceWindow
        y[o] = f(… f(f(init, x′[o·stride]), x′[o·stride + dilation]) …)
    Operators/Stablehlo/StablehloScatter.swift
      StablehloScatter
        y = x;  y[start(j) + i] = combine(y[start(j) + i], updates[j, i]) for all j and i, in order
      ScatterLoops
      WindowScatterLoop
    Operators/Strings/SkipGram.swift
      SkipGram
    Operators/Variables/Hashtable.swift
      Hashtable
      HashtableImport
      HashtableFind
      HashtableSize
    Operators/Variables/Variable.swift
      VarHandle
      AssignVariable
      ReadVariable
    """
}

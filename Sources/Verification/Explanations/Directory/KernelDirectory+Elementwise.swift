// SPDX-License-Identifier: Apache-2.0

extension KernelDirectory {
  /// Where kernels are written that compute element by element.
  static let elementwise = """
    Operators/Elementwise/Add.swift
      Addition
        y = clamp(a ± b)
      FloatAddition
      WrappingAddition
      QuantizedAddition
        y = clamp(z_y + m_y · (m_a · (a − z_a)·2ˢ ± m_b · (b − z_b)·2ˢ))
      PowerOfTwoAddition
    Operators/Elementwise/AddN.swift
      AddN
        y[i] = x₀[i] + x₁[i] + … + xₙ₋₁[i]
      FiniteSum
      WrappingSum
      AddNLoop
    Operators/Elementwise/Arctangent.swift
      Arctangent
        angle = atan2(y, x)
      SingleArctangent
      DoubleArctangent
    Operators/Elementwise/Bitwise.swift
      BitwiseXor
        y = a ⊕ b
      RightShift
        y = a >> min(max(b, 0), width − 1)
      DifferingBits
      LimitedRightShift
    Operators/Elementwise/Comparison.swift
      Comparison
      EqualTo
      NotEqualTo
      Less
      LessOrEqual
      Greater
      GreaterOrEqual
      PlainComparison
      BFloatComparison
      BoolComparison
      QuantizedComparison
        m_a (a − z_a) 2⁸ ∘ m_b (b − z_b) 2⁸
    Operators/Elementwise/ComplexMultiplication.swift
      ComplexMultiplication
    Operators/Elementwise/ComplexParts.swift
      ComplexParts
        real(a + b i) = a,   imag(a + b i) = b,   |a + b i| = √(a² + b²)
      RealPart
      ImaginaryPart
      ComplexMagnitude
    Operators/Elementwise/Divide.swift
      Division
        y = clamp(a / b)
      FloatDivision
      IntegerDivision
      QuantizedDivision
        y = clamp(z_y + m (a − z_a) · 1 / (b − z_b)),   m = s_a / (s_b s_y)
    Operators/Elementwise/Exponential.swift
      Exponential
        y = eˣ
      Logarithm
        y = ln x
      ExponentialLinearUnit
        y = x if x ≥ 0, else eˣ − 1
    Operators/Elementwise/FloorDivide.swift
      FloorDivision
        y = ⌊a / b⌋
      FloorRemainder
        y = a − ⌊a / b⌋ b
      FloatFloorQuotient
      IntegerFloorQuotient
      FloatFloorRemainder
      IntegerFloorRemainder
    Operators/Elementwise/Gelu.swift
      Gelu
        y = x Φ(x) = x/2 · erfc(−x / √2)
        y ≈ x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))
      FloatGelu
      HalfGelu
    Operators/Elementwise/HardSwish.swift
      HardSwish
        y = x · min(max(x + 3, 0), 6) / 6
      HardSwishFunction
      QuantizedHardSwish
        y = clamp(z_y + m (x − z_x) 2⁷ · r),   r = (sat(3⁻¹ s_x (x − z_x)) + 1) / 2
    Operators/Elementwise/LeakyRelu.swift
      LeakyRelu
        y = x if x > 0, else α x
      FloatLeakyRelu
      QuantizedLeakyRelu
        y = clamp(z_y + m₊ (x − z_x)) or clamp(z_y + m₋ (x − z_x))
    Operators/Elementwise/Logical.swift
      LogicalConnective
      LogicalNot
      Connective
      Opposite
    Operators/Elementwise/Logistic.swift
      Logistic
        y = 1 / (1 + e⁻ˣ)
      HyperbolicTangent
        y = (eˣ − e⁻ˣ) / (eˣ + e⁻ˣ)
      Sigmoid
      ClampedSigmoid
      Tanh
    Operators/Elementwise/MaximumMinimum.swift
      MaximumMinimum
        y = a if a > b, else b      y = a if a < b, else b
      Extremum
      BFloatExtremum
    Operators/Elementwise/Multiply.swift
      Multiplication
        y = clamp(a b)
      FloatMultiplication
      WrappingMultiplication
      QuantizedMultiplication
        y = clamp(z_y + m (a − z_a)(b − z_b))
      HalvedMultiplication
        y = z_y + clamp((2 a b / 2¹⁶) / 2⁸)
    Operators/Elementwise/Power.swift
      Power
        y = aᵇ
      FloatPower
      IntegerPower
      SinglePowerLoop
    Operators/Elementwise/Prelu.swift
      Prelu
        y = x if x ≥ 0, else α x
      FloatPrelu
      QuantizedPrelu
        y = clamp(z_y + m₊ (x − z_x)) or clamp(z_y + m₋ (x − z_x)(α − z_α))
    Operators/Elementwise/Relu.swift
      Relu
        y = min(max(x, lowest), highest)
      Clamp
    Operators/Elementwise/Rounding.swift
      Floor
      Ceiling
      Nearest
    Operators/Elementwise/Select.swift
      Select
        y = a if c, else b
      SelectLoop
    Operators/Elementwise/SigmoidTable.swift
      SigmoidTable
      Int16Logistic
      Int16Tanh
    Operators/Elementwise/Sign.swift
      AbsoluteValue
        y = |x|
      Negation
        y = −x
      SignFunction
      Magnitude
      Negate
      WrappingMagnitude
      WrappingNegate
      Signum
      QuantizedMagnitude
        y = clamp(z_y + m |x − z_x|)
    Operators/Elementwise/SquareRoot.swift
      Sqrt
        y = √x
      Rsqrt
        y = 1 / √x
      Square
      SquareRoot
      ReciprocalSquareRoot
      QuantizedSquareRoot
        y = clamp(z_y + trunc(√(s_x (x − z_x)) / s_y))
      NonNegativeTable
      QuantizedReciprocalSquareRoot
        y = clamp(z_y + m · 1 / √(x − z_x)),   m = 1 / (√s_x s_y)
    Operators/Elementwise/SquaredDifference.swift
      SquaredDifference
        y = (a − b)²
      FloatSquaredDifference
      WrappingSquaredDifference
      QuantizedSquaredDifference
        y = clamp(z_y + m_y (m_a (a − z_a) 2⁷ − m_b (b − z_b) 2⁷)²)
    Operators/Elementwise/StringComparison.swift
      StringComparisonKernel
    Operators/Elementwise/Trigonometry.swift
      Sine
      Cosine
    """
}

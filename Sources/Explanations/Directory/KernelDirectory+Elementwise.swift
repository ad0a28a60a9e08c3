// SPDX-License-Identifier: Apache-2.0

extension KernelDirectory {
  /// Where kernels are written that compute element by element.
  static let elementwise = """
    Operators/Elementwise/Add.swift
      FloatAddition
      WrappingAddition
      QuantizedAddition
        y = clamp(z_y + m_y · (m_a · (a − z_a)·2ˢ ± m_b · (b − z_b)·2ˢ))
      PowerOfTwoAddition
    Operators/Elementwise/AddN.swift
      FiniteSum
      WrappingSum
      AddNLoop
    Operators/Elementwise/Arctangent.swift
      SingleArctangent
      DoubleArctangent
    Operators/Elementwise/Bitwise.swift
      DifferingBits
      LimitedRightShift
    Operators/Elementwise/Comparison.swift
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
      RealPart
      ImaginaryPart
      ComplexMagnitude
    Operators/Elementwise/Divide.swift
      FloatDivision
      IntegerDivision
      QuantizedDivision
        y = clamp(z_y + m (a − z_a) · 1 / (b − z_b)),   m = s_a / (s_b s_y)
    Operators/Elementwise/Exponential.swift
      Exponential
      Logarithm
      ExponentialLinearUnit
    Operators/Elementwise/FloorDivide.swift
      FloatFloorQuotient
      IntegerFloorQuotient
      FloatFloorRemainder
      IntegerFloorRemainder
    Operators/Elementwise/Gelu.swift
      FloatGelu
      HalfGelu
    Operators/Elementwise/HardSwish.swift
      HardSwishFunction
      QuantizedHardSwish
        y = clamp(z_y + m (x − z_x) 2⁷ · r),   r = (sat(3⁻¹ s_x (x − z_x)) + 1) / 2
    Operators/Elementwise/LeakyRelu.swift
      FloatLeakyRelu
      QuantizedLeakyRelu
        y = clamp(z_y + m₊ (x − z_x)) or clamp(z_y + m₋ (x − z_x))
    Operators/Elementwise/Logical.swift
      Connective
      Opposite
    Operators/Elementwise/Logistic.swift
      Sigmoid
      ClampedSigmoid
      Tanh
    Operators/Elementwise/MaximumMinimum.swift
      Extremum
      BFloatExtremum
    Operators/Elementwise/Multiply.swift
      FloatMultiplication
      WrappingMultiplication
      QuantizedMultiplication
        y = clamp(z_y + m (a − z_a)(b − z_b))
      HalvedMultiplication
        y = z_y + clamp((2 a b / 2¹⁶) / 2⁸)
    Operators/Elementwise/Power.swift
      FloatPower
      IntegerPower
      SinglePowerLoop
    Operators/Elementwise/Prelu.swift
      FloatPrelu
      QuantizedPrelu
        y = clamp(z_y + m₊ (x − z_x)) or clamp(z_y + m₋ (x − z_x)(α − z_α))
    Operators/Elementwise/Relu.swift
      Clamp
    Operators/Elementwise/Rounding.swift
      Floor
      Ceiling
      Nearest
    Operators/Elementwise/Select.swift
      SelectLoop
    Operators/Elementwise/SigmoidTable.swift
      SigmoidTable
      Int16Logistic
      Int16Tanh
    Operators/Elementwise/Sign.swift
      Magnitude
      Negate
      WrappingMagnitude
      WrappingNegate
      Signum
      QuantizedMagnitude
        y = clamp(z_y + m |x − z_x|)
    Operators/Elementwise/SquareRoot.swift
      Square
      SquareRoot
      ReciprocalSquareRoot
      QuantizedSquareRoot
        y = clamp(z_y + trunc(√(s_x (x − z_x)) / s_y))
      NonNegativeTable
      QuantizedReciprocalSquareRoot
        y = clamp(z_y + m · 1 / √(x − z_x)),   m = 1 / (√s_x s_y)
    Operators/Elementwise/SquaredDifference.swift
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

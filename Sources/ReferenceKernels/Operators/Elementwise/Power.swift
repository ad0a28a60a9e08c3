// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let pow = CatalogEntry(
    .pow, chapter: .elementwise, formula: "y = aᵇ", versions: .upTo(1),
    variants: "f32 i32", optimized: "",
    work: .eachOutput, reads: .everything
  ) { _ in Power() }
}

/// `POW`: one tensor to the power of another, broadcast to each other.
///
/// TFLite computes with `pow`: of floats in single precision, of int32 in double, where a result
/// out of range becomes the least integer. But where shapes differ and the exponent is a single
/// positive integer it multiplies, so that int32 wraps and floats stay finite. Negative int32
/// exponents are an error. TFLite: `pow.cc`, `BroadcastPow4D` (`optimized_ops.h`).
struct Power: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    let binary = try BinaryNode(node)
    switch binary.left.elementType {
    case .float32: return prepared(FloatPower(), binary)
    case .int32: return prepared(IntegerPower(), binary)
    case let other: throw .elementType(other, .input(0))
    }
  }

  private func prepared<Arithmetic: PowerArithmetic>(
    _ arithmetic: Arithmetic, _ binary: BinaryNode
  ) -> Prepared {
    let multiplies =
      binary.right.shape.elementCount == 1 && binary.left.shape != binary.right.shape
    guard multiplies else { return binary.prepared(arithmetic) }
    return binary.prepared(
      LoopKernel(SinglePowerLoop(arithmetic: arithmetic)),
      as: Arithmetic.Output.elementType)
  }
}

/// How elements are raised to powers, at once or by multiplication.
package protocol PowerArithmetic: BinaryArithmetic where Left == Right, Right == Output {
  /// The positive integer that an exponent is, if it is one.
  func positiveInteger(_ exponent: Right) -> Int32?

  /// One multiplication of the many that make a power.
  func product(
    _ x: Left, _ y: Left, _ name: StaticString, _ steps: inout some Steps
  ) -> Left
}

extension PowerArithmetic {
  /// `xⁿ` by squaring, from the exponent's leading bit down.
  @inline(__always)
  func power(_ x: Left, _ exponent: Int32, _ steps: inout some Steps) -> Left {
    steps.note("exponent", "a positive integer, so that it is multiplied", exponent)
    var result = x
    var bit = Int32(30 - exponent.leadingZeroBitCount)
    while bit >= 0 {
      result = product(result, result, "square", &steps)
      if exponent >> bit & 1 == 1 { result = product(x, result, "product", &steps) }
      bit -= 1
    }
    return exponent == 1 ? steps.note("result", "the element as it is", element: result) : result
  }
}

/// `aᵇ` of floats.
package struct FloatPower: PowerArithmetic {
  @inline(__always)
  package func apply(_ left: Float, _ right: Float, _ steps: inout some Steps) -> Float {
    FloatMath.pow(left, right)
  }

  package func positiveInteger(_ exponent: Float) -> Int32? {
    let whole = Int32(truncatingOrLeast: exponent.rounded(.toNearestOrAwayFromZero))
    return whole >= 1 && abs(exponent - Float(whole)) < 1e-5 ? whole : nil
  }

  @inline(__always)
  package func product(
    _ x: Float, _ y: Float, _ name: StaticString, _ steps: inout some Steps
  ) -> Float {
    steps.activate(
      steps.product(x, y, "\(name)"),
      ActivationRange(-.greatestFiniteMagnitude, .greatestFiniteMagnitude))
  }
}

/// `aᵇ` of integers by way of doubles, or wrapping where it is multiplied.
package struct IntegerPower: PowerArithmetic {
  package func check(_ right: Span<Int32>) throws(KernelError) {
    for index in right.indices where right[index] < 0 {
      throw .invalid("negative exponent \(right[index])", .input(1))
    }
  }

  @inline(__always)
  package func apply(_ left: Int32, _ right: Int32, _ steps: inout some Steps) -> Int32 {
    Int32(truncatingOrLeast: FloatMath.pow(Double(left), Double(right)))
  }

  package func positiveInteger(_ exponent: Int32) -> Int32? { exponent >= 1 ? exponent : nil }

  @inline(__always)
  package func product(
    _ x: Int32, _ y: Int32, _ name: StaticString, _ steps: inout some Steps
  ) -> Int32 { steps.product(x, y, "\(name)") }
}

/// Powers with one exponent for all elements.
package struct SinglePowerLoop<Arithmetic: PowerArithmetic>: SteppedLoop {
  /// How elements are raised to powers.
  package let arithmetic: Arithmetic

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let bases = frame.input(0, as: Arithmetic.Left.self)
    let exponents = frame.input(1, as: Arithmetic.Right.self)
    try arithmetic.check(exponents)
    let whole = arithmetic.positiveInteger(exponents[0])
    var output = frame.output(0, as: Arithmetic.Output.self)
    for index in output.indices {
      steps.about(index)
      let (base, exponent) = (steps.read(bases, index), steps.read(exponents, 0))
      if let whole {
        output[index] = arithmetic.power(base, whole, &steps)
      } else {
        output[index] = arithmetic.apply(base, exponent, &steps)
      }
    }
  }
}

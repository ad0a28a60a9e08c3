// SPDX-License-Identifier: Apache-2.0

package import Tensors

extension Steps {
  /// What follows is shared by these elements of an output, `step` apart.
  @inline(__always)
  package mutating func about(_ elements: Range<Int>, step: Int = 1, ofOutput position: Int = 0) {
    about(elements, step: step, ofOutputs: position...position)
  }

  /// What follows is about one element of an output.
  @inline(__always)
  package mutating func about(_ element: Int, ofOutput position: Int = 0) {
    about(element, ofOutputs: position...position)
  }
}

/// Terms of tensors' elements.
extension Steps {
  /// One of the integers that a sum is made of, which comes from `elements[index]`.
  @inline(__always)
  package mutating func term<Number: FixedWidthInteger, Element: TensorElement>(
    _ value: Number, of elements: Span<Element>, _ index: Int
  ) -> Number { term(value, of: elements, index, named: "number") }

  /// One of the floats that a sum is made of, which comes from `elements[index]`.
  @inline(__always)
  package mutating func term<Element: TensorElement>(
    _ value: Float, of elements: Span<Element>, _ index: Int
  ) -> Float { term(value, of: elements, index, named: "number") }

  /// One of the floats that a sum is made of: the product of `left[i]` and `right[j]`.
  @inline(__always)
  package mutating func term<Left: TensorElement, Right: TensorElement>(
    _ value: Float, of left: Span<Left>, _ i: Int, _ right: Span<Right>, _ j: Int
  ) -> Float { term(value, of: left, i, named: "number", right, j) }

  /// One of the integers that a sum is made of: the product of `left[i]` and `right[j]`; `name`
  /// is what the left ones are called if no tensor holds them.
  @inline(__always)
  package mutating func term<
    Number: FixedWidthInteger, Left: TensorElement, Right: TensorElement
  >(
    _ value: Number, of left: Span<Left>, _ i: Int, named name: StaticString = "number",
    _ right: Span<Right>, _ j: Int
  ) -> Number { term(value, of: left, i, quantized: nil, named: name, right, j) }
}

/// The four operations as steps; integers wrap.
extension Steps {
  /// `a + b`.
  @inline(__always)
  package mutating func sum<Number: FixedWidthInteger>(
    _ a: Number, _ b: Number, _ name: @autoclosure () -> String = "sum"
  ) -> Number { note(name(), "\(a) + \(b.operand)", a &+ b) }

  /// `a + b`.
  @inline(__always)
  package mutating func sum(
    _ a: Float, _ b: Float, _ name: @autoclosure () -> String = "sum"
  ) -> Float { note(name(), "\(a) + \(b.operand)", a + b) }

  /// `a − b`.
  @inline(__always)
  package mutating func difference<Number: FixedWidthInteger>(
    _ a: Number, _ b: Number, _ name: @autoclosure () -> String = "difference"
  ) -> Number { note(name(), "\(a) - \(b.operand)", a &- b) }

  /// `a − b`.
  @inline(__always)
  package mutating func difference(
    _ a: Float, _ b: Float, _ name: @autoclosure () -> String = "difference"
  ) -> Float { note(name(), "\(a) - \(b.operand)", a - b) }

  /// `a × b`.
  @inline(__always)
  package mutating func product<Number: FixedWidthInteger>(
    _ a: Number, _ b: Number, _ name: @autoclosure () -> String = "product"
  ) -> Number { note(name(), "\(a) × \(b.operand)", a &* b) }

  /// `a × b`.
  @inline(__always)
  package mutating func product(
    _ a: Float, _ b: Float, _ name: @autoclosure () -> String = "product"
  ) -> Float { note(name(), "\(a) × \(b.operand)", a * b) }

  /// `a / b`.
  @inline(__always)
  package mutating func quotient(
    _ a: Float, _ b: Float, _ name: @autoclosure () -> String = "quotient"
  ) -> Float { note(name(), "\(a) / \(b.operand)", a / b) }

  /// `−a`.
  @inline(__always)
  package mutating func negation(
    _ a: Int32, _ name: @autoclosure () -> String
  ) -> Int32 { note(name(), "-\(a.operand)", 0 &- a) }

  /// `√x`.
  @inline(__always)
  package mutating func squareRoot(_ x: Float) -> Float {
    note("square root", "of \(x)", x.squareRoot())
  }

  /// `x` as the nearest whole number, halves away from zero.
  @inline(__always)
  package mutating func rounded(_ x: Float) -> Float {
    note(
      "rounding", "round(\(x)), halves away from zero", x.rounded(.toNearestOrAwayFromZero))
  }

  /// `x` as the nearest whole number, halves away from zero.
  @inline(__always)
  package mutating func rounded(_ x: Double) -> Double {
    note(
      "rounding", "round(\(x)), halves away from zero", x.rounded(.toNearestOrAwayFromZero))
  }
}

/// From a sum to the stored value.
extension Steps {
  /// A sum of products.
  @inline(__always)
  package mutating func accumulator<Number: FixedWidthInteger>(_ sum: Number) -> Number {
    accumulator(sum, of: "products")
  }

  /// A sum of products.
  @inline(__always)
  package mutating func accumulator(_ sum: Float) -> Float { accumulator(sum, of: "products") }

  /// A sum with its bias; unchanged without one.
  @inline(__always)
  package mutating func addBias<Sum: FixedWidthInteger>(_ sum: Sum, _ bias: Sum?) -> Sum {
    guard let bias else { return sum }
    return self.sum(sum, bias, "bias")
  }

  /// A sum with its bias; without one zero is added, which makes positive zero of negative zero.
  @inline(__always)
  package mutating func addBias(_ sum: Float, _ bias: Float?) -> Float {
    guard let bias else { return sum + 0 }
    return self.sum(sum, bias, "bias")
  }

  /// `value` times a fixed-point factor.
  @inline(__always)
  package mutating func scale(_ value: Int32, by multiplier: FixedPointMultiplier) -> Int32 {
    scale(value, by: multiplier, "multiplier")
  }

  /// `value / 2^shift`, halves away from zero.
  @inline(__always)
  package mutating func shift(_ value: Int32, by shift: Int32) -> Int32 {
    self.shift(value, by: shift, "shift")
  }

  /// A number of the output's quanta as a quantized value.
  @inline(__always)
  package mutating func addZeroPoint(_ value: Int32, _ zeroPoint: Int32) -> Int32 {
    sum(value, zeroPoint, "zero point")
  }

  /// A number limited to the range of `type`.
  @inline(__always)
  package mutating func saturate<Element: FixedWidthInteger>(
    _ value: Int32, to type: Element.Type = Element.self
  ) -> Element {
    note("clamp", "\(value) to \(Element.min)...\(Element.max)", Element(clamping: value))
  }

  /// A number limited to a magnitude; 0 is no limit.
  @inline(__always)
  package mutating func clip(_ value: Float, to limit: Float) -> Float {
    // In this order NaN becomes the limit.
    limit > 0
      ? note("clip", "\(value) to \(-limit)...\(limit)", max(-limit, min(limit, value))) : value
  }

  /// A number limited to a magnitude; 0 is no limit.
  @inline(__always)
  package mutating func clip<Number: FixedWidthInteger & SignedInteger>(
    _ value: Number, to limit: Number
  ) -> Number {
    limit > 0
      ? note("clip", "\(value) to \(-limit)...\(limit)", max(-limit, min(limit, value))) : value
  }

  /// A quantized value limited to `range`.
  @inline(__always)
  package mutating func clamp(_ value: Int32, _ range: ActivationRange<Int32>) -> Int32 {
    note("clamp", "\(value) to \(range.lowest)...\(range.highest)", range.clamp(value))
  }

  /// A float limited to `range`; no step where the range has every number.
  @inline(__always)
  package mutating func activate(_ value: Float, _ range: ActivationRange<Float>) -> Float {
    let result = range.clamp(value)
    // Half floats have no greater number.
    let isBounded = range.lowest > -65504 || range.highest < 65504
    guard isBounded || !(result == value || value.isNaN) else { return result }
    return note("clamp", "\(value) to \(range.lowest)...\(range.highest)", result)
  }

  /// An integer limited to `range`; no step where the range has every number.
  @inline(__always)
  package mutating func activate<Element: FixedWidthInteger>(
    _ value: Element, _ range: ActivationRange<Element>
  ) -> Element {
    let result = range.clamp(value)
    guard range.lowest != .min || range.highest != .max else { return result }
    return note("clamp", "\(value) to \(range.lowest)...\(range.highest)", result)
  }

  /// `element`, which is what `value` becomes in the output's type.
  @inline(__always)
  package mutating func store<Element: FixedWidthInteger>(
    _ value: Int32, _ element: Element
  ) -> Element {
    note("stored", "\(value) as \(Element.isSigned ? "Int" : "UInt")\(Element.bitWidth)", element)
  }

  /// A number of the output's quanta as an element: with the zero point, saturated.
  @inline(__always)
  package mutating func store<Element: FixedWidthInteger>(
    _ value: Int32, zeroPoint: Int32, as type: Element.Type = Element.self
  ) -> Element {
    let quantized = addZeroPoint(value, zeroPoint)
    return store(quantized, Element(clamping: quantized))
  }

  /// A number of the output's quanta as an element: with the zero point, limited to `range`.
  @inline(__always)
  package mutating func store<Element: FixedWidthInteger>(
    _ value: Int32, zeroPoint: Int32, _ range: ActivationRange<Int32>,
    as type: Element.Type = Element.self
  ) -> Element {
    let quantized = clamp(addZeroPoint(value, zeroPoint), range)
    return store(quantized, Element(clamping: quantized))
  }

  /// A float as the nearest element.
  @inline(__always)
  package mutating func narrow<Element: FloatElement>(
    _ value: Float, to type: Element.Type = Element.self
  ) -> Element {
    let element = Element(narrowing: value)
    if Element.elementType != .float32 {
      note("stored", "\(value) as \(Element.elementType.schemaName)", element.widened)
    }
    return element
  }
}

extension FixedWidthInteger {
  /// The number as an operand behind a sign: negative ones in parentheses.
  package var operand: String { self < 0 ? "(\(self))" : "\(self)" }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The number as an operand behind a sign: negative ones in parentheses.
  package var operand: String { sign == .minus ? "(\(self))" : "\(self)" }
}

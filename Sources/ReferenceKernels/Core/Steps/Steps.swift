// SPDX-License-Identifier: Apache-2.0

package import Tensors

/// Receives the named steps of a kernel's arithmetic, and computes them.
///
/// Arithmetic is written once, as calls of these methods: `steps.product(a, b)`. A run passes
/// `NoSteps`, whose methods are the plain operations and are inlined; an explanation passes a
/// recorder, which writes down each step with its numbers and has fixed-point arithmetic of its
/// own, so that the recorded steps check the kernel's.
package protocol Steps {
  /// Whether anybody is told. Loops that only tell steps need not run otherwise.
  var areTold: Bool { get }

  /// What follows is shared by the elements of the outputs at these flat indices, `step` apart: the
  /// elements of a row, say, that are divided by the same sum.
  mutating func about(_ elements: Range<Int>, step: Int, ofOutputs positions: ClosedRange<Int>)

  /// What follows is about one element of the outputs alone. Terms are then the element's, or those
  /// of all elements that were named together before; its accumulator is the sum of all of them.
  mutating func about(_ element: Int, ofOutputs positions: ClosedRange<Int>)

  /// What follows is about this element of the outputs, too.
  mutating func alsoAbout(_ element: Int, ofOutputs positions: ClosedRange<Int>)

  /// What follows belongs to one sum of several, or to one part of the formula:
  /// `forget gate, state`.
  mutating func part(_ name: @autoclosure () -> String)

  /// A value that the arithmetic has come to, with its name and where it comes from.
  @discardableResult
  mutating func note<Number: FixedWidthInteger>(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Number
  ) -> Number

  /// A value that the arithmetic has come to, with its name and where it comes from.
  @discardableResult
  mutating func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Float
  ) -> Float

  /// A value that the arithmetic has come to, with its name and where it comes from.
  @discardableResult
  mutating func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Double
  ) -> Double

  /// An element that the arithmetic has come to, with its name and where it comes from.
  @discardableResult
  mutating func note<Element: TensorElement>(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, element: Element
  ) -> Element

  /// A value that was computed before the run, such as an entry of a table; `derive` tells how.
  mutating func precomputed<Value>(_ value: Value, _ derive: (inout Self) -> Value) -> Value

  /// One of the integers that a sum is made of, such as the product of an activation and a weight.
  mutating func term<Number: FixedWidthInteger>(_ value: Number) -> Number

  /// One of the floats that a sum is made of.
  mutating func term(_ value: Float) -> Float

  /// One of the integers that a sum is made of, which comes from `elements[index]`; `name` is what
  /// these are called if no tensor holds them.
  mutating func term<Number: FixedWidthInteger, Element: TensorElement>(
    _ value: Number, of elements: Span<Element>, _ index: Int, named name: StaticString
  ) -> Number

  /// One of the floats that a sum is made of, which comes from `elements[index]`; `name` is what
  /// these are called if no tensor holds them.
  mutating func term<Element: TensorElement>(
    _ value: Float, of elements: Span<Element>, _ index: Int, named name: StaticString
  ) -> Float

  /// One of the floats that a sum is made of, which comes from `elements[index]`.
  mutating func term<Element: TensorElement>(
    _ value: Double, of elements: Span<Element>, _ index: Int
  ) -> Double

  /// One of the floats that a sum is made of: the product of `left[i]` and `right[j]`; `name` is
  /// what the left ones are called if no tensor holds them.
  mutating func term<Left: TensorElement, Right: TensorElement>(
    _ value: Float, of left: Span<Left>, _ i: Int, named name: StaticString,
    _ right: Span<Right>, _ j: Int
  ) -> Float

  /// One of the integers that a sum is made of: the product of `left[i]`, or of `quantized`, to
  /// which it was quantized, and `right[j]`; `name` is what the left ones are called if no tensor
  /// holds them.
  mutating func term<Number: FixedWidthInteger, Left: TensorElement, Right: TensorElement>(
    _ value: Number, of left: Span<Left>, _ i: Int, quantized: Int8?, named name: StaticString,
    _ right: Span<Right>, _ j: Int
  ) -> Number

  /// The element `elements[index]`, as a step of its own.
  @discardableResult
  mutating func element<Element: TensorElement>(
    _ name: @autoclosure () -> String, _ elements: Span<Element>, _ index: Int
  ) -> Element

  /// The bias `elements[index]`.
  mutating func bias<Element: TensorElement>(_ elements: Span<Element>, _ index: Int) -> Element

  /// The number of the first of `count` blocks of random words, which `claim` takes from a stream.
  /// An explanation gets the blocks that the run took.
  mutating func blocks(_ count: UInt64, _ claim: (UInt64) -> UInt64) -> UInt64

  /// An element of an input that goes into the result, by its flat index: for elements that are no
  /// Swift values of their own.
  mutating func read(element: Int, ofInput position: Int)

  /// The element `elements[index]`, which goes into the result.
  @discardableResult
  mutating func read<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element

  /// The element `elements[index]`, which becomes the result as it is, whatever its type.
  mutating func moved<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element

  /// An element of an input that becomes the result as it is, by its flat index.
  mutating func moved(element: Int, ofInput position: Int)

  /// The result is zero, or the empty string, where no element comes to.
  mutating func filled(_ text: @autoclosure () -> String)

  /// A string that the arithmetic has come to, with its name and where it comes from.
  mutating func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, string: [UInt8])

  /// The sum of the terms so far, which `noun` names in the plural.
  mutating func accumulator<Number: FixedWidthInteger>(_ sum: Number, of noun: StaticString)
    -> Number

  /// The sum of the terms so far, which `noun` names in the plural.
  mutating func accumulator(_ sum: Float, of noun: StaticString) -> Float

  /// `value` times a fixed-point factor; see `FixedPointMultiplier.scale(_:)` of 32 bits.
  mutating func scale(
    _ value: Int32, by multiplier: FixedPointMultiplier, _ name: @autoclosure () -> String
  ) -> Int32

  /// `value` times a fixed-point factor below 1; see `FixedPointMultiplier.scaleDown(_:)`.
  mutating func scaleDown(
    _ value: Int32, by multiplier: FixedPointMultiplier, _ name: @autoclosure () -> String
  ) -> Int32

  /// `value` times a fixed-point factor of which 16 bits count; see
  /// `FixedPointMultiplier.scale(_:)` of 64 bits.
  mutating func scaleWide(_ value: Int64, by multiplier: FixedPointMultiplier) -> Int32

  /// `value / 2^shift`, halves away from zero; see `FixedPointMultiplier.roundingShift`.
  mutating func shift(
    _ value: Int32, by shift: Int32, _ name: @autoclosure () -> String
  ) -> Int32

  /// The high 16 bits of `2ab`, halves up; see `FixedPoint.doublingHighProduct`.
  mutating func highProduct(
    _ a: Int16, _ b: Int16, _ name: @autoclosure () -> String
  ) -> Int16
}

/// The steps of a run: computed, and told to nobody.
package struct NoSteps: Steps {
  /// Steps that are told to nobody.
  @inline(__always)
  package init() {}

  @inline(__always)
  package var areTold: Bool { false }

  @inline(__always)
  package func about(
    _ elements: Range<Int>, step: Int, ofOutputs positions: ClosedRange<Int>
  ) {}

  @inline(__always)
  package func about(_ element: Int, ofOutputs positions: ClosedRange<Int>) {}

  @inline(__always)
  package func alsoAbout(_ element: Int, ofOutputs positions: ClosedRange<Int>) {}

  @inline(__always)
  package func part(_ name: @autoclosure () -> String) {}

  @inline(__always)
  @discardableResult
  package func note<Number: FixedWidthInteger>(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Number
  ) -> Number { value }

  @inline(__always)
  @discardableResult
  package func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Float
  ) -> Float { value }

  @inline(__always)
  @discardableResult
  package func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Double
  ) -> Double { value }

  @inline(__always)
  @discardableResult
  package func note<Element: TensorElement>(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, element: Element
  ) -> Element { element }

  @inline(__always)
  package func precomputed<Value>(
    _ value: Value, _ derive: (inout NoSteps) -> Value
  ) -> Value { value }

  @inline(__always)
  package func term<Number: FixedWidthInteger>(_ value: Number) -> Number { value }

  @inline(__always)
  package func term(_ value: Float) -> Float { value }

  @inline(__always)
  package func term<Number: FixedWidthInteger, Element: TensorElement>(
    _ value: Number, of elements: Span<Element>, _ index: Int, named name: StaticString
  ) -> Number { value }

  @inline(__always)
  package func term<Element: TensorElement>(
    _ value: Float, of elements: Span<Element>, _ index: Int, named name: StaticString
  ) -> Float { value }

  @inline(__always)
  package func term<Element: TensorElement>(
    _ value: Double, of elements: Span<Element>, _ index: Int
  ) -> Double { value }

  @inline(__always)
  package func term<Left: TensorElement, Right: TensorElement>(
    _ value: Float, of left: Span<Left>, _ i: Int, named name: StaticString,
    _ right: Span<Right>, _ j: Int
  ) -> Float { value }

  @inline(__always)
  package func term<Number: FixedWidthInteger, Left: TensorElement, Right: TensorElement>(
    _ value: Number, of left: Span<Left>, _ i: Int, quantized: Int8?, named name: StaticString,
    _ right: Span<Right>, _ j: Int
  ) -> Number { value }

  @inline(__always)
  @discardableResult
  package func element<Element: TensorElement>(
    _ name: @autoclosure () -> String, _ elements: Span<Element>, _ index: Int
  ) -> Element { elements[index] }

  @inline(__always)
  package func bias<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element { elements[index] }

  @inline(__always)
  package func blocks(_ count: UInt64, _ claim: (UInt64) -> UInt64) -> UInt64 { claim(count) }

  @inline(__always)
  package func read(element: Int, ofInput position: Int) {}

  @inline(__always)
  @discardableResult
  package func read<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element { elements[index] }

  @inline(__always)
  package func moved<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element { elements[index] }

  @inline(__always)
  package func moved(element: Int, ofInput position: Int) {}

  @inline(__always)
  package func filled(_ text: @autoclosure () -> String) {}

  @inline(__always)
  package func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, string: [UInt8]
  ) {}

  @inline(__always)
  package func accumulator<Number: FixedWidthInteger>(
    _ sum: Number, of noun: StaticString
  ) -> Number { sum }

  @inline(__always)
  package func accumulator(_ sum: Float, of noun: StaticString) -> Float { sum }

  @inline(__always)
  package func scale(
    _ value: Int32, by multiplier: FixedPointMultiplier, _ name: @autoclosure () -> String
  ) -> Int32 { multiplier.scale(value) }

  @inline(__always)
  package func scaleDown(
    _ value: Int32, by multiplier: FixedPointMultiplier, _ name: @autoclosure () -> String
  ) -> Int32 { multiplier.scaleDown(value) }

  @inline(__always)
  package func scaleWide(_ value: Int64, by multiplier: FixedPointMultiplier) -> Int32 {
    multiplier.scale(value)
  }

  @inline(__always)
  package func shift(
    _ value: Int32, by shift: Int32, _ name: @autoclosure () -> String
  ) -> Int32 { FixedPointMultiplier.roundingShift(value, by: shift) }

  @inline(__always)
  package func highProduct(
    _ a: Int16, _ b: Int16, _ name: @autoclosure () -> String
  ) -> Int16 { FixedPoint.doublingHighProduct(a, b) }
}

// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// The steps from the elements that were read to the stored value.
///
/// The methods compute what they write down, each by the definition of its step and not by the
/// kernel's own functions.
package struct StepList: Sendable {
  /// The steps so far.
  package private(set) var steps: [ExplainedStep] = []
  /// What the steps to come belong to.
  var part: String?
  /// Whether steps are only computed and not written down.
  var isSilent = false

  /// An empty list.
  package init() {}

  /// Writes down a step.
  mutating func add(
    _ name: String, _ text: @autoclosure () -> String, _ value: StoredValue,
    multiplier: FixedPointMultiplier? = nil
  ) {
    guard !isSilent else { return }
    steps.append(
      ExplainedStep(part: part, name: name, text: text(), value: value, multiplier: multiplier))
  }

  /// Writes down a step that comes to an integer, and returns it.
  @discardableResult
  mutating func add<Number: FixedWidthInteger>(
    _ name: String, _ text: @autoclosure () -> String, integer value: Number
  ) -> Number {
    add(name, text(), StoredValue(integer: value))
    return value
  }

  /// Writes down a step that comes to a float, and returns it.
  @discardableResult
  mutating func add(
    _ name: String, _ text: @autoclosure () -> String, float value: Float
  ) -> Float {
    add(name, text(), .float(value))
    return value
  }

  /// A code limited to `range`.
  mutating func clamp(_ value: Int32, _ range: ActivationRange<Int32>) -> Int32 {
    let result = Swift.min(Swift.max(value, range.lowest), range.highest)
    return add("clamp", "\(value) to \(range.lowest)...\(range.highest)", integer: result)
  }

  /// A float limited to `range`; nothing is written down where the range has every number.
  mutating func clamp(_ value: Float, _ range: ActivationRange<Float>) -> Float {
    let result = value < range.lowest ? range.lowest : value > range.highest ? range.highest : value
    let isBounded = range.lowest > -65504 || range.highest < 65504
    guard isBounded || !(result == value || value.isNaN) else { return result }
    return add("clamp", "\(value) to \(range.lowest)...\(range.highest)", float: result)
  }

  /// A number of steps of the output's scale as a code.
  package mutating func addZeroPoint(_ value: Int32, _ zeroPoint: Int32) -> Int32 {
    add("zero point", "\(value) + \(zeroPoint.operand)", integer: value &+ zeroPoint)
  }

  /// The value as an element of `type`, saturated.
  mutating func store<Element: FixedWidthInteger>(
    _ value: Int32, as type: Element.Type
  ) -> StoredValue {
    let stored = Element(clamping: value)
    let name = "\(Element.isSigned ? "Int" : "UInt")\(Element.bitWidth)"
    add("stored", "\(value) as \(name)", StoredValue(integer: stored))
    return StoredValue(integer: stored)
  }
}

extension FixedWidthInteger {
  /// The number as an operand behind a sign: negative ones in parentheses.
  var operand: String { self < 0 ? "(\(self))" : "\(self)" }
}

extension BinaryFloatingPoint where Self: CustomStringConvertible {
  /// The number as an operand behind a sign: negative ones in parentheses.
  var operand: String { sign == .minus ? "(\(self))" : "\(self)" }
}

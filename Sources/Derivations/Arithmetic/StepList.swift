// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
package import Tensors

/// The steps from the elements that were read to the stored value.
///
/// A kernel's arithmetic tells its steps to the list (see `Steps`). Fixed-point arithmetic is the
/// list's own, each step by its definition and not by the kernel's functions.
package struct StepList: Sendable {
  /// The steps so far.
  package private(set) var steps: [ExplainedStep] = []
  /// The terms that the arithmetic has told.
  var terms: [Term] = []
  /// The bias that the arithmetic has told.
  var bias: ReadElement?
  /// What a whole kernel works on that tells its steps.
  private(set) var run: Run?
  /// Whether terms are not those of the wanted element; after its own sum, none is.
  var dropsTerms = false
  /// Whether the wanted element was named together with others, to all of which terms belong.
  var hasGroup = false
  /// Whether what follows is about one element, and not about several together.
  var isAboutOne = false
  /// What the steps to come belong to.
  var part: String?
  /// Where the terms of that part begin.
  var partStart = 0
  /// Whether steps are only computed and not written down.
  var isSilent = false

  /// An empty list.
  package init() {}

  /// An empty list for the steps of one element of a node whose kernel works on `run`.
  init(of run: Run) { self.run = run }

  /// What a kernel works on while it tells how it computes one element.
  struct Run: Sendable {
    /// The element.
    let wanted: OutputLocation
    let inputs: [TensorBytes?]
    let outputs: [TensorBytes]
    let scratch: [TensorBytes]
    let inputTypes: [TensorType?]
    let outputTypes: [TensorType]

    /// The type of the wanted element.
    var elementType: ElementType { outputTypes[wanted.position].elementType }
  }

  /// One of the numbers that a sum is made of.
  struct Term: Sendable {
    /// The number; nil where it is the element itself.
    let value: StoredValue?
    /// The elements that it is the product of; none where they are known otherwise.
    let factors: [ReadElement]
    /// The sum that it belongs to, where there are several.
    let part: String?
  }

  /// Writes down a step.
  package mutating func add(
    _ name: String, _ text: @autoclosure () -> String, _ value: StoredValue,
    multiplier: FixedPointMultiplier? = nil
  ) {
    guard !isSilent else { return }
    steps.append(
      ExplainedStep(part: part, name: name, text: text(), value: value, multiplier: multiplier))
  }

  /// Writes down a step that comes to an integer, and returns it.
  @discardableResult
  package mutating func add<Number: FixedWidthInteger>(
    _ name: String, _ text: @autoclosure () -> String, integer value: Number
  ) -> Number {
    add(name, text(), StoredValue(integer: value))
    return value
  }

  /// Writes down a step that comes to a float, and returns it.
  @discardableResult
  package mutating func add(
    _ name: String, _ text: @autoclosure () -> String, float value: Float
  ) -> Float {
    add(name, text(), .float(value))
    return value
  }
}

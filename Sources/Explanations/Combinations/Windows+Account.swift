// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

extension WindowReduction {
  /// The elements of the window of an output, as flat indices of the tensor with its padding.
  fileprivate func elements(ofWindow output: Int) -> [Int] {
    var start = 0
    var rest = output
    for axis in axes.reversed() {
      start += rest % axis.count * axis.windowStride
      rest /= axis.count
    }
    return axes.reduce([start]) { places, axis in
      places.flatMap { place in (0..<axis.window).map { place + $0 * axis.elementStride } }
    }
  }

  /// For each element of the tensor with its padding, the element that lies there; nil in gaps.
  fileprivate func origins(inputCount: Int) -> [Int?]? {
    guard let padding else { return nil }
    let numbers = TensorBytes.indices(count: inputCount)
    let padded = TensorBytes(zeroed: padding.shape.elementCount * MemoryLayout<UInt32>.stride)
    var places = padded.mutableSpan(as: UInt32.self)
    for index in places.indices { places[index] = .max }
    padding.box.copy(numbers.span(as: UInt32.self), into: &places)
    return places.indices.map { places[$0] == .max ? nil : Int(places[$0]) }
  }
}

extension WindowFunction {
  fileprivate var name: String { "\(self)" }

  /// Two elements combined; the second counts where neither is beyond the other.
  fileprivate func combined(
    _ left: StoredValue, _ right: StoredValue, _ type: ElementType
  ) -> StoredValue {
    let arithmetic = StoredArithmetic(type: type)
    switch self {
    case .sum: return arithmetic.sum(left, right)
    case .product: return arithmetic.product(left, right)
    case .maximum: return right.precedes(left) || left.isEqual(to: right) ? left : right
    case .minimum: return left.precedes(right) || left.isEqual(to: right) ? left : right
    case .all: return one(left.isNonZero && right.isNonZero, type)
    case .any: return one(left.isNonZero || right.isNonZero, type)
    }
  }

  private func one(_ condition: Bool, _ type: ElementType) -> StoredValue {
    if type == .float32 { return .float(condition ? 1 : 0) }
    return type == .float64 ? .double(condition ? 1 : 0) : .integer(condition ? 1 : 0)
  }
}

extension StoredValue {
  /// Whether both are the same number.
  fileprivate func isEqual(to other: StoredValue) -> Bool {
    guard let left = number, let right = other.number, left == right else { return false }
    return !precedes(other) && !other.precedes(self)
  }
}

extension WindowReductionLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let initial = node.term(1, 0), let count = node.shape(0)?.elementCount,
      let start = node.value(1, 0, as: Element.self)
    else { return nil }
    let origins = reduction.origins(inputCount: count)
    var terms = [initial]
    var values: [StoredValue] = []
    for place in reduction.elements(ofWindow: output.flat) {
      guard let origin = origins.map({ $0[place] }) ?? place else {
        terms.append(initial)
        values.append(StoredValue(start))
        continue
      }
      guard let term = node.term(0, origin), let value = node.value(0, origin, as: Element.self)
      else { return nil }
      terms.append(term)
      values.append(StoredValue(value))
    }
    let gapCount = terms.count(where: { $0.factors[0].input == 1 }) - 1
    var steps = StepList()
    let result = steps.fold(
      values, from: StoredValue(start), reduction.function.name,
      "of \(values.count) elements of the window"
        + (gapCount > 0 ? ", \(gapCount) of them padding," : "") + " from \(initial.digits) on"
    ) { reduction.function.combined($0, $1, Element.elementType) }
    // Truth values are computed with as bytes.
    let stored = node.elementType(of: output) == .bool ? .integer(result.isNonZero ? 1 : 0) : result
    return NodeAccount(terms: terms, steps: steps, result: stored)
  }
}

extension ExplainedTerm {
  fileprivate var digits: String { factors[0].element.stored.digits }
}

extension Combination {
  /// Two elements combined.
  fileprivate func combined(
    _ left: StoredValue, _ right: StoredValue, _ type: ElementType
  ) -> StoredValue {
    let arithmetic = StoredArithmetic(type: type)
    return switch self {
    case .replacement: right
    case .sum: arithmetic.sum(left, right)
    case .product: arithmetic.product(left, right)
    case .maximum: left.precedes(right) ? right : left
    case .minimum: right.precedes(left) ? right : left
    case .bitwiseAnd: arithmetic.common(left, right)
    }
  }

  fileprivate var name: String { self == .bitwiseAnd ? "common bits" : "\(self)" }
}

extension CombinationLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let left = node.term(0, output.flat), let right = node.term(1, output.flat) else {
      return nil
    }
    let (a, b) = (left.factors[0].element.stored, right.factors[0].element.stored)
    var steps = StepList()
    steps.add(
      combination.name, "of \(a.digits) and \(b.digits)",
      combination.combined(a, b, Element.elementType))
    return NodeAccount([left, right], steps)
  }
}

extension ShiftLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let left = node.term(0, output.flat), let right = node.term(1, output.flat),
      let value = node.value(0, output.flat, as: Element.self),
      let count = node.value(1, output.flat, as: Element.self)
    else { return nil }
    var steps = StepList()
    let places = steps.add(
      "count", "the five lowest bits of \(count)", integer: UInt32(truncatingIfNeeded: count) & 31)
    let product = Int64(value) << Int64(places)
    steps.add(
      "shift", "\(value.operand) × 2^\(places) at \(Element.bitWidth) bits",
      integer: Element(truncatingIfNeeded: Int32(truncatingIfNeeded: product)))
    return NodeAccount([left, right], steps)
  }
}

extension WindowScatterLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let initial = node.term(0, output.flat),
      let updateCount = node.shape(2)?.elementCount
    else { return nil }
    let wanted = shape.index(ofFlat: output.flat)
    var updates: [ExplainedTerm] = []
    var walk = IndexedWindows.Walk(windows, rank: shape.rank)
    for position in 0..<updateCount {
      if try place(of: walk, in: node) == wanted, let term = node.term(2, position) {
        updates.append(term)
      }
      if !walk.next() { break }
    }
    var steps = StepList()
    let result = steps.fold(
      updates.map(\.factors[0].element.stored), from: initial.factors[0].element.stored,
      combination.name, "of the element and the \(updates.count) updates whose indices lead here"
    ) { combination.combined($0, $1, Element.elementType) }
    return NodeAccount(terms: [initial] + updates, steps: steps, result: result)
  }

  /// Where the update that `walk` stands at goes; it may lie outside of the tensor.
  private func place(
    of walk: IndexedWindows.Walk, in node: EvaluatedNode
  ) throws(KernelError) -> [Int]? {
    var place = walk.offsets
    for (component, axis) in windows.components.enumerated() {
      let at = walk.vector + component * windows.componentStride
      guard let start = node.value(1, at, as: Index.self) else { return nil }
      place[axis] = place[axis].addingReportingOverflow(Int(clamping: start)).partialValue
    }
    return place
  }
}

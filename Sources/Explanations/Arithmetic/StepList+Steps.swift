// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
package import Tensors

/// The list as what a kernel's arithmetic tells its steps to.
extension StepList: Steps {
  package var areTold: Bool { true }

  package mutating func about(
    _ elements: Range<Int>, step: Int, ofOutputs positions: ClosedRange<Int>
  ) {
    isSilent =
      !(isWanted(positions) { wanted in
        elements.contains(wanted) && (wanted - elements.lowerBound).isMultiple(of: step)
      })
    dropsTerms = isSilent
    isAboutOne = false
    hasGroup = !isSilent
  }

  package mutating func about(_ element: Int, ofOutputs positions: ClosedRange<Int>) {
    isSilent = !(isWanted(positions) { $0 == element })
    isAboutOne = true
    if !hasGroup { dropsTerms = isSilent }
  }

  private func isWanted(_ positions: ClosedRange<Int>, _ includes: (Int) -> Bool) -> Bool {
    wanted.map { positions.contains($0.position) && includes($0.flat) } ?? true
  }

  @discardableResult
  package mutating func note<Number: FixedWidthInteger>(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Number
  ) -> Number {
    add(name(), text(), StoredValue(integer: value))
    return value
  }

  @discardableResult
  package mutating func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Float
  ) -> Float {
    add(name(), text(), .float(value))
    return value
  }

  @discardableResult
  package mutating func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, _ value: Double
  ) -> Double {
    add(name(), text(), .double(value))
    return value
  }

  @discardableResult
  package mutating func note<Element: TensorElement>(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, element: Element
  ) -> Element {
    add(name(), text(), StoredValue(element))
    return element
  }

  package mutating func precomputed<Value>(
    _ value: Value, _ derive: (inout StepList) -> Value
  ) -> Value { derive(&self) }

  package mutating func term<Number: FixedWidthInteger>(_ value: Number) -> Number {
    append(StoredValue(integer: value))
    return value
  }

  package mutating func term(_ value: Float) -> Float {
    append(.float(value))
    return value
  }

  package mutating func term<Number: FixedWidthInteger, Element: TensorElement>(
    _ value: Number, of elements: Span<Element>, _ index: Int
  ) -> Number {
    let source = dropsTerms ? nil : origin(of: elements, index)
    append(StoredValue(integer: value), source)
    return value
  }

  package mutating func term<Element: TensorElement>(
    _ value: Float, of elements: Span<Element>, _ index: Int
  ) -> Float {
    let source = dropsTerms ? nil : origin(of: elements, index)
    append(.float(value), source)
    return value
  }

  package mutating func term<Element: TensorElement>(
    _ value: Double, of elements: Span<Element>, _ index: Int
  ) -> Double {
    let source = dropsTerms ? nil : origin(of: elements, index)
    append(.double(value), source)
    return value
  }

  package mutating func term<Left: TensorElement, Right: TensorElement>(
    _ value: Float, of left: Span<Left>, _ i: Int, _ right: Span<Right>, _ j: Int
  ) -> Float {
    guard !dropsTerms else { return value }
    let sources = [origin(of: left, i), origin(of: right, j)].compactMap { $0 }
    terms.append(Term(value: .float(value), sources: sources))
    return value
  }

  @discardableResult
  package mutating func bias<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element {
    if !isSilent { bias = origin(of: elements, index) }
    return elements[index]
  }

  package mutating func blocks(_ count: UInt64, _ claim: (UInt64) -> UInt64) -> UInt64 {
    claim(0) &- count
  }

  package mutating func read(element: Int, ofInput position: Int) {
    guard !isSilent else { return }
    terms.append(Term(value: nil, sources: [ElementOrigin(input: position, flat: element)]))
  }

  @discardableResult
  package mutating func read<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element {
    if !isSilent {
      terms.append(Term(value: nil, sources: origin(of: elements, index).map { [$0] } ?? []))
    }
    return elements[index]
  }

  package mutating func moved<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element {
    if !isSilent, let origin = origin(of: elements, index) {
      moved(element: origin.flat, ofInput: origin.input)
    }
    return elements[index]
  }

  package mutating func moved(element: Int, ofInput position: Int) {
    guard !isSilent, let type = types?.inputs[position], let bytes = inputs[position],
      let value = StoredValue(type, bytes, at: element)
    else { return }
    read(element: element, ofInput: position)
    add("moved", "the element as it is", value)
  }

  package mutating func filled(_ text: @autoclosure () -> String) {
    guard !isSilent, let type = types?.output else { return }
    let zero = TensorBytes(zeroed: max((type.bitCount ?? 0) / 8, 1))
    add("filled", text(), StoredValue(type, zero, at: 0) ?? .string([]))
  }

  package mutating func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, string: [UInt8]
  ) { add(name(), text(), .string(string)) }

  private mutating func append(_ value: StoredValue, _ source: ElementOrigin? = nil) {
    if !dropsTerms { terms.append(Term(value: value, sources: source.map { [$0] } ?? [])) }
  }

  /// Which element of which input `elements[index]` is, found by its address.
  private func origin<Element: TensorElement>(
    of elements: Span<Element>, _ index: Int
  ) -> ElementOrigin? {
    let address = unsafe elements.withUnsafeBytes { bytes in
      UInt(bitPattern: bytes.baseAddress)
    }
    let stride = MemoryLayout<Element>.stride
    for case (let position, let input?) in zip(0..., inputs) {
      let start = unsafe UInt(bitPattern: input.address)
      guard start..<start + UInt(input.byteCount) ~= address else { continue }
      return ElementOrigin(input: position, flat: Int(address - start) / stride + index)
    }
    return nil
  }

  /// The sum of the terms written down so far, which wraps at the width of `sum`.
  package mutating func accumulator<Number: FixedWidthInteger>(
    _ sum: Number, of noun: StaticString
  ) -> Number {
    guard !isSilent else { return sum }
    var own: Number = 0
    for term in terms {
      if case .integer(let value)? = term.value { own &+= Number(truncatingIfNeeded: value) }
    }
    dropsTerms = isAboutOne
    let count = terms.count
    return note("accumulator", "sum of \(count) \(noun)", own)
  }

  /// The sum of the terms written down so far, one by one in their order, from zero on.
  package mutating func accumulator(_ sum: Float, of noun: StaticString) -> Float {
    guard !isSilent else { return sum }
    var own: Float = 0
    for term in terms {
      if case .float(let value)? = term.value { own += value }
    }
    dropsTerms = isAboutOne
    let count = terms.count
    return note("accumulator", "sum of \(count) \(noun) in float32, in this order", own)
  }

  package mutating func highProduct(
    _ a: Int16, _ b: Int16, _ name: @autoclosure () -> String
  ) -> Int16 {
    let rounded = (Int64(a) * Int64(b) + (1 << 14)) >> 15
    return note(
      name(), "round(\(a) × \(b.operand) / 2^15), halves up", Int16(clamping: rounded))
  }
}

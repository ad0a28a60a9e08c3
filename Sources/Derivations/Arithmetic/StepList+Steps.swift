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

  package mutating func alsoAbout(_ element: Int, ofOutputs positions: ClosedRange<Int>) {
    guard isWanted(positions, { $0 == element }) else { return }
    isSilent = false
    dropsTerms = false
  }

  package mutating func part(_ name: @autoclosure () -> String) {
    part = name()
    partStart = terms.count
    hasGroup = false
    dropsTerms = isSilent
  }

  private func isWanted(_ positions: ClosedRange<Int>, _ includes: (Int) -> Bool) -> Bool {
    run.map { positions.contains($0.wanted.position) && includes($0.wanted.flat) } ?? true
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
    _ value: Number, of elements: Span<Element>, _ index: Int, named name: StaticString
  ) -> Number {
    append(StoredValue(integer: value), dropsTerms ? nil : read(elements, index, name))
    return value
  }

  package mutating func term<Element: TensorElement>(
    _ value: Float, of elements: Span<Element>, _ index: Int, named name: StaticString
  ) -> Float {
    append(.float(value), dropsTerms ? nil : read(elements, index, name))
    return value
  }

  package mutating func term<Element: TensorElement>(
    _ value: Double, of elements: Span<Element>, _ index: Int
  ) -> Double {
    append(.double(value), dropsTerms ? nil : read(elements, index, "number"))
    return value
  }

  package mutating func term<Left: TensorElement, Right: TensorElement>(
    _ value: Float, of left: Span<Left>, _ i: Int, named name: StaticString,
    _ right: Span<Right>, _ j: Int
  ) -> Float {
    guard !dropsTerms else { return value }
    append(.float(value), read(left, i, name), read(right, j, "number"))
    return value
  }

  package mutating func term<
    Number: FixedWidthInteger, Left: TensorElement, Right: TensorElement
  >(
    _ value: Number, of left: Span<Left>, _ i: Int, quantized: Int8?, named name: StaticString,
    _ right: Span<Right>, _ j: Int
  ) -> Number {
    guard !dropsTerms else { return value }
    var factor = read(left, i, name)
    if let quantized { factor?.quantized = Int(quantized) }
    append(StoredValue(integer: value), factor, read(right, j, "number"))
    return value
  }

  @discardableResult
  package mutating func element<Element: TensorElement>(
    _ name: @autoclosure () -> String, _ elements: Span<Element>, _ index: Int
  ) -> Element {
    if !isSilent, let read = read(elements, index, "number") {
      let location = run?.index(of: read) ?? [read.flat]
      add(name(), "\(read.source) \(location.indexText)", StoredValue(elements[index]))
    }
    return elements[index]
  }

  @discardableResult
  package mutating func bias<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element {
    if !isSilent { bias = read(elements, index, "number") }
    return elements[index]
  }

  package mutating func blocks(_ count: UInt64, _ claim: (UInt64) -> UInt64) -> UInt64 {
    claim(0) &- count
  }

  package mutating func read(element: Int, ofInput position: Int) {
    guard !isSilent else { return }
    append(nil, ReadElement(source: .input(position), flat: element))
  }

  @discardableResult
  package mutating func read<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element {
    if !isSilent { append(nil, read(elements, index, "number")) }
    return elements[index]
  }

  package mutating func moved<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int
  ) -> Element {
    if !isSilent, let read = read(elements, index, "number") {
      append(nil, read)
      add("moved", "the element as it is", read.stored ?? StoredValue(elements[index]))
    }
    return elements[index]
  }

  package mutating func moved(element: Int, ofInput position: Int) {
    guard !isSilent, let run, let type = run.inputTypes[position],
      let bytes = run.inputs[position],
      let value = StoredValue(type.elementType, bytes, at: element)
    else { return }
    read(element: element, ofInput: position)
    add("moved", "the element as it is", value)
  }

  package mutating func filled(_ text: @autoclosure () -> String) {
    guard !isSilent, let type = run?.elementType else { return }
    let zero = TensorBytes(zeroed: max((type.bitCount ?? 0) / 8, 1))
    add("filled", text(), StoredValue(type, zero, at: 0) ?? .string([]))
  }

  package mutating func note(
    _ name: @autoclosure () -> String, _ text: @autoclosure () -> String, string: [UInt8]
  ) { add(name(), text(), .string(string)) }

  private mutating func append(_ value: StoredValue?, _ factors: ReadElement?...) {
    guard !(value == nil ? isSilent : dropsTerms) else { return }
    terms.append(Term(value: value, factors: factors.compactMap { $0 }, part: part))
  }

  /// Which element `elements[index]` is, found by its address.
  private func read<Element: TensorElement>(
    _ elements: Span<Element>, _ index: Int, _ name: StaticString
  ) -> ReadElement? {
    let address = unsafe elements.withUnsafeBytes { bytes in
      UInt(bitPattern: bytes.baseAddress)
    }
    return run?.element(
      at: address, stride: MemoryLayout<Element>.stride, index, name,
      isSigned: Element.elementType == .int8, StoredValue(elements[index]))
  }

  /// The sum of the terms written down so far, which wraps at the width of `sum`.
  package mutating func accumulator<Number: FixedWidthInteger>(
    _ sum: Number, of noun: StaticString
  ) -> Number {
    guard !isSilent else { return sum }
    var own: Number = 0
    for term in terms[partStart...] {
      if case .integer(let value)? = term.value { own &+= Number(truncatingIfNeeded: value) }
    }
    dropsTerms = isAboutOne
    let count = terms.count - partStart
    return note("accumulator", "sum of \(count) \(noun)", own)
  }

  /// The sum of the terms written down so far, one by one in their order, from zero on.
  package mutating func accumulator(_ sum: Float, of noun: StaticString) -> Float {
    guard !isSilent else { return sum }
    var own: Float = 0
    for term in terms[partStart...] {
      if case .float(let value)? = term.value { own += value }
    }
    dropsTerms = isAboutOne
    let count = terms.count - partStart
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

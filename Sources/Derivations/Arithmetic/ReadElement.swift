// SPDX-License-Identifier: Apache-2.0

import Tensors

/// An element that a kernel read while it told its steps.
struct ReadElement: Sendable {
  /// Where it stands.
  let source: ExplainedTerm.Factor.Source
  /// Its flat index there.
  let flat: Int
  /// What it was then; nil where only its index is known.
  var stored: StoredValue?
  /// The quantized value that counts where it is not the stored value.
  var quantized: Int?
}

extension StepList.Run {
  /// The element `index` behind an address: of an input, of an output, or one that no tensor holds.
  ///
  /// The last kind is called `name`. The kernel reads the element as `value`, which is a signed byte
  /// or not.
  func element(
    at address: UInt, stride: Int, _ index: Int, _ name: StaticString, isSigned: Bool,
    _ value: StoredValue
  ) -> ReadElement? {
    func flat(_ bytes: TensorBytes) -> Int? {
      let start = unsafe UInt(bitPattern: bytes.address)
      guard start..<start + UInt(bytes.byteCount) ~= address else { return nil }
      return Int(address - start) / stride + index
    }
    for case (let position, let bytes?) in zip(0..., inputs) {
      guard let flat = flat(bytes) else { continue }
      let type = inputTypes[position]?.elementType
      return ReadElement(
        source: .input(position), flat: flat,
        stored: type.flatMap { StoredValue($0, bytes, at: flat) },
        quantized: type == .uint8 && isSigned ? value.integer : nil)
    }
    for (position, bytes) in outputs.enumerated() {
      guard let flat = flat(bytes) else { continue }
      return ReadElement(
        source: .output(position), flat: flat,
        stored: StoredValue(outputTypes[position].elementType, bytes, at: flat))
    }
    for bytes in scratch {
      guard let flat = flat(bytes) else { continue }
      return ReadElement(source: .computed("\(name)"), flat: flat, stored: value)
    }
    return nil
  }

  /// The index of an element along each axis of its tensor.
  func index(of read: ReadElement) -> [Int]? {
    switch read.source {
    case .input(let position): inputTypes[position]?.shape.index(ofFlat: read.flat)
    case .output(let position): outputTypes[position].shape.index(ofFlat: read.flat)
    case .computed: nil
    }
  }
}

extension EvaluatedNode {
  /// An element that was read, as a factor of a term.
  func factor(_ read: ReadElement) -> ExplainedTerm.Factor? {
    guard let element = element(read) else { return nil }
    return ExplainedTerm.Factor(
      source: read.source, element: element, quantized: read.quantized)
  }

  private func element(_ read: ReadElement) -> ExplainedElement? {
    let tensor: EvaluatedTensor?
    switch read.source {
    case .input(let position): tensor = input(position)
    case .output(let position): tensor = outputs[position]
    case .computed:
      return read.stored.map {
        ExplainedElement(index: [read.flat], flatIndex: read.flat, stored: $0, real: nil)
      }
    }
    guard let tensor, let element = tensor.element(read.flat) else { return nil }
    guard let stored = read.stored else { return element }
    return ExplainedElement(
      index: element.index, flatIndex: read.flat, stored: stored,
      real: tensor.tensor.type.real(stored, at: element.index))
  }
}

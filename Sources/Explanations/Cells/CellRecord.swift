// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// Consecutive numbers that a cell reads, and where they stand.
struct CellVector<Element: TensorElement> {
  let source: ExplainedTerm.Factor.Source
  /// The flat index of the first one there.
  let start: Int
  var elements: [Element]

  /// The element at `index` alone, if there is one.
  func only(_ index: Int) -> CellVector {
    CellVector(
      source: source, start: start + index,
      elements: elements.indices.contains(index) ? [elements[index]] : [])
  }
}

extension EvaluatedNode {
  /// A part of a tensor of the node; without elements where the tensor has no such part.
  func vector<Element: TensorElement>(
    _ source: ExplainedTerm.Factor.Source, from start: Int, count: Int,
    as type: Element.Type = Element.self
  ) -> CellVector<Element> {
    var elements: [Element] = []
    if let bytes = tensor(source)?.bytes {
      let values = bytes.span(as: type)
      if start >= 0, start + count <= values.count {
        elements.reserveCapacity(count)
        for index in start..<start + count { elements.append(values[index]) }
      }
    }
    return CellVector(source: source, start: start, elements: elements)
  }

  /// A row of a matrix of weights.
  func row<Element: TensorElement>(
    _ row: Int, of position: Int, count: Int, as type: Element.Type = Element.self
  ) -> CellVector<Element> {
    vector(.input(position), from: row * count, count: count)
  }

  fileprivate func tensor(_ source: ExplainedTerm.Factor.Source) -> EvaluatedTensor? {
    switch source {
    case .input(let position): input(position)
    case .output(let position): outputs.indices.contains(position) ? outputs[position] : nil
    case .computed: nil
    }
  }

  /// One of a vector's elements.
  fileprivate func factor<Element: TensorElement>(
    _ vector: CellVector<Element>, _ index: Int, quantized: Int? = nil
  ) -> ExplainedTerm.Factor {
    let flat = vector.start + index
    // What no tensor holds is numbered.
    let element =
      tensor(vector.source)?.element(flat)
      ?? ExplainedElement(
        index: [flat], flatIndex: flat, stored: StoredValue(vector.elements[index]), real: nil)
    return ExplainedTerm.Factor(
      source: vector.source, element: element,
      quantized: quantized ?? signedQuantized(vector, index))
  }
}

extension EvaluatedNode {
  /// What one of a vector's bytes is read as, where the tensor's are unsigned.
  private func signedQuantized<Element: TensorElement>(
    _ vector: CellVector<Element>, _ index: Int
  ) -> Int? {
    guard tensor(vector.source)?.tensor.type.elementType == .uint8,
      let quantized = vector.elements[index] as? Int8
    else { return nil }
    return Int(quantized)
  }
}

/// What is written down about one cell: the products of its sums, and its steps.
///
/// Cells that share something, such as a projection, are all computed, but only one is shown; of
/// earlier steps of a sequence none is.
struct CellRecord {
  let node: EvaluatedNode
  /// The cell that is shown; nil while none is.
  var shown: Int?
  private(set) var terms: [ExplainedTerm] = []
  var steps = StepList()

  /// A record of a cell of `node`; of none for now.
  init(_ node: EvaluatedNode) {
    self.node = node
    steps.isSilent = true
  }

  /// Writes down what follows if it is about the cell that is shown.
  mutating func follow(_ cell: Int) { steps.isSilent = cell != shown }

  /// Writes down what follows if any cell is shown.
  mutating func followAll() { steps.isSilent = shown == nil }

  /// What comes of the record: the value, and what the list leaves out.
  func derivation(_ result: StoredValue, remark: String? = nil) -> NodeDerivation {
    NodeDerivation(terms: terms, steps: steps, result: result, remark: remark)
  }

  /// An element of an input as a step of its own.
  mutating func element<Element: TensorElement>(
    _ name: String, _ position: Int, _ index: Int, as type: Element.Type = Element.self
  ) -> Element? {
    guard let value = node.value(position, index, as: type) else { return nil }
    tell(name, at: .input(position), index, StoredValue(value))
    return value
  }

  /// Writes down a value as a step that tells where it stands: `input 3 [0,5]`.
  mutating func tell(
    _ name: String, at source: ExplainedTerm.Factor.Source, _ flat: Int, _ value: StoredValue
  ) {
    guard !steps.isSilent else { return }
    let index = node.tensor(source)?.element(flat)?.index ?? [flat]
    steps.add(name, "\(source) \(index.indexText)", value)
  }

  /// Lists terms of one element each.
  mutating func list<Element: TensorElement>(_ vector: CellVector<Element>) {
    guard !steps.isSilent else { return }
    terms += vector.elements.indices.map { index in
      ExplainedTerm(factors: [node.factor(vector, index)], value: nil, part: steps.part)
    }
  }

  /// Lists the products of two vectors, the first as these quantized values if it was quantized.
  mutating func list<Left: TensorElement, Right: TensorElement, Product>(
    _ left: CellVector<Left>, quantizedValues: [Int8]? = nil, _ right: CellVector<Right>,
    _ products: [Product], _ value: (Product) -> StoredValue
  ) {
    guard !steps.isSilent else { return }
    for index in products.indices {
      terms.append(
        ExplainedTerm(
          factors: [
            node.factor(left, index, quantized: quantizedValues.map { Int($0[index]) }),
            node.factor(right, index),
          ],
          value: value(products[index]), part: steps.part))
    }
  }
}

extension CellRecord {
  /// The products of floats, listed.
  mutating func products(_ left: CellVector<Float>, _ right: CellVector<Float>) -> [Float] {
    let products = zip(left.elements, right.elements).map { $0 * $1 }
    list(left, right, products) { .float($0) }
    return products
  }

  /// The products of quantized values less their zero points, listed.
  mutating func products<Left, Right>(
    _ left: CellVector<Left>, zeroPoint: Int32 = 0, _ right: CellVector<Right>,
    zeroPoint rightZeroPoint: Int32 = 0
  ) -> [Int]
  where Left: TensorElement & FixedWidthInteger, Right: TensorElement & FixedWidthInteger {
    let products = zip(left.elements, right.elements).map {
      (Int($0) - Int(zeroPoint)) * (Int($1) - Int(rightZeroPoint))
    }
    list(left, right, products) { .integer($0) }
    return products
  }

  /// The products of a vector's quantized values and a row of weights, added up in 32 bits.
  mutating func sum(
    _ vector: CellVector<Int8>, zeroPoint: Int32, row: Int, of position: Int
  ) -> Int32 {
    let weights = node.row(row, of: position, count: vector.elements.count, as: Int8.self)
    let products = products(vector, zeroPoint: zeroPoint, weights)
    steps.add("input zero point", "the quantized value of zero", integer: zeroPoint)
    return steps.sum(products, as: Int32.self)
  }

  /// The position of the largest of the listed products.
  var largestProduct: Int? {
    terms.indices.max { magnitude(of: $0) < magnitude(of: $1) }
  }

  private func magnitude(of term: Int) -> Double { abs(terms[term].value?.number ?? 0) }
}

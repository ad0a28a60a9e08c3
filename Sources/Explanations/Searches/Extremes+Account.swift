// SPDX-License-Identifier: Apache-2.0

import ReferenceKernels
import Tensors

/// The first of the largest or smallest of some elements.
struct ExtremeSearch {
  /// The element.
  let value: StoredValue
  /// Its place among the elements.
  let place: Int

  /// The search among `elements`, from the first one on or from `start`, whose place is 0.
  ///
  /// A float that is no number never wins, and loses to the next number; `start` is a number.
  init?(of elements: [StoredValue], isMaximum: Bool, from start: StoredValue? = nil) {
    guard var best = start ?? elements.first else { return nil }
    var place = 0
    for (index, element) in elements.enumerated() {
      let isBetter = isMaximum ? best.precedes(element) : element.precedes(best)
      if isBetter || (best.isNaN && !element.isNaN) { (best, place) = (element, index) }
    }
    (value, self.place) = (best, place)
  }
}

extension StoredValue {
  /// Whether the value is a float that is no number.
  var isNaN: Bool { number?.isNaN ?? false }
}

extension StepList {
  /// Writes down the first of the largest or smallest elements.
  mutating func tell(_ search: ExtremeSearch, isMaximum: Bool, count: Int) {
    add(
      isMaximum ? "maximum" : "minimum",
      "of \(count) elements; the first of equal ones counts", search.value)
  }
}

extension ArgMinMaxLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let (outer, inner) = output.flat.quotientAndRemainder(dividingBy: loops.innerCount)
    let places = (0..<loops.length).map {
      (outer * loops.length + $0) * loops.innerCount + inner
    }
    let elements = node.storedValues(0, places)
    guard let search = ExtremeSearch(of: elements, isMaximum: isMaximum) else { return nil }
    var steps = StepList()
    steps.tell(search, isMaximum: isMaximum, count: elements.count)
    steps.add(
      "place", "of that element along the axis", integer: Index(truncatingIfNeeded: search.place))
    return NodeAccount(node.terms(0, places), steps)
  }
}

extension ArgmaxPoolLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    let index = node.index(of: output)
    let (rows, columns) = (geometry.rows, geometry.columns)
    let (top, left) = (rows.origin(index[1]), columns.origin(index[2]))
    var taps: [(place: Int, flat: Int)] = []
    for row in rows.taps(from: top) {
      for column in columns.taps(from: left) {
        let pixel = (index[0] * rows.input + top + row) * columns.input + left + column
        taps.append((row * columns.window + column, pixel * depth + index[3]))
      }
    }
    let elements = node.storedValues(0, taps.map(\.flat))
    let least = StoredValue.float(-.greatestFiniteMagnitude)
    guard let search = ExtremeSearch(of: elements, isMaximum: true, from: least) else { return nil }
    var steps = StepList()
    steps.tell(search, isMaximum: true, count: elements.count)
    let terms = node.terms(0, taps.map(\.flat))
    if output.position == 0 {
      guard case .float(let maximum) = search.value else { return nil }
      let clamped = steps.activate(maximum, range)
      return NodeAccount(terms: terms, steps: steps, result: .float(clamped))
    }
    // Where nothing beats the least finite number, the place stays 0.
    let place = search.value == least ? 0 : taps[search.place].place
    steps.add(
      "place", "row × \(columns.window) + column in the window", integer: place)
    _ = steps.add("mark", "\(place) + 0.1", float: Float(place) + 0.1)
    return NodeAccount(terms, steps)
  }
}

extension TopKLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard rows.count > 0, rows.rowLength > 0 else { return nil }
    let (row, rank) = output.flat.quotientAndRemainder(dividingBy: rows.count)
    let places = row * rows.rowLength..<(row + 1) * rows.rowLength
    let elements = node.storedValues(0, places)
    guard elements.count == rows.rowLength else { return nil }
    let order = elements.indices.sorted { Self.goesFirst($0, $1, elements) }
    let place = order[rank]
    var steps = StepList()
    steps.add(
      "rank", "elements of the row that are larger, or equal and before it", integer: rank)
    steps.add("element", "the one of that rank", elements[place])
    if output.position == 1 {
      steps.add("place", "of that element in the row", integer: Index(truncatingIfNeeded: place))
    }
    return NodeAccount(node.terms(0, places), steps)
  }

  /// Larger ones go first, of equal ones the first; those that are no numbers come last.
  private static func goesFirst(_ left: Int, _ right: Int, _ elements: [StoredValue]) -> Bool {
    let (a, b) = (elements[left], elements[right])
    guard a.isNaN == b.isNaN else { return b.isNaN }
    if b.precedes(a) { return true }
    return a.precedes(b) ? false : left < right
  }
}

/// An element that an unpooling puts somewhere.
private struct Unpooled {
  /// The flat index of the element.
  let source: Int
  /// Where it goes; nil where it is dropped.
  let target: Int?
}

extension EvaluatedNode {
  /// The element of an unpooling's output: the last one that goes there, or zero.
  fileprivate func account(
    of output: OutputPlace, unpooling elements: [Unpooled]
  ) -> NodeAccount? {
    let sources = elements.filter { $0.target == output.flat }.map(\.source)
    var terms: [ExplainedTerm] = []
    for source in sources {
      guard let maximum = factor(0, source), let place = factor(1, source) else { return nil }
      terms.append(ExplainedTerm(factors: [maximum, place], value: nil))
    }
    var steps = StepList()
    steps.add("count", "elements whose places lead here", integer: sources.count)
    guard let last = terms.last else {
      steps.add("filled", "zero where no element comes to", .float(0))
      return NodeAccount(terms, steps)
    }
    steps.add("moved", "the last of them as it is", last.factors[0].element.stored)
    return NodeAccount(terms, steps)
  }
}

extension UnpoolLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let places = node.values(1, as: Float.self), let shape = node.shape(1) else { return nil }
    let elements = places.indices.map { source in
      Unpooled(source: source, target: target(of: places[source], at: shape.index(ofFlat: source)))
    }
    return node.account(of: output, unpooling: elements)
  }

  /// Where the element at `index` goes that lies at `place` of its window; nil beyond the output.
  private func target(of place: Float, at index: [Int]) -> Int? {
    guard let place = Int32(exactly: place.rounded(.towardZero)) else { return nil }
    let (down, right) = Int(place).quotientAndRemainder(dividingBy: columns.window)
    let row = index[1] * rows.stride - rows.padding + down
    let column = index[2] * columns.stride - columns.padding + right
    guard 0..<rows.output ~= row, 0..<columns.output ~= column else { return nil }
    return ((index[0] * rows.output + row) * columns.output + column) * depth + index[3]
  }
}

extension PositionUnpoolLoop: ExplainableLoop {
  func account(of output: OutputPlace, in node: EvaluatedNode) throws(KernelError) -> NodeAccount? {
    guard let places = node.values(1, as: Int32.self) else { return nil }
    return node.account(
      of: output,
      unpooling: places.indices.map { source in
        Unpooled(
          source: source, target: source / elementCount * pictureCount + Int(places[source]))
      })
  }
}

// SPDX-License-Identifier: Apache-2.0

import ModelSchema
package import Tensors

extension CatalogEntry {
  static let hashtableLookup = CatalogEntry(
    .hashtableLookup, chapter: .indexing,
    formula: "y[j, i…] = values[k, i…] where keys[k] = lookup[j], else 0;   hit[j] = 1, else 0",
    versions: .upTo(1),
    variants: "f32 i32 str i8", optimized: "",
    work: .nothing, reads: .everything
  ) { _ in HashtableLookup() }
}

/// `HASHTABLE_LOOKUP`: rows of a table, chosen by key.
///
/// - Input 0: the keys to look up, int32, of rank 1.
/// - Input 1: the table's keys, int32, in ascending order.
/// - Input 2: the table's values, a row or a string for each key.
/// - Output 1: which were found, uint8.
///
/// Keys are found by bisection; of equal ones, the one that it meets first. TFLite compares them by
/// the sign of their difference, which C leaves undefined for keys further apart than 2³¹ − 1; the
/// runtime finds those too. A string that is not
/// found is empty. TFLite: `hashtable_lookup.cc`.
struct HashtableLookup: Operator {
  func prepare(_ node: PrepareContext) throws(KernelError) -> Prepared {
    try node.expect(inputs: 3...3, outputs: 2)
    let (lookup, values) = (try node.input(0), try node.input(2))
    for position in 0..<2 {
      let keys = try node.input(position)
      try keys.expect(.int32, .input(position))
      guard keys.shape.rank == 1 else {
        throw .rank(keys.shape.rank, wanted: "1", .input(position))
      }
    }
    guard let rowCount = values.shape.dimensions.first else {
      throw .rank(0, wanted: "at least 1", .input(2))
    }
    guard try node.input(1).shape[0] == rowCount, rowCount > 0 else {
      throw .invalid("\(try node.input(1).shape[0]) keys for \(rowCount) rows", .input(1))
    }
    try node.declaredOutput(0).expect(values.elementType, .output(0))
    try node.declaredOutput(1).expect(.uint8, .output(1))
    let inner = values.shape.dimensions.dropFirst()
    let outputs = [
      values.moved(
        to: try Shape.checked([lookup.shape[0]] + inner), declared: try node.declaredOutput(0)),
      try node.declaredOutput(1).with(shape: lookup.shape),
    ]
    if values.elementType == .string {
      guard values.shape.rank == 1 else { throw .rank(values.shape.rank, wanted: "1", .input(2)) }
      return try strings(node, outputs)
    }
    guard let bits = values.elementType.bitCount, bits >= 8 else {
      throw .elementType(values.elementType, .input(2))
    }
    return try FoundRows(rowLength: inner.reduce(1, *)).prepared(node, outputs: outputs)
  }

  /// The node with strings, which must be known.
  private func strings(
    _ node: PrepareContext, _ outputs: [TensorType]
  ) throws(KernelError) -> Prepared {
    let (lookup, keys) = (try node.values(0, as: Int32.self), try node.values(1, as: Int32.self))
    let values = try node.strings(2)
    guard values.count == keys.count else {
      throw .invalid("\(values.count) strings for \(keys.count) keys", .input(2))
    }
    let rows = lookup.map { SortedKeys.position(of: $0, in: keys.span) }
    let bytes = try [UInt8](stringTensor: rows.map { $0.map { values[$0] } ?? [] })
    var prepared = Prepared(outputs: outputs, kernel: LoopKernel(StringLookupLoop(strings: bytes)))
    prepared.outputByteCounts = [bytes.count, lookup.count]
    return prepared
  }
}

/// Keys in ascending order.
enum SortedKeys {
  /// Where `key` is found, as C's `bsearch` does.
  static func position(of key: Int32, in keys: Span<Int32>) -> Int? {
    var (lower, upper) = (0, keys.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if key == keys[middle] { return middle }
      if key < keys[middle] { upper = middle } else { lower = middle + 1 }
    }
    return nil
  }
}

private struct FoundRows: Movement {
  let rowLength: Int

  func kernel<Unit: TensorElement>(of unit: Unit.Type) -> any Kernel {
    LoopKernel(HashtableLookupLoop<Unit>(rowLength: rowLength))
  }
}

extension Steps {
  /// Where the key `lookup[position]` is found among `keys`, told of the row and the hit.
  @_lifetime(hits: copy hits)
  @inline(__always)
  fileprivate mutating func row(
    of position: Int, _ lookup: Span<Int32>, _ keys: Span<Int32>, elements: Range<Int>,
    _ hits: inout MutableSpan<UInt8>
  ) -> Int? {
    let found = SortedKeys.position(of: lookup[position], in: keys)
    about(position, ofOutput: 1)
    tell(found, of: position, lookup, keys)
    hits[position] = note("hit", "whether there is such a key", found == nil ? 0 : 1)
    about(elements)
    tell(found, of: position, lookup, keys)
    if found == nil { note("hit", "no key is \(lookup[position])", 0) }
    return found
  }

  @inline(__always)
  private mutating func tell(
    _ found: Int?, of position: Int, _ lookup: Span<Int32>, _ keys: Span<Int32>
  ) {
    let key = read(lookup, position)
    guard let found else { return }
    read(keys, found)
    note("row", "of the key \(key), found by bisection", found)
  }
}

/// The loop of `HASHTABLE_LOOKUP` for elements as wide as `Unit`.
package struct HashtableLookupLoop<Unit: TensorElement>: SteppedLoop {
  /// Elements of a row.
  package let rowLength: Int

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let lookup = frame.input(0, as: Int32.self)
    let keys = frame.input(1, as: Int32.self)
    var hits = frame.output(1, as: UInt8.self)
    for position in lookup.indices {
      let target = position * rowLength
      let row = steps.row(
        of: position, lookup, keys, elements: target..<target + rowLength, &hits)
      copyRow(row, to: target, frame, &steps)
    }
  }

  private func copyRow(
    _ row: Int?, to target: Int, _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) {
    guard let row else {
      var output = frame.output(0, as: UInt8.self)
      let width = MemoryLayout<Unit>.size
      for index in target * width..<(target + rowLength) * width { output[index] = 0 }
      steps.filled("what stands for a row that is not there")
      return
    }
    let values = frame.input(2, as: Unit.self)
    var output = frame.output(0, as: Unit.self)
    for offset in 0..<rowLength {
      steps.about(target + offset)
      output[target + offset] = steps.moved(values, row * rowLength + offset)
    }
  }
}

/// Writes the strings that keys lead to, which are known when a node is prepared.
package struct StringLookupLoop: SteppedLoop {
  /// The strings, as a tensor holds them.
  let strings: [UInt8]

  package func evaluate(
    _ frame: borrowing TensorFrame, _ steps: inout some Steps
  ) throws(KernelError) {
    let lookup = frame.input(0, as: Int32.self)
    let keys = frame.input(1, as: Int32.self)
    var output = frame.output(0, as: UInt8.self)
    var hits = frame.output(1, as: UInt8.self)
    for index in output.indices { output[index] = strings[index] }
    for position in lookup.indices {
      let row = steps.row(
        of: position, lookup, keys, elements: position..<position + 1, &hits)
      if let row {
        steps.moved(element: row, ofInput: 2)
      } else {
        steps.filled("what stands for a row that is not there")
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let hashtable = CatalogEntry(
    .hashtable, chapter: .variables, formula: nil, versions: .upTo(1, reference: 0),
    variants: "", optimized: "",
    work: .nothing, reads: .everything,
    session: { node throws(KernelError) in Hashtable(options: try node.options()) })

  static let hashtableFind = CatalogEntry(
    .hashtableFind, chapter: .variables,
    formula: "y = table[key], or the default where there is no such key",
    versions: .upTo(1, reference: 0),
    variants: "i2s s2i", optimized: "",
    work: .nothing, reads: .everything,
    session: { _ throws(KernelError) in HashtableFind() })

  static let hashtableImport = CatalogEntry(
    .hashtableImport, chapter: .variables, formula: nil, versions: .upTo(1, reference: 0),
    variants: "", optimized: "",
    work: .nothing, reads: .everything,
    session: { _ throws(KernelError) in HashtableImport() })

  static let hashtableSize = CatalogEntry(
    .hashtableSize, chapter: .variables, formula: "y = the number of entries of the table",
    versions: .upTo(1, reference: 0),
    variants: "", optimized: "",
    work: .nothing, reads: .everything,
    session: { _ throws(KernelError) in HashtableSize() })
}

/// `HASHTABLE`: the handle of a table from int64 to strings or the other way round.
///
/// TFLite: `hashtable.cc`.
struct Hashtable: SessionOperator {
  let options: HashtableOptions

  var isLasting: Bool { true }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 0, outputs: 1)
    switch (options.keyType, options.valueType) {
    case (.int64, .string), (.string, .int64): break
    case (let key, let value):
      throw .unsupported(
        "tables from \(key.schemaName) to \(value.schemaName), wanted INT64 and STRING")
    }
    let identifier = options.identifier
    if session.resources.tables[identifier] == nil {
      session.resources.tables[identifier] = LookupTable(
        keyType: options.keyType, valueType: options.valueType)
    }
    let declared = node.declaredOutputs[0]
    let type = TensorType(declared.elementType, try Shape.checked([1]))
    return [try .handle(identifier, type)]
  }
}

/// `HASHTABLE_IMPORT`: fills a table; only the first import counts, and of equal keys the first.
///
/// TFLite: `hashtable_import.cc`, `static_hashtable.cc`.
struct HashtableImport: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 3, outputs: 0)
    let identifier = try node.handle(0)
    var table = try session.table(identifier)
    let (keys, values) = (try node.input(1), try node.input(2))
    try table.check(keys: keys.type, .input(1))
    try table.check(values: values.type, .input(2))
    guard keys.type.shape == values.type.shape else {
      throw .invalid("shape \(values.type.shape), wanted \(keys.type.shape)", .input(2))
    }
    guard !table.isInitialized else { return [] }
    // The records, and the table with as many entries at the most.
    let room = 2 * (keys.recordByteCount + values.recordByteCount)
    try session.hold(room)
    let pairs = zip(try keys.records(.input(1)), try values.records(.input(2)))
    for (key, value) in pairs where table.entries[key] == nil { table.entries[key] = value }
    table.isInitialized = true
    session.resources.tables[identifier] = table
    return []
  }
}

/// `HASHTABLE_FIND`: the values of keys, the default where a key is not in the table.
///
/// TFLite: `hashtable_find.cc`, `static_hashtable.cc`.
struct HashtableFind: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 3, outputs: 1)
    let table = try session.table(try node.handle(0))
    guard table.isInitialized else { throw .invalid("the table is empty", .input(0)) }
    let (keys, fallback) = (try node.input(1), try node.input(2))
    try table.check(keys: keys.type, .input(1))
    try table.check(values: fallback.type, .input(2))
    guard let absent = try fallback.records(.input(2)).first else {
      throw .invalid("there is no default value", .input(2))
    }
    let longest = table.entries.values.reduce(absent.count) { max($0, $1.count) }
    let room =
      Checked.sum([
        Checked.product(keys.type.shape.elementCount, longest), 2 * keys.recordByteCount,
      ]) ?? .max
    try session.hold(room)
    defer { session.release(room) }
    let found = try keys.records(.input(1)).map { table.entries[$0] ?? absent }
    let type = TensorType(table.valueType, keys.type.shape)
    guard table.valueType == .string else {
      return [TensorValue(type, TensorBytes(copying: found.flatMap { $0 }))]
    }
    do throws(StringTensor.Malformed) {
      return [TensorValue(type, TensorBytes(copying: try StringTensor.bytes(of: found)))]
    } catch {
      throw .invalid(error.description, .output(0))
    }
  }
}

/// `HASHTABLE_SIZE`: how many entries a table has, one int64.
///
/// TFLite: `hashtable_size.cc`.
struct HashtableSize: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 1, outputs: 1)
    let count = Int64(try session.table(try node.handle(0)).entries.count)
    return [
      TensorValue(TensorType(.int64, try Shape.checked([1])), TensorBytes(copying: [count]))
    ]
  }
}

extension OperatorSession {
  fileprivate func table(_ identifier: Int32) throws(KernelError) -> LookupTable {
    guard let table = resources.tables[identifier] else {
      throw .invalid("handle \(identifier) is no table's", .input(0))
    }
    return table
  }
}

extension LookupTable {
  fileprivate func check(
    keys type: TensorType, _ tensor: KernelError.Tensor
  ) throws(KernelError) {
    guard type.elementType == keyType else { throw .elementType(type.elementType, tensor) }
  }

  fileprivate func check(
    values type: TensorType, _ tensor: KernelError.Tensor
  ) throws(KernelError) {
    guard type.elementType == valueType else { throw .elementType(type.elementType, tensor) }
  }
}

extension TensorValue {
  /// What all records take as arrays of their own.
  fileprivate var recordByteCount: Int { bytes.byteCount + 64 * type.shape.elementCount }

  /// The bytes of each element: strings, or numbers of eight bytes.
  fileprivate func records(_ tensor: KernelError.Tensor) throws(KernelError) -> [[UInt8]] {
    let content = bytes.array()
    if type.elementType == .string {
      do throws(StringTensor.Malformed) { return try StringTensor.strings(in: content) } catch {
        throw .invalid(error.description, tensor)
      }
    }
    return stride(from: 0, to: content.count - 7, by: 8).map { Array(content[$0..<$0 + 8]) }
  }
}

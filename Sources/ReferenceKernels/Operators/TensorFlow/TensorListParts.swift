// SPDX-License-Identifier: Apache-2.0

import Tensors

extension CatalogEntry {
  static let tensorListFromTensor = CatalogEntry(
    onLists: "FlexTensorListFromTensor", formula: "y[i][…] = x[i, …]", variants: "f32",
    session: { _ throws(KernelError) in TensorListFromTensor() })

  static let tensorListScatter = CatalogEntry(
    onLists: "FlexTensorListScatter", formula: "y[indices[i]][…] = x[i, …]", variants: "f32",
    session: { _ throws(KernelError) in TensorListScatter(inputCount: 3) })

  static let tensorListScatterV2 = CatalogEntry(
    onLists: "FlexTensorListScatterV2", formula: "y[indices[i]][…] = x[i, …]", variants: "f32",
    session: { _ throws(KernelError) in TensorListScatter(inputCount: 4) })

  static let tensorListScatterIntoExistingList = CatalogEntry(
    onLists: "FlexTensorListScatterIntoExistingList",
    formula: "y = list,   y[indices[i]][…] = x[i, …]",
    variants: "f32",
    session: { node throws(KernelError) in
      TensorListScatterIntoExistingList(elementType: try node.listElementType())
    })

  static let tensorListSplit = CatalogEntry(
    onLists: "FlexTensorListSplit",
    formula: "y[i] = lengths[i] rows of x after those of the elements before", variants: "f32",
    session: { _ throws(KernelError) in TensorListSplit() })

  static let tensorListConcatLists = CatalogEntry(
    onLists: "FlexTensorListConcatLists", formula: "y = the elements of a, then those of b",
    variants: "f32",
    session: { node throws(KernelError) in
      TensorListConcatLists(elementType: try node.listElementType())
    })
}

/// `TensorListFromTensor`: the parts of a tensor along its first axis as a list.
struct TensorListFromTensor: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 1)
    let parts = try session.rows(of: node, 0)
    let kind = try parts.kind(node, shapeInput: 1)
    return [try session.newList(kind, parts.items, count: parts.items.count)]
  }
}

/// `TensorListScatter`, `TensorListScatterV2`: a list that has the parts of a tensor along its
/// first axis at positions (int32), as long as the highest of them demands or, in version 2, as
/// input 3 says unless it is −1.
struct TensorListScatter: SessionOperator {
  let inputCount: Int

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: inputCount, outputs: 1)
    let parts = try session.rows(of: node, 0)
    let kind = try parts.kind(node, shapeInput: 2)
    let positions = try node.positions(1)
    let needed = (positions.max() ?? -1) + 1
    let wanted = inputCount > 3 ? try node.count(3, atLeast: -1) : -1
    guard wanted < 0 || needed <= wanted else {
      throw .invalid("has \(needed - 1) of \(wanted) elements", .input(1))
    }
    let list = try session.newList(kind, [], count: max(wanted, needed))
    return [try session.scattered(parts.items, at: positions, into: list)]
  }
}

/// `TensorListScatterIntoExistingList`: a list that gets the parts of a tensor along its first axis
/// at positions (int32), longer where they demand it.
struct TensorListScatterIntoExistingList: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 3, outputs: 1)
    let (state, kind) = try node.list(0, of: elementType, in: session)
    let parts = try session.rows(of: node, 1)
    guard parts.type.elementType == elementType else {
      throw .elementType(parts.type.elementType, .input(1))
    }
    _ = try kind.elementShape.merged(with: PartialShape(parts.type.shape), .input(1))
    let positions = try node.positions(2)
    let needed = (positions.max() ?? -1) + 1
    var list = try node.input(0)
    if needed > session.resources.lists.count(state) {
      list = try session.newList(kind, try session.items(state), count: needed)
    }
    return [try session.scattered(parts.items, at: positions, into: list)]
  }
}

/// `TensorListSplit`: a tensor cut along its first axis into elements of these lengths (int64).
struct TensorListSplit: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 3, outputs: 1)
    let parts = try session.rows(of: node, 0)
    let lengths = try node.input(2).integers(.input(2))
    guard lengths.allSatisfy({ $0 >= 0 }), Checked.sum(lengths.map { $0 }) == parts.items.count
    else { throw .invalid("lengths for \(parts.items.count) rows do not add up", .input(2)) }
    let shape = try PartialShape(node, 1)
    guard let rows = shape.rows else { throw .invalid("elements are scalars", .input(1)) }
    _ = try rows.merged(with: PartialShape(parts.type.shape), .input(1))
    let kind = TensorList.Kind(elementType: parts.type.elementType, elementShape: shape)
    var items: [TensorValue?] = []
    var place = 0
    for length in lengths {
      _ = try shape.merged(with: PartialShape([length] + (rows.dimensions ?? [])), .input(2))
      let type = TensorType(
        parts.type.elementType, try Shape.checked([length] + parts.type.shape.dimensions))
      let byteCount = length * parts.rowByteCount
      items.append(parts.whole.part(place, byteCount).map { TensorValue(type, $0) })
      place += byteCount
    }
    return [try session.newList(kind, items, count: items.count)]
  }
}

/// `TensorListConcatLists`: the elements of one list, then those of another.
struct TensorListConcatLists: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 1)
    let (first, kind) = try node.list(0, of: elementType, in: session)
    let (second, _) = try node.list(1, of: elementType, in: session)
    let items = try session.items(first) + session.items(second)
    return [try session.newList(kind, items, count: items.count)]
  }
}

/// The parts of a tensor along its first axis, in memory of the lists.
private struct TensorRows {
  /// The type of each.
  let type: TensorType
  /// The parts.
  let items: [TensorValue?]
  /// All of them, one after the other.
  let whole: TensorBytes

  /// How many bytes each takes.
  var rowByteCount: Int { items.isEmpty ? 0 : whole.byteCount / items.count }

  /// What a list of them is, of which an input tells the shape of elements.
  func kind(
    _ node: SessionNode, shapeInput: Int
  ) throws(KernelError) -> TensorList.Kind {
    let shape = try PartialShape(node, shapeInput)
    _ = try shape.merged(with: PartialShape(type.shape), .input(shapeInput))
    return TensorList.Kind(elementType: type.elementType, elementShape: shape)
  }
}

extension OperatorSession {
  /// The parts of an input along its first axis.
  ///
  /// - Throws: `KernelError` for a scalar, for elements without a fixed size, and where there is no
  ///   memory.
  fileprivate func rows(
    of node: SessionNode, _ position: Int
  ) throws(KernelError) -> TensorRows {
    let value = try node.input(position)
    guard let count = value.type.shape.dimensions.first else {
      throw .rank(0, wanted: "1 or more", .input(position))
    }
    let row = TensorType(
      value.type.elementType,
      try Shape.checked(Array(value.type.shape.dimensions.dropFirst())))
    guard let byteCount = row.byteCount, value.type.elementType.bitCount.map({ $0 >= 8 }) == true
    else { throw .elementType(value.type.elementType, .input(position)) }
    try work(count)
    let whole = try lastingForLists(value).bytes
    let items = (0..<count).map { index in
      whole.part(index * byteCount, byteCount).map { TensorValue(row, $0) }
    }
    return TensorRows(type: row, items: items, whole: whole)
  }

  /// A list with elements put at positions of it.
  ///
  /// - Throws: `KernelError` where there are not as many positions as elements.
  fileprivate func scattered(
    _ items: [TensorValue?], at positions: [Int], into list: TensorValue
  ) throws(KernelError) -> TensorValue {
    guard items.count == positions.count else {
      throw .invalid("\(positions.count) positions for \(items.count) elements")
    }
    var list = list
    for (item, position) in zip(items, positions) {
      list = try changed(try list.list(in: self, .input(0)).state, .replace(position, item))
    }
    return list
  }
}

// SPDX-License-Identifier: Apache-2.0

import Tensors

extension CatalogEntry {
  package static let tensorListStack = CatalogEntry(
    onLists: "FlexTensorListStack", formula: "y[i, …] = x[i][…]", variants: "f32 i32",
    session: { node throws(KernelError) in
      try TensorListStack(TensorFlowAttributes(node))
    })

  package static let tensorListGather = CatalogEntry(
    onLists: "FlexTensorListGather", formula: "y[i, …] = x[indices[i]][…]", variants: "f32",
    session: { node throws(KernelError) in
      TensorListGather(elementType: try node.listElementType())
    })

  package static let tensorListConcat = CatalogEntry(
    onLists: "FlexTensorListConcatV2",
    formula: "y = all elements along their first axis; their lengths there", variants: "f32",
    session: { node throws(KernelError) in
      TensorListConcat(elementType: try node.listElementType())
    })
}

/// `TensorListStack`: the elements of a list, all of one shape, as one tensor.
///
/// Elements without a value are zeros.
struct TensorListStack: SessionOperator {
  let elementType: ElementType
  /// How many elements the list must have; nil for any number.
  let count: Int?

  init(_ attributes: TensorFlowAttributes) throws(KernelError) {
    elementType = try attributes.listElementType()
    count = attributes.integer("num_elements").flatMap { $0 < 0 ? nil : $0 }
  }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 1)
    let (state, kind) = try node.list(0, of: elementType, in: session)
    let items = try session.items(state)
    if let count, items.count != count {
      throw .invalid("a list of \(items.count) elements, wanted \(count)", .input(0))
    }
    return [try session.stack(items, kind, node, shapeInput: 1)]
  }
}

/// `TensorListGather`: the elements at some positions (int32) of a list, all of one shape, as one
/// tensor.
///
/// Elements without a value are zeros.
struct TensorListGather: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 3, outputs: 1)
    let (state, kind) = try node.list(0, of: elementType, in: session)
    let items = try session.items(state)
    var chosen: [TensorValue?] = []
    for position in try node.positions(1) {
      guard position < items.count else {
        throw .invalid("has \(position) of \(items.count) elements", .input(1))
      }
      chosen.append(items[position])
    }
    return [try session.stack(chosen, kind, node, shapeInput: 2)]
  }
}

/// `TensorListConcatV2`: the elements of a list one after the other along their first axis, and
/// their lengths there, int64.
///
/// The other lengths must be the same. Elements without a value are zeros, as long as the shape of
/// elements says or, where it does not, input 2.
struct TensorListConcat: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 3, outputs: 2)
    let (state, kind) = try node.list(0, of: elementType, in: session)
    let shape = try kind.elementShape.merged(with: PartialShape(node, 1), .input(1))
    guard var rows = shape.rows else { throw .invalid("elements are scalars", .input(1)) }
    let items = try session.items(state)
    let given = try node.input(2).integers(.input(2))
    var lengths: [Int] = []
    for (position, item) in items.enumerated() {
      if let item {
        guard let length = item.type.shape.dimensions.first,
          let inner = PartialShape(item.type.shape).rows
        else { throw .invalid("element \(position) is a scalar", .input(0)) }
        rows = try rows.merged(with: inner, .input(0))
        lengths.append(length)
      } else if let length = shape.dimensions?.first ?? nil {
        lengths.append(length)
      } else {
        guard position < given.count, given[position] >= 0 else {
          throw .invalid("element \(position) has neither a value nor a length", .input(2))
        }
        lengths.append(given[position])
      }
    }
    guard let row = rows.shape, let total = Checked.sum(lengths.map { $0 }) else {
      throw .invalid("elements have shape \(shape)", .input(1))
    }
    let type = TensorType(elementType, try Shape.checked([total] + row.dimensions))
    let rowByteCount = try session.byteCount(of: TensorType(elementType, row))
    let output = TensorBytes(zeroed: try session.byteCount(of: type))
    var place = 0
    for (item, length) in zip(items, lengths) {
      if let item { output.part(place, item.bytes.byteCount)?.take(item.bytes) }
      place += length * rowByteCount
    }
    return [
      TensorValue(type, output),
      TensorValue(
        TensorType(.int64, try Shape.checked([lengths.count])),
        TensorBytes(copying: lengths.map { Int64($0) })),
    ]
  }
}

extension OperatorSession {
  /// Elements of a list as one tensor; the input at `shapeInput` tells more of their shape.
  ///
  /// - Throws: `KernelError` where their shape is not known, or not the same, or there is no memory.
  fileprivate func stack(
    _ items: [TensorValue?], _ kind: TensorList.Kind, _ node: SessionNode, shapeInput: Int
  ) throws(KernelError) -> TensorValue {
    let shape = try kind.elementShape.merged(
      with: PartialShape(node, shapeInput), .input(shapeInput))
    let element = try kind.elementType(shape, of: items, .input(shapeInput))
    let type = TensorType(
      element.elementType, try Shape.checked([items.count] + element.shape.dimensions))
    let output = TensorBytes(zeroed: try byteCount(of: type))
    for (position, item) in items.enumerated() {
      guard let item else { continue }
      let count = item.bytes.byteCount
      output.part(position * count, count)?.take(item.bytes)
    }
    return TensorValue(type, output)
  }
}

extension SessionNode {
  /// Positions in a list: a vector of int32.
  ///
  /// - Throws: `KernelError` where the input is something else, and for negative ones.
  func positions(_ position: Int) throws(KernelError) -> [Int] {
    let value = try input(position)
    guard value.type.elementType == .int32 else {
      throw .elementType(value.type.elementType, .input(position))
    }
    guard value.type.shape.rank == 1 else {
      throw .rank(value.type.shape.rank, wanted: "1", .input(position))
    }
    let positions = try value.integers(.input(position))
    guard positions.allSatisfy({ $0 >= 0 }) else {
      throw .invalid("has a negative position", .input(position))
    }
    return positions
  }
}

extension TensorBytes {
  /// Takes over bytes of the same size.
  fileprivate func take(_ source: TensorBytes) { _ = copy(from: source) }
}

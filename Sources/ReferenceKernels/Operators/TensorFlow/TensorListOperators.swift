// SPDX-License-Identifier: Apache-2.0

import Tensors

extension CatalogEntry {
  static let emptyTensorList = CatalogEntry(
    onLists: "FlexEmptyTensorList", formula: "y = a list without elements", variants: "f32",
    session: { node throws(KernelError) in
      EmptyTensorList(elementType: try node.listElementType())
    })

  static let tensorListReserve = CatalogEntry(
    onLists: "FlexTensorListReserve", formula: "y = a list of num_elements elements without values",
    variants: "f32",
    session: { node throws(KernelError) in
      TensorListReserve(elementType: try node.listElementType())
    })

  static let tensorListSetItem = CatalogEntry(
    onLists: "FlexTensorListSetItem", formula: "y = x,   y[index] = item", variants: "f32 i32",
    session: { node throws(KernelError) in
      try TensorListSetItem(TensorFlowAttributes(node))
    })

  package static let tensorListGetItem = CatalogEntry(
    onLists: "FlexTensorListGetItem", formula: "y = x[index]", variants: "f32 i32",
    session: { node throws(KernelError) in
      TensorListGetItem(elementType: try node.listElementType())
    })

  static let tensorListPushBack = CatalogEntry(
    onLists: "FlexTensorListPushBack", formula: "y = x with another element", variants: "f32",
    session: { node throws(KernelError) in
      TensorListPushBack(elementType: try node.listElementType())
    })

  package static let tensorListPopBack = CatalogEntry(
    onLists: "FlexTensorListPopBack", formula: "y = x without its last element; that element",
    variants: "f32",
    session: { node throws(KernelError) in
      TensorListPopBack(elementType: try node.listElementType())
    })

  static let tensorListResize = CatalogEntry(
    onLists: "FlexTensorListResize",
    formula: "y = x cut, or with elements without values, to size elements", variants: "f32",
    session: { _ throws(KernelError) in TensorListResize() })

  package static let tensorListLength = CatalogEntry(
    onLists: "FlexTensorListLength", formula: "y = the number of elements", variants: "f32",
    session: { _ throws(KernelError) in TensorListLength() })

  package static let tensorListElementShape = CatalogEntry(
    onLists: "FlexTensorListElementShape",
    formula: "y = the shape of the elements,   −1 for unknown lengths", variants: "i32 i64",
    session: { node throws(KernelError) in
      try TensorListElementShape(TensorFlowAttributes(node))
    })
}

/// `TensorListReserve`: a list of `num_elements` (int32) elements without values, of a partial
/// shape.
///
/// TensorFlow: `list_kernels.cc`, as for all operators on lists.
struct TensorListReserve: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 1)
    let kind = TensorList.Kind(
      elementType: elementType, elementShape: try PartialShape(node, 0))
    return [try session.newList(kind, [], count: try node.count(1))]
  }
}

/// `EmptyTensorList`: a list without elements, to which `max_num_elements` (int32, −1 for any
/// number) may be appended.
struct EmptyTensorList: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 1)
    let capacity = try node.count(1, atLeast: -1)
    let kind = TensorList.Kind(
      elementType: elementType, elementShape: try PartialShape(node, 0),
      capacity: capacity < 0 ? nil : capacity)
    return [try session.newList(kind, [], count: 0)]
  }
}

/// `TensorListSetItem`: the list with another element at a position (int32).
///
/// With the attribute `resize_if_index_out_of_bounds`, a position beyond the end makes the list
/// longer.
struct TensorListSetItem: SessionOperator {
  let elementType: ElementType
  let resizes: Bool

  init(_ attributes: TensorFlowAttributes) throws(KernelError) {
    elementType = try attributes.listElementType()
    resizes = attributes.flag("resize_if_index_out_of_bounds")
  }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 3, outputs: 1)
    let (state, kind) = try node.list(0, of: elementType, in: session)
    let position = try node.count(1)
    let item = try session.item(node, 2, of: kind)
    let count = session.resources.lists.count(state)
    if position < count { return [try session.changed(state, .replace(position, item))] }
    guard resizes else { throw .invalid("is \(position) of \(count) elements", .input(1)) }
    let longer = try session.newList(kind, try session.items(state), count: position + 1)
    let (longerState, _) = try longer.list(in: session, .input(0))
    return [try session.changed(longerState, .replace(position, item))]
  }
}

/// `TensorListGetItem`: the element of a list at a position (int32); zeros where it has no value.
struct TensorListGetItem: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 3, outputs: 1)
    let (state, kind) = try node.list(0, of: elementType, in: session)
    let position = try node.count(1)
    let count = session.resources.lists.count(state)
    guard position < count else { throw .invalid("is \(position) of \(count) elements", .input(1)) }
    return [try session.element(position, of: state, kind, node, shapeInput: 2)]
  }
}

/// `TensorListPushBack`: the list with a tensor as another element at the end.
struct TensorListPushBack: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 1)
    let (state, kind) = try node.list(0, of: elementType, in: session)
    if let capacity = kind.capacity, session.resources.lists.count(state) >= capacity {
      throw .invalid("a list of at most \(capacity) elements is full", .input(0))
    }
    return [try session.changed(state, .append(try session.item(node, 1, of: kind)))]
  }
}

/// `TensorListPopBack`: the list without its last element, and that element; zeros where it has no
/// value.
struct TensorListPopBack: SessionOperator {
  let elementType: ElementType

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 2)
    let (state, kind) = try node.list(0, of: elementType, in: session)
    let count = session.resources.lists.count(state)
    guard count > 0 else { throw .invalid("the list has no elements", .input(0)) }
    let last = try session.element(count - 1, of: state, kind, node, shapeInput: 1)
    return [try session.changed(state, .removeLast), last]
  }
}

/// `TensorListResize`: the first `size` (int32) elements of a list, and such without values where
/// it has fewer.
struct TensorListResize: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 1)
    let (state, kind) = try node.list(0, in: session)
    return [try session.newList(kind, try session.items(state), count: try node.count(1))]
  }
}

/// `TensorListLength`: how many elements a list has, one int32.
struct TensorListLength: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 1, outputs: 1)
    let (state, _) = try node.list(0, in: session)
    return [TensorValue(scalar: Int32(clamping: session.resources.lists.count(state)))]
  }
}

/// `TensorListElementShape`: the shape of a list's elements, int32 or int64, −1 for unknown
/// lengths; the scalar −1 for an unknown rank.
struct TensorListElementShape: SessionOperator {
  let shapeType: ElementType

  init(_ attributes: TensorFlowAttributes) throws(KernelError) {
    shapeType = try attributes.elementType("shape_type")
    guard shapeType == .int32 || shapeType == .int64 else {
      throw .elementType(shapeType, .output(0))
    }
  }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 1, outputs: 1)
    let (_, kind) = try node.list(0, in: session)
    let numbers = kind.elementShape.numbers
    let isKnown = kind.elementShape.dimensions != nil
    let shape = isKnown ? try Shape.checked([numbers.count]) : .scalar
    let bytes =
      shapeType == .int32
      ? TensorBytes(copying: numbers.map { Int32(clamping: $0) })
      : TensorBytes(copying: numbers.map { Int64($0) })
    return [TensorValue(TensorType(shapeType, shape), bytes)]
  }
}

// SPDX-License-Identifier: Apache-2.0

import Tensors

extension CatalogEntry {
  /// TensorFlow's operator on lists that models call `name`, which begins with `Flex`.
  convenience init(
    onLists name: String, formula: String, variants: String, file: String = #fileID,
    session: @escaping @Sendable (NodeDescription) throws(KernelError) -> any SessionOperator
  ) {
    self.init(
      custom: name, chapter: .tensorFlow, formula: formula, variants: variants,
      optimized: "", work: .nothing, reads: .everything, file: file, session: session)
  }
}

extension TensorFlowAttributes {
  /// The element type of the list that an operator makes or takes.
  ///
  /// - Throws: `KernelError` where the node does not tell.
  func listElementType() throws(KernelError) -> ElementType { try elementType("element_dtype") }
}

extension NodeDescription {
  /// The element type of the list that the node makes or takes.
  ///
  /// - Throws: `KernelError` where its options are malformed or do not tell.
  func listElementType() throws(KernelError) -> ElementType {
    try TensorFlowAttributes(self).listElementType()
  }
}

extension OperatorSession {
  /// Makes a list of `count` elements, the first of them `items` as far as there are any, the
  /// others without values; a tensor for it.
  ///
  /// - Throws: `KernelError` where there is no memory for it.
  func newList(
    _ kind: TensorList.Kind, _ items: [TensorValue?], count: Int
  ) throws(KernelError) -> TensorValue {
    try work(count)
    try holdForLists(Checked.sum([listByteCount, Checked.product(count, itemByteCount)]) ?? .max)
    let added = Array(repeating: TensorValue?.none, count: max(count - items.count, 0))
    return resources.lists.add(TensorList(kind, items: items.prefix(count) + added)).value
  }

  /// Changes a list; a tensor for what it becomes.
  ///
  /// - Throws: `KernelError` where there is no memory for it.
  func changed(
    _ state: TensorLists.State, _ change: TensorList.Change
  ) throws(KernelError) -> TensorValue {
    let copied = resources.lists.copiedCount(state)
    try work(copied)
    try holdForLists((copied + 2) * itemByteCount)
    return resources.lists.change(state, change).value
  }

  /// The elements of a list.
  ///
  /// - Throws: `KernelError` where it may not take that long.
  func items(_ state: TensorLists.State) throws(KernelError) -> [TensorValue?] {
    try work(resources.lists.count(state) + resources.lists.copiedCount(state))
    return resources.lists.items(state)
  }

  /// An element of a list, zeros where it has no value; the input at `shapeInput` tells more of its
  /// shape.
  ///
  /// - Throws: `KernelError` where the shape of zeros is not known.
  func element(
    _ position: Int, of state: TensorLists.State, _ kind: TensorList.Kind, _ node: SessionNode,
    shapeInput: Int
  ) throws(KernelError) -> TensorValue {
    try work(resources.lists.copiedCount(state))
    if let item = resources.lists.item(state, at: position) { return item }
    let shape = try kind.elementShape.merged(
      with: PartialShape(node, shapeInput), .input(shapeInput))
    let type = try kind.elementType(shape, of: try items(state), .input(shapeInput))
    return TensorValue(type, TensorBytes(zeroed: try byteCount(of: type)))
  }

  /// How many bytes a tensor takes that is to be made.
  ///
  /// - Throws: `KernelError` where it has no fixed size, or there is no memory for it.
  func byteCount(of type: TensorType) throws(KernelError) -> Int {
    guard let byteCount = type.byteCount else { throw .elementType(type.elementType, .output(0)) }
    try work(byteCount)
    try hold(byteCount)
    release(byteCount)
    return byteCount
  }

  /// The value that an input has, as an element of a list.
  ///
  /// - Throws: `KernelError` where the list's elements are others, and where there is no memory.
  func item(
    _ node: SessionNode, _ position: Int, of kind: TensorList.Kind
  ) throws(KernelError) -> TensorValue {
    let value = try node.input(position)
    guard value.type.elementType == kind.elementType else {
      throw .invalid(
        "\(value.type.elementType.schemaName) for a list of \(kind.elementType.schemaName)",
        .input(position))
    }
    _ = try kind.elementShape.merged(with: PartialShape(value.type.shape), .input(position))
    return try lastingForLists(value)
  }

  /// A value that stays as it is until the next invocation.
  ///
  /// - Throws: `KernelError` where there is no memory for it.
  func lastingForLists(_ value: TensorValue) throws(KernelError) -> TensorValue {
    try holdForLists(value.bytes.byteCount)
    return lasting(value)
  }

  private func holdForLists(_ byteCount: Int) throws(KernelError) {
    try hold(byteCount)
    resources.lists.hold(byteCount)
  }

  /// What a list takes besides its elements.
  private var listByteCount: Int { 256 }

  /// What an element takes besides its bytes.
  private var itemByteCount: Int { 2 * MemoryLayout<TensorValue?>.stride }
}

extension Resources {
  /// The elements of the list that a tensor holds, nil for those without a value; nil where it holds
  /// none of the latest invocation.
  package func listElements(_ tensor: TensorValue) -> [TensorValue?]? {
    guard let state = TensorLists.State(tensor), lists.kind(state) != nil else { return nil }
    return lists.items(state)
  }

  /// What is known of the shape of a list's elements, −1 for unknown lengths; nil where the tensor
  /// holds no list of the latest invocation.
  package func listElementShape(_ tensor: TensorValue) -> [Int]? {
    TensorLists.State(tensor).flatMap { lists.kind($0) }?.elementShape.numbers
  }
}

extension TensorLists.State {
  /// The tensor that holds the state: the numbers of the list and of the state, as int32.
  fileprivate var value: TensorValue {
    TensorValue(
      TensorType(.variant, .scalar),
      TensorBytes(copying: [Int32(clamping: list), Int32(clamping: version)]))
  }

  /// The state that a tensor holds; nil where it holds none.
  init?(_ value: TensorValue) {
    guard value.type.elementType == .variant, value.type.shape.elementCount == 1,
      value.bytes.byteCount >= 8
    else { return nil }
    let numbers = value.bytes.span(as: Int32.self)
    (list, version) = (Int(numbers[0]), Int(numbers[1]))
  }
}

extension TensorList.Kind {
  /// The type of elements of a list of which `shape` is known, besides what those of `items` with a
  /// value show.
  ///
  /// - Throws: `KernelError` about `tensor` where that is not enough, or the values differ.
  func elementType(
    _ shape: PartialShape, of items: [TensorValue?], _ tensor: KernelError.Tensor
  ) throws(KernelError) -> TensorType {
    var shape = shape
    for case let item? in items where shape.shape != item.type.shape {
      shape = try shape.merged(with: PartialShape(item.type.shape), tensor)
    }
    guard let known = shape.shape else {
      throw .invalid("elements without a value have shape \(shape)", tensor)
    }
    return TensorType(elementType, known)
  }
}

extension TensorValue {
  /// The list that the tensor holds.
  ///
  /// - Throws: `KernelError` about `tensor` where it holds none of this invocation.
  func list(
    in session: any OperatorSession, _ tensor: KernelError.Tensor
  ) throws(KernelError) -> (state: TensorLists.State, kind: TensorList.Kind) {
    guard let state = TensorLists.State(self), let kind = session.resources.lists.kind(state)
    else { throw .invalid("is no list of this run", tensor) }
    return (state, kind)
  }
}

extension SessionNode {
  /// The list of an input.
  ///
  /// - Throws: `KernelError` where the input is none of this invocation.
  func list(
    _ position: Int, in session: any OperatorSession
  ) throws(KernelError) -> (state: TensorLists.State, kind: TensorList.Kind) {
    try input(position).list(in: session, .input(position))
  }

  /// The list of an input, whose elements must be of this type.
  ///
  /// - Throws: `KernelError` where the input is none of this invocation, or of other elements.
  func list(
    _ position: Int, of elementType: ElementType, in session: any OperatorSession
  ) throws(KernelError) -> (state: TensorLists.State, kind: TensorList.Kind) {
    let list = try list(position, in: session)
    guard list.kind.elementType == elementType else {
      throw .invalid(
        "a list of \(list.kind.elementType.schemaName), wanted \(elementType.schemaName)",
        .input(position))
    }
    return list
  }

  /// A position in a list, or a length, of at least `least`.
  ///
  /// - Throws: `KernelError` where the input is no single int32 of that size.
  func count(_ position: Int, atLeast least: Int = 0) throws(KernelError) -> Int {
    let count = Int(try scalar(position, as: Int32.self))
    guard count >= least else { throw .invalid("is \(count), wanted \(least)…", .input(position)) }
    return count
  }
}

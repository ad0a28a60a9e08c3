// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  static let varHandle = CatalogEntry(
    .varHandle, chapter: .variables, formula: nil, versions: .upTo(1),
    variants: "two_vars", optimized: "",
    work: .nothing, reads: .everything,
    session: { node throws(KernelError) in VarHandle(options: try node.options()) })

  static let assignVariable = CatalogEntry(
    .assignVariable, chapter: .variables, formula: "variable ← x", versions: .upTo(1),
    variants: "order", optimized: "",
    work: .nothing, reads: .everything,
    session: { _ throws(KernelError) in AssignVariable() })

  static let readVariable = CatalogEntry(
    .readVariable, chapter: .variables, formula: "y = variable", versions: .upTo(1),
    variants: "loop", optimized: "",
    work: .nothing, reads: .everything,
    session: { _ throws(KernelError) in ReadVariable() })
}

/// `VAR_HANDLE`: the number of a variable, the same wherever its container and name are.
///
/// TFLite: `var_handle.cc`.
struct VarHandle: SessionOperator {
  let options: VarHandleOptions

  var isLasting: Bool { true }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 0, outputs: 1)
    let name = Resources.VariableName(
      container: options.container, sharedName: options.sharedName)
    return [try .handle(session.resources.handle(of: name), node.declaredOutputs[0])]
  }
}

/// `ASSIGN_VARIABLE`: gives the variable of a handle a value, of any shape.
///
/// TFLite: `assign_variable.cc`.
struct AssignVariable: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 2, outputs: 0)
    let (handle, value) = (try node.handle(0), try node.input(1))
    let known = session.resources[variable: handle]
    if let known, known.type == value.type, known.bytes.copy(from: value.bytes) { return [] }
    try session.hold(value.heldByteCount)
    if let known { session.release(known.heldByteCount) }
    session.resources.assign(value.copied(), to: handle)
    return []
  }

  func shortcut(_ node: SessionNode, in session: any OperatorSession) -> SessionShortcut? {
    guard let handle = try? node.handle(0), let variable = session.resources.variable(handle),
      let value = try? node.input(1), value.type == variable.value.type
    else { return nil }
    return .assign(variable)
  }
}

/// `READ_VARIABLE`: the value of the variable of a handle.
///
/// TFLite: `read_variable.cc`. It copies as many bytes as the declared shape of the output has,
/// whatever the variable's; here a variable of another shape is an error, unless the output is
/// declared without dimensions, which means that any will do.
struct ReadVariable: SessionOperator {
  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    try node.expect(inputs: 1, outputs: 1)
    let declared = node.declaredOutputs[0]
    guard let value = session.resources[variable: try node.handle(0)] else {
      throw .invalid("is read before it has been assigned", .input(0))
    }
    guard value.type.elementType == declared.elementType else {
      throw .elementType(value.type.elementType, .output(0))
    }
    guard declared.shape.rank == 0 || declared.byteCount == value.type.byteCount else {
      throw .invalid(
        "the variable has shape \(value.type.shape), wanted \(declared.shape)", .output(0))
    }
    let shape = declared.shape.rank == 0 ? value.type.shape : declared.shape
    let type = TensorType(declared.elementType, shape, quantization: declared.quantization)
    return [TensorValue(type, value.bytes)]
  }

  func shortcut(_ node: SessionNode, in session: any OperatorSession) -> SessionShortcut? {
    (try? node.handle(0)).flatMap { session.resources.variable($0) }.map { .read($0) }
  }
}

extension TensorValue {
  /// What a variable of this value takes: its bytes, and its place among the variables.
  fileprivate var heldByteCount: Int { bytes.byteCount + 256 }

  /// The tensor of a handle: its number as one int32.
  ///
  /// - Throws: `KernelError` where the declared output is neither a resource nor int32.
  static func handle(
    _ number: Int32, _ declared: TensorType
  ) throws(KernelError) -> TensorValue {
    guard [.resource, .int32].contains(declared.elementType) else {
      throw .elementType(declared.elementType, .output(0))
    }
    let shape = declared.shape.elementCount == 1 ? declared.shape : .scalar
    return TensorValue(
      TensorType(declared.elementType, shape), TensorBytes(copying: [number]))
  }
}

extension SessionNode {
  /// The number of a handle.
  ///
  /// - Throws: `KernelError` where the input is no single resource or int32.
  func handle(_ position: Int) throws(KernelError) -> Int32 {
    let value = try input(position)
    guard [.resource, .int32].contains(value.type.elementType) else {
      throw .elementType(value.type.elementType, .input(position))
    }
    guard value.type.shape.elementCount == 1, value.bytes.byteCount >= 4 else {
      throw .invalid("shape \(value.type.shape), wanted one handle", .input(position))
    }
    let quantizedValues = value.bytes.span(as: UInt8.self)
    return (0..<4).reduce(0) { $0 | Int32(quantizedValues[$1]) << Int32(8 * $1) }
  }
}

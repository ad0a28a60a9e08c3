// SPDX-License-Identifier: Apache-2.0

import ModelSchema
import Tensors

extension CatalogEntry {
  /// `IF`.
  static let `if` = CatalogEntry(
    .if, chapter: .control, formula: "outputs = condition ? then(inputs[1…]) : else(inputs[1…])",
    versions: .upTo(1),
    variants: "f32 i32 dynamic_shape nested", optimized: "",
    work: .nothing, reads: .everything,
    session: { node throws(KernelError) in If(options: try node.options()) })

  static let stablehloCase = CatalogEntry(
    .stablehloCase, chapter: .control, formula: "outputs = branches[index](inputs[1…])",
    versions: .upTo(1, reference: 0),
    variants: "f32", optimized: "",
    work: .nothing, reads: .everything,
    session: { node throws(KernelError) in StablehloCase(options: try node.options()) })

  static let stablehloComposite = CatalogEntry(
    .stablehloComposite, chapter: .control, formula: "outputs = decomposition(inputs)",
    versions: .upTo(1),
    variants: "f32", optimized: "",
    work: .nothing, reads: .everything,
    session: { node throws(KernelError) in StablehloComposite(options: try node.options()) })

  static let callOnce = CatalogEntry(
    .callOnce, chapter: .control, formula: nil, versions: .upTo(1),
    variants: "f32 i32 i64 i8 u8 bool", optimized: "",
    work: .nothing, reads: .everything,
    session: { node throws(KernelError) in CallOnce(options: try node.options()) })
}

/// `IF`: runs one of two subgraphs on all inputs but the first, which is the condition.
///
/// The condition is one bool. The branches may give outputs of different shapes. TFLite: `if.cc`.
struct If: SessionOperator {
  let options: IfOptions

  var calledSubgraphs: [Int] { [Int(options.thenSubgraph), Int(options.elseSubgraph)] }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    let condition = try node.scalar(0, as: BoolByte.self).value
    let branch = condition ? options.thenSubgraph : options.elseSubgraph
    return try session.call(Int(branch), node.arguments(from: 1))
  }
}

/// `STABLEHLO_CASE`: runs one of several subgraphs on all inputs but the first, which says which.
///
/// The index is one int32; one out of range means the last subgraph. TFLite: `stablehlo_case.cc`,
/// which takes all subgraphs of the model but the first for branches; here they are those that the
/// options list.
struct StablehloCase: SessionOperator {
  let options: StablehloCaseOptions

  var calledSubgraphs: [Int] { options.branches.map { Int($0) } }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    let index = Int(try node.scalar(0, as: Int32.self))
    guard let last = options.branches.last else { throw .invalid("no branches") }
    let branch = options.branches.indices.contains(index) ? options.branches[index] : last
    return try session.call(Int(branch), node.arguments(from: 1))
  }
}

/// `STABLEHLO_COMPOSITE`: an operation with a name, computed by the subgraph that says what it
/// does.
///
/// TFLite: `stablehlo_composite.cc`.
struct StablehloComposite: SessionOperator {
  let options: StableHLOCompositeOptions

  var calledSubgraphs: [Int] { [Int(options.decomposition)] }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    guard !node.inputs.isEmpty else { throw .invalid("no inputs") }
    return try session.call(Int(options.decomposition), node.arguments())
  }
}

/// `CALL_ONCE`: runs a subgraph without inputs and outputs, but only the first time for the
/// interpreter; it fills variables and tables.
///
/// TFLite: `call_once.cc`.
struct CallOnce: SessionOperator {
  let options: CallOnceOptions

  var calledSubgraphs: [Int] { [Int(options.initializer)] }

  func run(
    _ node: SessionNode, in session: any OperatorSession
  ) throws(KernelError) -> [TensorValue] {
    let subgraph = Int(options.initializer)
    if session.resources.initialized.contains(subgraph) { return [] }
    _ = try session.call(subgraph, [])
    session.resources.initialized.insert(subgraph)
    return []
  }

  func shortcut(_ node: SessionNode, in session: any OperatorSession) -> SessionShortcut? {
    session.resources.initialized.contains(Int(options.initializer)) ? .nothing : nil
  }
}

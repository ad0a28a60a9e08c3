// SPDX-License-Identifier: Apache-2.0

package import ModelFormat
public import ReferenceKernels

/// Custom operators by the name that models give them.
public struct CustomOperators: Sendable {
  /// Makes an operator from what the model says about a node.
  public typealias Factory = @Sendable (NodeDescription) throws(KernelError) -> any Operator

  private var factories: [String: Factory] = [:]

  /// No operators but those that Martlet brings.
  public init() {}

  /// Registers an operator; it goes before one of the same name that Martlet brings.
  public mutating func register(_ name: String, _ factory: @escaping Factory) {
    factories[name] = factory
  }

  func factory(_ identity: OperatorIdentity) -> Factory? {
    identity.code == .custom ? identity.customName.flatMap { factories[$0] } : nil
  }
}

extension NodeDescription {
  /// What a file says about a node.
  init(_ node: ModelFile.Node) {
    self.init(
      version: Int(node.identity.version), options: node.options,
      customOptions: node.customOptions)
  }
}

extension CustomOperators {
  /// The operator of `node`.
  ///
  /// - Throws: `InferenceError` for an operator without kernels and for wrong options.
  package func makeOperator(for node: ModelFile.Node) throws(InferenceError) -> any Operator {
    let description = NodeDescription(node)
    do throws(KernelError) {
      if let make = factory(node.identity) { return try make(description) }
      if let entry = OperatorCatalog.entry(of: node.identity) {
        if let versions = entry.versions, !versions.contains(description.version) {
          throw KernelError.unsupported(
            "version \(description.version), wanted 1 to \(versions.highest)")
        }
        return try entry.make(description)
      }
    } catch {
      throw InferenceError(.kernel(error))
    }
    throw InferenceError(.unsupportedOperator(node.identity.name))
  }

  /// The operator of a node, if it runs as part of a session.
  func sessionOperator(of node: ModelFile.Node) -> (any SessionOperator)? {
    guard let make = entry(of: node.identity)?.makeSession else { return nil }
    return try? make(NodeDescription(node))
  }

  /// The record of an operator; nil where it is registered here, or has no kernel.
  package func entry(of identity: OperatorIdentity) -> CatalogEntry? {
    factory(identity) == nil ? OperatorCatalog.entry(of: identity) : nil
  }
}

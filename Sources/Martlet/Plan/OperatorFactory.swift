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

  func factory(_ name: String) -> Factory? { factories[name] ?? OperatorCatalog.custom[name] }
}

extension CustomOperators {
  /// The operator of `node`.
  ///
  /// - Throws: `InferenceError` for an operator without kernels and for wrong options.
  package func makeOperator(for node: ModelFile.Node) throws(InferenceError) -> any Operator {
    let description = NodeDescription(
      version: Int(node.identity.version), options: node.options,
      customOptions: node.customOptions)
    do throws(KernelError) {
      if node.identity.code == .custom, let name = node.identity.customName {
        if let make = factory(name) { return try make(description) }
      } else if let code = node.identity.code, let entry = OperatorCatalog.byCode[code] {
        guard (1...entry.highestVersion).contains(description.version) else {
          throw KernelError.unsupported(
            "version \(description.version), wanted 1 to \(entry.highestVersion)")
        }
        return try entry.make(description)
      }
    } catch {
      throw InferenceError(.kernel(error))
    }
    throw InferenceError(.unsupportedOperator(node.identity.name))
  }
}

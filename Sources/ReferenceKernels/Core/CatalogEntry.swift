// SPDX-License-Identifier: Apache-2.0

package import ModelFormat

/// A built-in operator: its code, the element types it takes, and how it is made.
package struct CatalogEntry: Sendable {
  /// The schema's code.
  package let code: OperatorCode
  /// The element-type variants with a kernel, in the notation of `Docs/Operators.md`.
  package var variants: [String] { variantText.split(separator: " ").map(String.init) }
  private let variantText: String
  /// Makes the operator of a node from the node's options.
  package let make: @Sendable (NodeDescription) throws(KernelError) -> any Operator

  /// The operator `code` with kernels for `variants`, separated by spaces.
  package init(
    _ code: OperatorCode, variants: String,
    make: @escaping @Sendable (NodeDescription) throws(KernelError) -> any Operator
  ) {
    self.code = code
    variantText = variants
    self.make = make
  }
}

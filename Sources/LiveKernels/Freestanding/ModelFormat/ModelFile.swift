// SPDX-License-Identifier: Apache-2.0

@_exported public import ModelSchema

/// The name under which kernels and explanations know the parts of a model file: in a page there
/// is no file to read.
package enum ModelFile {
  /// What a page knows of a node apart from its tensors: nothing that explanations ask for.
  package struct Node: Sendable {
    /// The node.
    package init() {}
  }
}

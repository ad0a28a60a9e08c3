// SPDX-License-Identifier: Apache-2.0

import ModelFormat

extension LiveNode {
  /// What a page knows of the node apart from its tensors.
  static var node: ModelFile.Node { ModelFile.Node() }
}

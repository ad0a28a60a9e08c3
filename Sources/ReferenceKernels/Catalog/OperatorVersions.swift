// SPDX-License-Identifier: Apache-2.0

/// The versions of an operator that run.
///
/// A version says which types and options a node may use; kernels find that in the node itself, so
/// all versions up to the highest run alike. Measured: what LiteRT 2.3.0's resolvers accept.
package struct OperatorVersions: Sendable, Hashable {
  /// The highest version; lower ones run, too.
  package let highest: Int
  /// The highest version that LiteRT's reference kernels take; 0 where they lack the operator.
  package let highestInReference: Int

  /// All versions up to `highest`, as LiteRT's reference kernels, too, take them.
  package static func upTo(_ highest: Int) -> OperatorVersions {
    OperatorVersions(highest: highest, highestInReference: highest)
  }

  /// All versions up to `highest`, of which LiteRT's reference kernels take those up to
  /// `reference`; 0 where they lack the operator.
  package static func upTo(_ highest: Int, reference: Int) -> OperatorVersions {
    OperatorVersions(highest: highest, highestInReference: reference)
  }

  /// Whether a version runs.
  package func contains(_ version: Int) -> Bool { version >= 1 && version <= highest }

  /// Whether a version runs on LiteRT's optimized kernels, but not on its reference kernels.
  package func isBeyondReference(_ version: Int) -> Bool {
    contains(version) && version > highestInReference
  }
}

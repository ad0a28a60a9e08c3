// SPDX-License-Identifier: Apache-2.0

/// What the bytes of a file are for.
package struct ByteUsage: Sendable {
  /// What bytes are for.
  package enum Kind: String, Sendable, CaseIterable {
    /// The values of tensors.
    case weights
    /// Tensors without their names and values: types, shapes, quantization.
    case tensors
    /// Operator codes and nodes, with their options.
    case operators
    /// Texts.
    case names
    /// Entries of metadata and what they hold.
    case metadata
    /// All other tables: the root, subgraphs, buffers, signatures.
    case structure
    /// The files packed behind the FlatBuffer.
    case archive
    /// What nothing refers to, most of it between parts that lie at multiples of 16.
    case unreferenced
  }

  /// The bytes of each kind; empty until the claims are settled.
  private(set) package var byteCounts: [Kind: Int] = [:]
  private var claims: [(range: Range<Int>, kind: Kind)] = []

  /// Says that bytes are of a kind.
  mutating func claim(_ range: Range<Int>, for kind: Kind) {
    if !range.isEmpty { claims.append((range, kind)) }
  }

  /// Counts each byte of the file once, for the claim that begins first.
  mutating func settle(byteCount: Int) {
    var end = 0
    for (range, kind) in claims.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      let (first, last) = (max(range.lowerBound, end), min(range.upperBound, byteCount))
      guard first < last else { continue }
      byteCounts[kind, default: 0] += last - first
      end = last
    }
    byteCounts[.unreferenced] = byteCount - byteCounts.values.reduce(0, +)
    claims = []
  }
}

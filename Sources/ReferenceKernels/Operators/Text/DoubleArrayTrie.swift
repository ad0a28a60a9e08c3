// SPDX-License-Identifier: Apache-2.0

/// A trie of byte strings in one array, as Darts lays it out.
///
/// A node has 32 bits: its label in the lowest eight, whether a string ends at it in bit 8, and the
/// offset to its children above, by which the position is changed with an exclusive or. A node with
/// bit 31 set holds the number of the string that ends at its parent.
/// TensorFlow Lite Support: `double_array_trie.h`.
package struct DoubleArrayTrie: Sendable {
  /// The nodes.
  @usableFromInline let nodes: [UInt32]

  /// A trie of these nodes, the root first.
  package init(nodes: [UInt32]) { self.nodes = nodes }

  /// Calls `found` with the number and the length of every string of the trie that `text` begins
  /// with, the shortest first, up to `limit` of them.
  ///
  /// It ends where a damaged trie leads out of itself. Each step counts towards `stepCount`.
  @inlinable
  @inline(__always)
  package func forEachPrefix<Failure: Error>(
    of text: ArraySlice<UInt8>, limit: Int = .max, stepCount: inout Int,
    _ found: (_ number: Int, _ length: Int) throws(Failure) -> Void
  ) throws(Failure) {
    guard let root = nodes.first else { return }
    var count = 0
    var position = Self.offset(root)
    for index in text.indices {
      stepCount += 1
      position ^= UInt32(text[index])
      guard position < nodes.count else { return }
      let node = nodes[Int(position)]
      guard node & 0x8000_00ff == UInt32(text[index]) else { return }
      position ^= Self.offset(node)
      guard position < nodes.count else { return }
      if node & 0x100 != 0 {
        try found(Int(nodes[Int(position)] & 0x7fff_ffff), index - text.startIndex + 1)
        count += 1
        guard count < limit else { return }
      }
    }
  }

  @inlinable
  static func offset(_ node: UInt32) -> UInt32 {
    (node >> 10) << ((node & 0x200) >> 6)
  }
}

// SPDX-License-Identifier: Apache-2.0

/// A trie of byte strings in one array, as Darts lays it out.
///
/// A node has 32 bits: its label in the lowest eight, whether a string ends at it in bit 8, and the
/// offset to its children above, by which the position is changed with an exclusive or. A node with
/// bit 31 set holds the number of the string that ends at its parent.
/// TensorFlow Lite Support: `double_array_trie.h`.
struct DoubleArrayTrie {
  /// The nodes.
  let nodes: [UInt32]

  /// Calls `found` with the number and the length of every string of the trie that `text` begins
  /// with, the shortest first.
  ///
  /// It ends where a damaged trie leads out of itself. Each step counts towards `stepCount`.
  @inline(__always)
  func forEachPrefix(
    of text: ArraySlice<UInt8>, stepCount: inout Int,
    _ found: (_ number: Int, _ length: Int) throws(KernelError) -> Void
  ) throws(KernelError) {
    guard let root = nodes.first else { return }
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
      }
    }
  }

  private static func offset(_ node: UInt32) -> UInt32 {
    (node >> 10) << ((node & 0x200) >> 6)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Tensors

/// How much an operator of text models makes of a text before it gives up.
///
/// Texts of a megabyte stay far below; a damaged model, or a text made for it, may ask for a
/// multiple of the memory or time.
enum TextLimits {
  /// The most strings of an output.
  static let stringCount = 1 << 22
  /// The most bytes of an output's strings, and of a normalized text.
  static let byteCount = 1 << 25
  /// The most steps through a trie.
  static let trieSteps = 1 << 26

  /// Checks the number and the bytes of strings for an output.
  ///
  /// - Throws: `KernelError` where there are too many.
  static func check(stringCount count: Int, byteCount bytes: Int = 0) throws(KernelError) {
    guard count <= stringCount else {
      throw .unsupported("more than \(stringCount) strings", .output(0))
    }
    guard bytes <= byteCount else {
      throw .unsupported("strings of more than \(byteCount) bytes in all", .output(0))
    }
  }
}

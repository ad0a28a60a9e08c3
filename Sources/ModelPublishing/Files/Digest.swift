// SPDX-License-Identifier: Apache-2.0

/// Which strings can be hashes.
package enum Digest {
  /// The most bytes of a host's hash.
  private static let hashLengthLimit = 1024

  /// Whether `text` is 64 lowercase hexadecimal digits.
  package static func isSHA256(_ text: String) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// Whether `text` can be a host's hash: short, and fit for a header.
  package static func isHash(_ text: String) -> Bool {
    (1...hashLengthLimit).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

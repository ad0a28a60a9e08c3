// SPDX-License-Identifier: Apache-2.0

extension Span<UInt8> {
  /// A copy of the bytes.
  package var copy: [UInt8] {
    var copy = [UInt8](repeating: 0, count: count)
    var target = copy.mutableSpan
    for index in indices { target[index] = self[index] }
    return copy
  }

  /// Whether the bytes are those of another span.
  package func isEqual(to other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}

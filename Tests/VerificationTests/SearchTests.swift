// SPDX-License-Identifier: Apache-2.0

import Formatting
import Testing

/// Searches in text, byte for byte.
@Suite struct SearchTests {
  @Test func `a text is found where it stands first`() {
    let text = "aab, aab"
    #expect(text.firstRange(ofText: "ab").map { String(text[$0.upperBound...]) } == ", aab")
    #expect(text.dropFirst(3).firstRange(ofText: "ab")?.upperBound == text.endIndex)
    #expect(text.firstRange(ofText: "abb") == nil)
    #expect("ab".firstRange(ofText: "abc") == nil)
    #expect("ab".firstRange(ofText: "") == nil)
    #expect("".firstRange(ofText: "a") == nil)
  }

  @Test func `a text is contained`() {
    #expect("StatefulPartitionedCall:3".contains(text: ":3"))
    #expect("größer".contains(text: "öß"))
    // Other bytes of the same text are another text.
    #expect(!"gro\u{308}ßer".contains(text: "ö"))
    #expect(!"a".contains(text: ""))
  }

  @Test func `parts are not empty`() {
    #expect("a\n\nb\nc\n\n\n\n".split(separatorText: "\n\n") == ["a", "b\nc"])
    #expect("".split(separatorText: ",").isEmpty)
    #expect("abc".split(separatorText: ",") == ["abc"])
    #expect("aaa".split(separatorText: "aa") == ["a"])
  }

  @Test func `every occurrence is replaced`() {
    #expect("it's 'it'".replacing(text: "'", with: "'\\''") == "it'\\''s '\\''it'\\''")
    #expect("aaaa".replacing(text: "aa", with: "a") == "aa")
    #expect("1 × 2 × 3".replacing(text: " × ", with: "×") == "1×2×3")
    #expect("abc".replacing(text: "", with: "x") == "abc")
  }
}

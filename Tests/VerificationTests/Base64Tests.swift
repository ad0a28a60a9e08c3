// SPDX-License-Identifier: Apache-2.0

import Formatting
import Foundation
import Testing

@Suite struct Base64Tests {
  /// The test vectors of RFC 4648, section 10.
  @Test(
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
  func `the RFC's vectors are written and read`(bytes: String, text: String) {
    #expect(Base64.text(Array(bytes.utf8)) == text)
    #expect(Base64.bytes(text) == Array(bytes.utf8))
  }

  @Test(arguments: 0..<70) func `every length agrees with Foundation`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 250) }
    let text = Data(bytes).base64EncodedString()
    #expect(Base64.text(bytes) == text)
    #expect(Base64.bytes(text) == bytes)
  }

  @Test(arguments: ["Z", "Zg", "Zg=", "Zg==Zg==", "Z===", "====", "Zm9v\n", "Zm-v", "Zm9_", "Zm 9"])
  func `what is no base64 is refused`(text: String) {
    #expect(Base64.bytes(text) == nil)
  }
}

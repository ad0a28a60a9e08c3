// SPDX-License-Identifier: Apache-2.0

import ModelHosting
import Testing

/// Addresses.
@Suite struct AddressTests {
  @Test(arguments: [
    "https://models.example.org", "HTTPS://example.org/x", "http://127.0.0.1:8080",
    "http://127.255.0.9", "http://localhost/x", "http://[::1]:80/x",
  ])
  func `that are encrypted or stay on this machine may be asked`(address: String) {
    #expect(AddressPolicy(allowsPlainHTTP: false).allows(address))
  }

  @Test(arguments: [
    "http://example.org", "http://127.0.0.1.example.org", "http://127.0.0.256",
    "http://localhost.example.org", "http://192.168.0.1", "http://128.0.0.1", "http://0.0.0.0",
  ])
  func `that are not may be asked only when that is allowed`(address: String) {
    #expect(!AddressPolicy(allowsPlainHTTP: false).allows(address))
    #expect(AddressPolicy(allowsPlainHTTP: true).allows(address))
  }

  @Test(arguments: [
    "", "x", "file:///etc/passwd", "ftp://127.0.0.1/", "http://", "https:///x", "//x",
  ])
  func `of other kinds never are`(address: String) {
    #expect(!AddressPolicy(allowsPlainHTTP: true).allows(address))
  }
}

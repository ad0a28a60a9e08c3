// SPDX-License-Identifier: Apache-2.0

import ModelHosting
import Testing

@Suite("addresses")
struct AddressTests {
  @Test(
    "that are encrypted or stay on this machine may be asked",
    arguments: [
      "https://models.example.org", "HTTPS://example.org/x", "http://127.0.0.1:8080",
      "http://127.255.0.9", "http://localhost/x", "http://[::1]:80/x",
    ])
  func allowed(address: String) {
    #expect(AddressPolicy(allowsPlainHTTP: false).allows(address))
  }

  @Test(
    "that are not may be asked only when that is allowed",
    arguments: [
      "http://example.org", "http://127.0.0.1.example.org", "http://127.0.0.256",
      "http://localhost.example.org", "http://192.168.0.1", "http://128.0.0.1", "http://0.0.0.0",
    ])
  func plain(address: String) {
    #expect(!AddressPolicy(allowsPlainHTTP: false).allows(address))
    #expect(AddressPolicy(allowsPlainHTTP: true).allows(address))
  }

  @Test(
    "of other kinds never are",
    arguments: ["", "x", "file:///etc/passwd", "ftp://127.0.0.1/", "http://", "https:///x", "//x"])
  func others(address: String) {
    #expect(!AddressPolicy(allowsPlainHTTP: true).allows(address))
  }
}

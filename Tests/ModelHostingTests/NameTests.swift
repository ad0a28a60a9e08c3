// SPDX-License-Identifier: Apache-2.0

import ModelHosting
import Testing

/// Names of models.
@Suite struct NameTests {
  private let store = ModelStore(root: "/models", app: "app")

  @Test(arguments: [
    ("flowers", "flowers"), ("v1.2_x-y", "v1.2_x-y"), ("a b", "a%20b"), ("a@@b", "a%40%40b"),
    ("100%", "100%25"), ("größe", "gr%C3%B6%C3%9Fe"), ("~", "%7E"), ("a\\b", "a%5Cb"),
    ("-rf", "-rf"), (".hidden", ".hidden"),
    (String(repeating: "x", count: 200), String(repeating: "x", count: 200)),
  ])
  func `become names of files`(name: String, encoded: String) throws {
    #expect(try store.path(of: name) == "/models/fbml_model@@app@@\(encoded).tflite")
  }

  @Test(arguments: [
    "/", "a/b", "/etc/passwd", "..", "../x", "a..b", ".", "a\0b", "a\nb", "a\u{1B}[2Jb", "\u{7F}",
    "a\u{2028}b", "a\u{85}b", String(repeating: "x", count: 201),
    String(repeating: "x", count: 5000), String(repeating: "ß", count: 67),
  ])
  func `that could leave the folder, or are too long, are refused`(name: String) {
    let error = #expect(throws: HostingError.self) { try store.path(of: name) }
    #expect(error?.reason == .invalidModelName)
    #expect(error?.downloadError == .invalidArgument)
  }

  @Test func `that are empty have an error of their own`() {
    let error = #expect(throws: HostingError.self) { try store.path(of: "") }
    #expect(error?.downloadError == .emptyModelName)
  }

  @Test func `of apps are encoded too`() throws {
    let store = ModelStore(root: "/models", app: "../@@app")
    #expect(try store.path(of: "m") == "/models/fbml_model@@..%2F%40%40app@@m.tflite")
    let long = ModelStore(root: "/models", app: String(repeating: "x", count: 100))
    #expect(throws: HostingError.self) { try long.path(of: String(repeating: "y", count: 150)) }
  }

  @Test func `of published models and projects are plain`() {
    for name in ["a", "flowers-2", "x_1.0"] { #expect(PublishedModel.isName(name)) }
    for name in ["", ".x", "a..b", "a/b", "a b", "a\"b", "a;b", "$x", "ä", "a:b"] {
      #expect(!PublishedModel.isName(name))
    }
  }
}

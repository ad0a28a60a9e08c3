// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Commands
import FileAccess
import Foundation
import JSONDocuments
import Testing

/// Martlet publish and fetch.
@Suite struct HostingCommandTests {
  private func model(_ console: CapturedConsole, _ name: String) throws {
    let path = try BundledModels.path(of: BundledModels.digits)
    try console.put(try InputFile.bytes(at: path), name)
  }

  @Test func `publish writes a tree with the model, its document and nginx's configuration`() throws
  {
    let console = CapturedConsole()
    try model(console, "flowers.tflite")
    let line = "publish DIR/flowers.tflite --output DIR/host --project demo --json"
    #expect(console.run(line + " --base-url https://models.example.org/") == 0)
    let document = try JSON(parsing: console.output)
    let file = try #require(document["models"]?.array?.first?["file"]?.string)
    let host = console.folder + "/host/"
    let models = try InputFile.bytes(at: host + file)
    #expect(models == (try InputFile.bytes(at: console.folder + "/flowers.tflite")))
    let description = try JSON(
      parsing: try InputFile.bytes(
        at: host + "current/v1beta2/projects/demo/models/flowers.json"))
    #expect(description["downloadUri"] == .string("https://models.example.org/" + file))
    #expect(description["sizeBytes"] == .string("\(models.count)"))
    #expect(Folder.kind(of: host + "nginx.conf") == .file)
    #expect(Folder.kind(of: host + "SHA256SUMS") == .file)
  }

  @Test func `publish leaves the administrator's nginx.conf and the other models alone`() throws {
    let console = CapturedConsole()
    try model(console, "a.tflite")
    #expect(console.run("publish DIR/a.tflite --output DIR/host --project demo") == 0)
    try console.put(Array("# mine\n".utf8), "host/nginx.conf")
    #expect(
      console.run("publish DIR/a.tflite --output DIR/host --project demo --name b") == 0)
    let host = console.folder + "/host/"
    #expect(try InputFile.bytes(at: host + "nginx.conf") == Array("# mine\n".utf8))
    let names = try Folder.names(in: host + "current/v1beta2/projects/demo/models")
    #expect(names == ["a.json", "b.json"])
  }

  @Test(
    arguments: [
      ("publish DIR/text.tflite --output DIR/host --project demo", 65),
      ("publish DIR/missing.tflite --output DIR/host --project demo", 66),
      ("publish DIR/m.tflite --output DIR/host --project de/mo", 64),
      ("publish DIR/m.tflite --output DIR/host --project demo --name ../x", 64),
      ("publish DIR/m.tflite DIR/text.tflite --output DIR/host --project demo --name x", 64),
      ("publish DIR/m.tflite --output DIR/host", 64),
      ("publish DIR/m.tflite --project demo", 64),
      ("publish DIR/m.tflite --output DIR/host --project demo --base-url ftp://x", 64),
      ("publish DIR/m.tflite --output DIR/host --project demo --listen 80;", 64),
    ] as [(String, Int32)])
  func `publish refuses what is no model, and names that are none`(line: String, code: Int32) throws
  {
    let console = CapturedConsole()
    try model(console, "m.tflite")
    try console.put(Array("no model".utf8), "text.tflite")
    #expect(console.run(line) == code)
    #expect(console.errors.hasPrefix("error: "))
    #expect(Folder.kind(of: console.folder + "/host/current") == nil)
  }

  @Test(arguments: ["https://models.example.org:8443/a/%7Eb/", "HTTP://[::1]:80", "http://u@h"])
  func `publish takes addresses that the paths of files can follow`(address: String) throws {
    let console = CapturedConsole()
    try model(console, "m.tflite")
    let line = "publish DIR/m.tflite --output DIR/host --project demo --base-url "
    #expect(console.run(line + address) == 0, "\(console.errors)")
  }

  @Test(arguments: [
    "", "x", "//x", "file:///etc", "ftp://127.0.0.1/", "http://", "https:///x", "https:x",
    "https://h:x", "https://h:+1", "https://h:65536", "https://[::1", "https://[]", "https://[a]b",
    "https://a]", "https://:80", "https://u@", "https://h/?x", "https://h#x", "https://h/%4",
    "https://h/%zz", "https://h/\"", "https://hé",
  ])
  func `publish refuses other addresses`(address: String) throws {
    let console = CapturedConsole()
    try model(console, "m.tflite")
    let line = "publish DIR/m.tflite --output DIR/host --project demo --base-url=" + address
    #expect(console.run(line) == 64)
    #expect(console.errors.hasPrefix("error: '\(address)' for '--base-url', wanted an https"))
    #expect(Folder.kind(of: console.folder + "/host") == nil)
  }

  @Test(
    arguments: [
      ("m --host http://models.example.org --project p", 64),
      ("m --host ftp://127.0.0.1 --project p", 64),
      ("m --host http://127.0.0.1:1", 64), ("--project p", 64),
      ("../m --host http://127.0.0.1:1 --project p --cache DIR/c", 64),
      ("m --host http://127.0.0.1:1 --project p --timeout 0", 64),
      ("m --host http://127.0.0.1:1 --project p --timeout x", 64),
      ("m --host http://127.0.0.1:1 --layout huggingface", 64),
      ("m --layout files", 64), ("m --layout ftp", 64),
      ("m --host http://127.0.0.1:1 --project p --cache DIR/c --offline", 66),
    ] as [(String, Int32)])
  func `martlet-fetch says what is wrong with the command line of fetch`(
    line: String, code: Int32
  ) {
    let console = CapturedConsole()
    #expect(console.fetch(line) == code, "\(console.errors)")
    #expect(console.errors.hasPrefix("error: "))
    #expect(!console.errors.contains("martlet-fetch"), "people call martlet fetch")
    #expect(console.text == "")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Compression
import FileAccess
import Foundation
import GoldenCases
import Npy
import TestSupport
import Testing

/// Paths that lead into zip archives.
@Suite struct ArchivedFileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("martlet-archives-\(UUID().uuidString)").path

  /// Writes an archive of these files, and gives its path.
  private func archive(
    _ files: [(name: String, text: String)], method: ZipWriter.Method = .stored
  ) throws -> String {
    var writer = ZipWriter()
    for file in files { try writer.add(file.name, Array(file.text.utf8).span, method: method) }
    try Folder.create(at: folder)
    let path = "\(folder)/files.zip"
    try OutputFile.write(try writer.finish(), to: path)
    return path
  }

  @Test(arguments: [ZipWriter.Method.stored, .deflated])
  func `files and folders are found behind the archive's name`(method: ZipWriter.Method) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try archive(
      [("b/two.txt", "2"), ("a.txt", "1"), ("b/c/three.txt", "3")], method: method)
    #expect(try Folder.names(in: path) == ["a.txt", "b"])
    #expect(try Folder.names(in: "\(path)/b/") == ["c", "two.txt"])
    #expect(Folder.kind(of: path) == .file)
    #expect(Folder.kind(of: "\(path)/b") == .folder)
    #expect(Folder.kind(of: "\(path)/b/c/three.txt") == .file)
    #expect(Folder.kind(of: "\(path)/none") == nil)
    #expect(try InputFile.bytes(at: "\(path)/b//two.txt") == Array("2".utf8))
    let missing = #expect(throws: FileSystemError.self) {
      try InputFile.bytes(at: "\(path)/none")
    }
    #expect(missing?.isMissing == true)
    #expect(throws: FileSystemError.self) { try InputFile.bytes(at: "\(path)/b") }
  }

  @Test func `an archive that was written anew is read anew`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for text in ["first", "second"] {
      let path = try archive([("a.txt", text)])
      #expect(try InputFile.bytes(at: "\(path)/a.txt") == Array(text.utf8))
    }
  }

  @Test(arguments: ["../a", "/a", "a/../b", "a\\b", "a//b"])
  func `names that lead out of the archive are refused`(name: String) throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try archive([(name, "1")])
    let error = #expect(throws: FileSystemError.self) { try Folder.names(in: path) }
    #expect(error?.description.contains("unsafe name") == true)
  }

  @Test func `two entries of one name are refused`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try archive([("a", "1"), ("a", "2")])
    let error = #expect(throws: FileSystemError.self) { try InputFile.bytes(at: "\(path)/a") }
    #expect(error?.description.hasSuffix("two entries are called \"a\"") == true)
  }

  @Test func `every prefix of an archive is refused`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let whole = try InputFile.bytes(at: try archive([("a/b", "content")]))
    for count in 0..<whole.count {
      let path = "\(folder)/\(count).zip"
      try OutputFile.write(Array(whole.prefix(count)), to: path)
      let error = #expect(throws: FileSystemError.self, "\(count)") {
        try InputFile.bytes(at: "\(path)/a/b")
      }
      #expect(error?.description.hasPrefix("cannot read \(path)") == true, "\(count)")
      try FileManager.default.removeItem(atPath: path)
    }
  }

  @Test func `a damaged file is refused by its checksum`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try archive([("a", "content")])
    var bytes = try InputFile.bytes(at: path)
    bytes[31] ^= 1
    try OutputFile.write(bytes, to: path)
    let error = #expect(throws: FileSystemError.self) { try InputFile.bytes(at: "\(path)/a") }
    #expect(error?.description.contains("checksum") == true)
  }

  @Test func `a case's facts come from the index above it`() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let index = #"{"one": {"engine": "mine", "tolerance": {"out_0": 0.5}}, "two": {"rounding": 7}}"#
    let path = try archive([
      ("cases.json", index), ("one/model.tflite", ""), ("one/out_0.npy", ""),
      ("two/model.tflite", ""), ("two/out_0.npy", ""), ("three/out_0.npy", ""),
    ])
    #expect(
      try GoldenCase.folders(in: path) == ["one", "three", "two"].map { "\(path)/\($0)" })
    let golden = try GoldenCase(in: "\(path)/one")
    #expect(golden.provenance.map(\.word) == ["mine"])
    #expect(golden.tolerance(of: "0") == .absolute(0.5))
    #expect(golden.model == "\(path)/one/model.tflite")
    let error = #expect(throws: GoldenError.self) { try GoldenCase(in: "\(path)/two") }
    #expect(error?.description == "\(path)/cases.json: 'rounding' is not as the format says")
    let orphan = #expect(throws: GoldenError.self) { try GoldenCase(in: "\(path)/three") }
    #expect(orphan?.description.hasSuffix("no model.tflite here or above") == true)
  }
}

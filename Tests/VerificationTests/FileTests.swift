// SPDX-License-Identifier: Apache-2.0

import FileAccess
import Foundation
import Npy
import Testing

/// Files.
@Suite struct FileTests {
  /// A new folder of its own.
  private func folder() throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/martlet-\(UUID().uuidString)"
    try Folder.create(at: path + "/a/b")
    return path
  }

  @Test func `a file is replaced as a whole and leaves nothing beside it`() throws {
    let folder = try folder()
    try OutputFile.write([1, 2, 3], to: folder + "/a/x")
    try OutputFile.write([4], to: folder + "/a/x")
    #expect(try InputFile.bytes(at: folder + "/a/x") == [4])
    #expect(try Folder.names(in: folder + "/a") == ["b", "x"])
  }

  @Test func `a file that is not finished never appears, and the older one stays`() throws {
    let folder = try folder()
    try OutputFile.write([1, 2, 3], to: folder + "/a/x.npz")
    var writer: NpzWriter? = try NpzWriter(to: folder + "/a/x.npz")
    try writer?.add("values", NpyArray([Int8(1)]))
    #expect(try Folder.names(in: folder + "/a").count == 3)
    #expect(try InputFile.bytes(at: folder + "/a/x.npz") == [1, 2, 3])
    writer = nil
    #expect(try Folder.names(in: folder + "/a") == ["b", "x.npz"])
    writer = try NpzWriter(to: folder + "/a/x.npz")
    try writer?.finish()
    #expect(try Folder.names(in: folder + "/a") == ["b", "x.npz"])
    #expect(try NpzFile(contentsOf: folder + "/a/x.npz").names == [])
  }

  @Test func `a symbolic link stays, what it points to is replaced`() throws {
    let folder = try folder()
    try OutputFile.write([1], to: folder + "/x")
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "x")
    try OutputFile.write([2], to: folder + "/link")
    #expect(try InputFile.bytes(at: folder + "/x") == [2])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link") == "x")
  }

  @Test func `a device is written, not replaced`() throws {
    try OutputFile.write([1], to: "/dev/null")
    #expect(Folder.kind(of: "/dev/null") == .other)
    #expect(try InputFile.bytes(at: "/dev/null") == [])
  }

  @Test func `an endless file is refused, and so is a longer one than is allowed`() throws {
    let error = #expect(throws: FileSystemError.self) {
      _ = try InputFile.bytes(at: "/dev/zero", limit: 100_000)
    }
    #expect(error?.code == EINVAL)
    let path = try folder() + "/long"
    try OutputFile.write([1, 2, 3], to: path)
    #expect(throws: FileSystemError(.read, path: path, code: EFBIG)) {
      _ = try InputFile.bytes(at: path, limit: 2)
    }
  }

  @Test func `failures name the path and the reason`() throws {
    let folder = try folder()
    try OutputFile.write([1], to: folder + "/file")
    func code(_ body: () throws -> Void) -> Int32? {
      do { try body() } catch let error as FileSystemError { return error.code } catch {}
      return nil
    }
    #expect(code { try OutputFile.write([1], to: folder) } == EISDIR)
    #expect(code { try OutputFile.write([1], to: folder + "/none/x") } == ENOENT)
    #expect(code { try OutputFile.write([1], to: "") } == ENOENT)
    #expect(code { try OutputFile.write([1], to: "/dev/full") } == ENOSPC)
    #expect(code { try Folder.create(at: folder + "/file") } == ENOTDIR)
    #expect(code { try Folder.create(at: folder + "/file/x") } == ENOTDIR)
    #expect(code { _ = try InputFile.bytes(at: folder) } == EISDIR)
    #expect(code { _ = try InputFile.bytes(at: folder + "/none") } == ENOENT)
    #expect(code { _ = try InputFile.bytes(at: "a\0b") } == ENOENT)
    #expect(code { _ = try Folder.names(in: folder + "/none") } == ENOENT)
    let error = FileSystemError(.read, path: "x", code: ENOENT)
    #expect(error.description == "cannot read x: No such file or directory")
    #expect(error.isMissing)
  }

  @Test(arguments: [
    ("a/b", "a"), ("/a", "/"), ("a", nil), ("/", nil), ("a/b/", "a"), ("", nil),
    ("/a/b/c", "/a/b"),
  ])
  func `the folder above a path`(path: String, parent: String?) {
    #expect(Folder.parent(of: path) == parent)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import Compression
internal import FileAccess
internal import Tensors

/// An npz file whose arrays are expanded one at a time, when they are asked for.
public final class NpzFile {
  /// The names of the arrays in the archive's order; a name stands for the entry `<name>.npy`.
  public let names: [String]
  private let content: Content
  private let archive: ZipArchive
  private let entries: [String: ZipArchive.Entry]

  /// Where the file's bytes are.
  private enum Content {
    case read([UInt8])
    case mapped(Storage)
  }

  /// The npz file at `path`, which may change afterwards; at most 2 GiB.
  ///
  /// - Throws: `NpzFileError` where it cannot be read or is no zip archive of npy files.
  public convenience init(contentsOf path: String) throws(NpzFileError) {
    let bytes: [UInt8]
    do throws(FileSystemError) { bytes = try InputFile.bytes(at: path) } catch {
      throw .file(error)
    }
    try self.init(.read(bytes))
  }

  /// The npz file at `path`, mapped: nobody may change it while this object lives.
  package convenience init(mapping path: String) throws(NpzFileError) {
    let storage: Storage
    do throws(FileError) { storage = try Storage(mapping: path) } catch {
      throw .file(FileSystemError(.read, path: path, code: error.code))
    }
    try self.init(.mapped(storage))
  }

  /// The npz file in `bytes`.
  ///
  /// - Throws: `NpzFileError` where they are no zip archive of npy files.
  public convenience init(parsing bytes: [UInt8]) throws(NpzFileError) {
    try self.init(.read(bytes))
  }

  private init(_ content: Content) throws(NpzFileError) {
    self.content = content
    do throws(ZipError) {
      switch content {
      case .read(let bytes):
        archive = try ZipArchive(bytes.span, limits: NpzArchive.limits(forFileOf: bytes.count))
      case .mapped(let storage):
        let limits = NpzArchive.limits(forFileOf: storage.bytes.count)
        archive = try ZipArchive(storage.bytes, limits: limits)
      }
    } catch {
      throw .content(NpyError("no npz file: \(error)"))
    }
    var entries: [String: ZipArchive.Entry] = [:]
    var names: [String] = []
    for entry in archive.entries {
      guard entry.name.hasSuffix(".npy") else {
        throw .content(NpyError("entry '\(entry.name)' is no npy file"))
      }
      let name = String(entry.name.dropLast(4))
      if entries.updateValue(entry, forKey: name) == nil { names.append(name) }
    }
    self.entries = entries
    self.names = names
  }

  /// Whether there is an array called `name`.
  package func contains(_ name: String) -> Bool { entries[name] != nil }

  /// The array called `name`; nil where there is none.
  ///
  /// - Throws: `NpzFileError` where the entry is damaged or no npy file.
  public func array(_ name: String) throws(NpzFileError) -> NpyArray? {
    guard let entry = entries[name] else { return nil }
    let file = try contents(of: entry)
    do throws(NpyError) { return try NpyArray(parsing: file.span) } catch {
      throw .content(NpyError("entry '\(entry.name)': \(error)"))
    }
  }

  private func contents(of entry: ZipArchive.Entry) throws(NpzFileError) -> [UInt8] {
    do throws(ZipError) {
      switch content {
      case .read(let bytes): return try archive.contents(of: entry, in: bytes.span)
      case .mapped(let storage): return try archive.contents(of: entry, in: storage.bytes)
      }
    } catch {
      throw .content(NpyError("\(error)"))
    }
  }
}

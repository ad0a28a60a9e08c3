// SPDX-License-Identifier: Apache-2.0

internal import Compression
public import FileAccess

/// Writes an npz file array by array; no more than one of them is in memory.
///
/// A file at a path appears whole when `finish()` is called, and never without it. An archive holds
/// less than 4 GiB and at most 65,534 arrays.
public final class NpzWriter {
  private let isCompressed: Bool
  private let write: ([UInt8]) throws(FileSystemError) -> Void
  private let commit: () throws(FileSystemError) -> Void
  private var archive = ZipWriter()

  /// A writer of the npz file at `path`.
  ///
  /// - Parameters:
  ///   - path: where the file will appear.
  ///   - isCompressed: whether the arrays are deflated.
  /// - Throws: `FileSystemError` where nothing can be written there.
  public convenience init(to path: String, isCompressed: Bool = true) throws(FileSystemError) {
    let file = try PendingFile(at: path)
    self.init(
      isCompressed: isCompressed,
      write: { (bytes) throws(FileSystemError) in try file.append(bytes) },
      commit: { () throws(FileSystemError) in try file.commit() })
  }

  /// A writer that gives the file's bytes to `write`, in order.
  public convenience init(
    isCompressed: Bool = true, _ write: @escaping ([UInt8]) throws(FileSystemError) -> Void
  ) {
    self.init(isCompressed: isCompressed, write: write, commit: {})
  }

  private init(
    isCompressed: Bool, write: @escaping ([UInt8]) throws(FileSystemError) -> Void,
    commit: @escaping () throws(FileSystemError) -> Void
  ) {
    self.isCompressed = isCompressed
    self.write = write
    self.commit = commit
  }

  /// Writes an array; `name` stands for the entry `<name>.npy`.
  ///
  /// - Throws: `NpzFileError` where the archive gets too large or cannot be written.
  public func add(_ name: String, _ array: NpyArray) throws(NpzFileError) {
    let content = array.encoded()
    do throws(ZipError) {
      try archive.add("\(name).npy", content.span, method: isCompressed ? .deflated : .stored)
    } catch {
      throw Self.refusal(error)
    }
    try put(archive.takeBytes())
  }

  /// Writes the table of contents; a file at a path appears.
  ///
  /// - Throws: `NpzFileError` where the archive is too large or cannot be written.
  public func finish() throws(NpzFileError) {
    let rest: [UInt8]
    do throws(ZipError) { rest = try archive.finish() } catch { throw Self.refusal(error) }
    try put(rest)
    do throws(FileSystemError) { try commit() } catch { throw .file(error) }
  }

  private static func refusal(_ error: ZipError) -> NpzFileError {
    switch error {
    case .tooLarge: .content(NpyError("more than the 4 GiB that an npz file holds"))
    case .tooManyEntries(let limit):
      .content(NpyError("more than the \(limit) arrays that an npz file holds"))
    case .missingEndRecord, .multipleDisks, .zip64, .malformed, .overlappingEntries, .noSuchEntry,
      .encrypted, .unsupportedMethod, .expandsTooMuch, .wrongSize, .wrongChecksum, .compression:
      .content(NpyError("\(error)"))
    }
  }

  private func put(_ bytes: [UInt8]) throws(NpzFileError) {
    do throws(FileSystemError) { try write(bytes) } catch { throw .file(error) }
  }
}

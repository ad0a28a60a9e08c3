// SPDX-License-Identifier: Apache-2.0

public import FileAccess

extension NpyArray {
  /// Why an npy file cannot be loaded.
  public enum LoadError: Error, Sendable, Equatable {
    /// The file cannot be read.
    case file(FileSystemError)
    /// The file's content is not as the format says.
    case content(NpyError)
  }

  /// The array in the npy file at `path`.
  ///
  /// - Throws: `LoadError` where the file cannot be read or is no npy file.
  public init(contentsOf path: String) throws(LoadError) {
    let bytes: [UInt8]
    do throws(FileSystemError) { bytes = try InputFile.bytes(at: path) } catch {
      throw .file(error)
    }
    do throws(NpyError) { try self.init(parsing: bytes.span) } catch { throw .content(error) }
  }

  /// Writes the array as an npy file at `path`, which appears at once and whole.
  ///
  /// - Throws: `FileSystemError` where the file cannot be written.
  public func write(to path: String) throws(FileSystemError) {
    try OutputFile.write(encoded(), to: path)
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import Compression
internal import ResourceLimits

/// The arrays of an npz file: a zip archive of npy files.
public struct NpzArchive: Sendable {
  /// The arrays by name, in the archive's order; a name stands for the entry `<name>.npy`.
  public let arrays: [(name: String, array: NpyArray)]

  /// The most bytes that all arrays' files together may expand to, 2 GiB, where the file itself is
  /// large: 256 MiB or 64 times its size.
  public static let byteLimit = 1 << 31

  /// The bytes that a file of `byteCount` bytes may expand to.
  ///
  /// Arrays may expand by any ratio, as many are all zeros, but a small file to 256 MiB at most.
  static func byteLimit(forFileOf byteCount: Int) -> Int {
    min(byteLimit, max(1 << 28, min(byteCount, byteLimit) * 64))
  }

  /// What an archive of `byteCount` bytes may hold.
  static func limits(forFileOf byteCount: Int) -> Limits {
    Limits(
      archiveEntryCount: 0xffff, archiveEntryByteCount: byteLimit(forFileOf: byteCount),
      expansionRatio: .max)
  }

  /// An archive of these arrays.
  public init(_ arrays: [(name: String, array: NpyArray)]) { self.arrays = arrays }

  /// The archive in the bytes of an npz file.
  ///
  /// Of entries with one name, the last counts.
  ///
  /// - Throws: `NpyError` where the bytes are no zip archive, they would expand beyond the limit, or
  ///   an entry is no npy file.
  public init(parsing bytes: [UInt8]) throws(NpyError) {
    var arrays: [(name: String, array: NpyArray)] = []
    let archive: ZipArchive
    do throws(ZipError) {
      archive = try ZipArchive(bytes.span, limits: Self.limits(forFileOf: bytes.count))
    } catch {
      throw NpyError("no npz file: \(error)")
    }
    let limit = Self.byteLimit(forFileOf: bytes.count)
    var total = 0
    for entry in archive.entries {
      // Each is at most the limit, and the sum is checked before it could overflow.
      total += min(entry.byteCount, limit + 1)
      guard total <= limit else {
        throw NpyError("npz file expands to more than \(limit) bytes")
      }
    }
    for entry in archive.entries where archive.entry(named: entry.name) == entry {
      guard entry.name.hasSuffix(".npy") else {
        throw NpyError("entry '\(entry.name)' is no npy file")
      }
      let content: [UInt8]
      do throws(ZipError) { content = try archive.contents(of: entry, in: bytes.span) } catch {
        throw NpyError("\(error)")
      }
      do throws(NpyError) {
        arrays.append((String(entry.name.dropLast(4)), try NpyArray(parsing: content.span)))
      } catch {
        throw NpyError("entry '\(entry.name)': \(error)")
      }
    }
    self.arrays = arrays
  }

  /// The array called `name`.
  public subscript(name: String) -> NpyArray? { arrays.first { $0.name == name }?.array }

  /// The bytes of an npz file with these arrays.
  ///
  /// - Parameter isCompressed: whether the arrays are deflated.
  /// - Returns: the file's content.
  /// - Throws: `NpyError` where the arrays exceed what a zip archive can hold.
  public func encoded(isCompressed: Bool = true) throws(NpyError) -> [UInt8] {
    var writer = ZipWriter()
    do throws(ZipError) {
      for (name, array) in arrays {
        let content = array.encoded()
        try writer.add(
          "\(name).npy", content.span, method: isCompressed ? .deflated : .stored)
      }
      return try writer.finish()
    } catch {
      throw NpyError("\(error)")
    }
  }
}

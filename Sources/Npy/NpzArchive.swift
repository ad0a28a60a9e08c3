// SPDX-License-Identifier: Apache-2.0

internal import Compression
internal import ResourceLimits

/// The arrays of an npz file: a zip archive of npy files.
public struct NpzArchive: Sendable {
  /// The arrays by name, in the archive's order; a name stands for the entry `<name>.npy`.
  public let arrays: [(name: String, array: NpyArray)]

  /// The most bytes that all arrays' files together may expand to: 2 GiB.
  public static let byteLimit = 1 << 31

  /// What an archive may hold.
  ///
  /// Arrays may expand by any ratio: many are all zeros.
  static let limits = Limits(
    archiveEntryCount: 0xffff, archiveEntryByteCount: byteLimit, expansionRatio: .max)

  /// An archive of these arrays.
  public init(_ arrays: [(name: String, array: NpyArray)]) { self.arrays = arrays }

  /// The archive in the bytes of an npz file.
  ///
  /// Of entries with one name, the last counts.
  ///
  /// - Throws: `NpyError` where the bytes are no zip archive or an entry is no npy file.
  public init(parsing bytes: [UInt8]) throws(NpyError) {
    var arrays: [(name: String, array: NpyArray)] = []
    let archive: ZipArchive
    do throws(ZipError) {
      archive = try ZipArchive(bytes.span, limits: Self.limits)
    } catch {
      throw NpyError("no npz file: \(error)")
    }
    var total = 0
    for entry in archive.entries {
      // Each is at most the limit, and the sum is checked before it could overflow.
      total += min(entry.byteCount, Self.byteLimit + 1)
      guard total <= Self.byteLimit else {
        throw NpyError("npz file expands to more than \(Self.byteLimit) bytes")
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

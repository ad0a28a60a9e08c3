// SPDX-License-Identifier: Apache-2.0

import Compression
public import Martlet
public import ResourceLimits
import Tensors

/// The models of a `.task` file, which MediaPipe Tasks packs into one zip archive.
///
/// A plain `.tflite` file counts as a bundle of one model whose name is empty.
public struct TaskBundle: Sendable {
  /// The names of the entries, in the order of the file.
  public let names: [String]
  private let storage: Storage
  private let archive: ZipArchive?
  private let limits: Limits

  /// The bundle in the file at `path`.
  ///
  /// - Throws: `TaskError.bundle` where it cannot be read, or is neither an archive nor a model.
  public init(path: String, limits: Limits = Limits()) throws(TaskError) {
    let storage: Storage
    do throws(FileError) {
      storage = try Storage(reading: path, byteLimit: limits.fileByteCount)
    } catch {
      throw .bundle("\(path): \(error)")
    }
    try self.init(storage, name: path, limits)
  }

  /// The bundle in `bytes`, the whole content of a file.
  ///
  /// - Throws: `TaskError.bundle` where it is neither an archive nor a model.
  public init(bytes: [UInt8], limits: Limits = Limits()) throws(TaskError) {
    try self.init(Storage(copying: bytes.span), name: "bundle", limits)
  }

  private init(_ storage: Storage, name: String, _ limits: Limits) throws(TaskError) {
    self.storage = storage
    self.limits = limits
    if Self.isModel(storage.bytes) {
      archive = nil
      names = [""]
      return
    }
    let archive: ZipArchive
    do throws(ZipError) { archive = try ZipArchive(storage.bytes, limits: limits) } catch {
      throw .bundle("\(name): \(error)")
    }
    self.archive = archive
    names = archive.entries.map(\.name)
  }

  /// Whether a file begins as models do: its identifier is `TFL3`.
  private static func isModel(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 8 && [4, 5, 6, 7].map { bytes[$0] } == Array("TFL3".utf8)
  }

  /// The size of the file.
  package var byteCount: Int { storage.byteCount }

  /// SHA-256 of the file, in hexadecimal digits.
  package var digest: String { SHA256.hexadecimalDigest(storage.bytes) }

  /// Whether there is an entry of this name.
  public func contains(_ name: String) -> Bool { names.contains(name) }

  /// The bytes of an entry.
  ///
  /// - Throws: `TaskError.bundle` where there is none of this name, or it is damaged.
  public func contents(of name: String) throws(TaskError) -> [UInt8] {
    guard let archive else {
      guard name.isEmpty else { throw .bundle("a model, not a bundle with \(name)") }
      return TensorBytes(copying: storage.bytes).array()
    }
    guard contains(name) else {
      throw .bundle("the bundle has no \(name); it has \(names.joined(separator: ", "))")
    }
    do throws(ZipError) {
      return try archive.contents(of: name, in: storage.bytes, limit: limits.fileByteCount)
    } catch {
      throw .bundle("\(name): \(error)")
    }
  }

  /// The bundle that an entry holds, such as `hand_landmarker.task` in a gesture recognizer's.
  ///
  /// - Throws: `TaskError` where there is none of this name, or it is no bundle.
  public func bundle(_ name: String) throws(TaskError) -> TaskBundle {
    let bytes = try contents(of: name)
    return try TaskBundle(Storage(copying: bytes.span), name: name, limits)
  }

  /// The model that an entry holds.
  ///
  /// - Throws: `TaskError` where there is none of this name, or it is no model.
  public func model(_ name: String) throws(TaskError) -> Model {
    let bytes = try contents(of: name)
    do throws(InferenceError) { return try Model(bytes: bytes, limits: limits) } catch {
      throw .inference(error)
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

internal import FileAccess
internal import Martlet
internal import Npy
internal import Tensors

/// The arrays of one invocation of a golden case.
///
/// Each is a file of its own: `in_<name>.npy` or `out_<name>.npy`, where the name is the argument's
/// in the signature or else the position, or the same with `.raw` or `.bin` and the tensor's bare
/// bytes. Or several are in `in.npz` and `out.npz`, or both sides in `io.npz`: under those names,
/// the tensor's own, or `arr_<position>` as `numpy.savez` has it.
struct GoldenFolder {
  /// Inputs or outputs.
  enum Side: String {
    case input = "in"
    case output = "out"
  }

  let path: String
  private var archives: [String: NpzArchive] = [:]

  /// The invocation in the folder at `path`.
  ///
  /// - Throws: `GoldenError` where an archive in it cannot be read.
  init(_ path: String) throws(GoldenError) {
    self.path = path
    for name in Self.archiveNames {
      let file = "\(path)/\(name)"
      guard Folder.kind(of: file) == .file else { continue }
      let bytes = try Self.bytes(file)
      do throws(NpyError) { archives[name] = try NpzArchive(parsing: bytes) } catch {
        throw .content("\(error)", file: file)
      }
    }
  }

  private static let archiveNames = ["in.npz", "out.npz", "io.npz"]

  /// Whether a folder with files of these names holds expected outputs.
  static func isCase(_ names: [String]) -> Bool {
    names.contains { name in
      name == "out.npz" || name == "io.npz"
        || name.hasPrefix("out_") && [".npy", ".raw", ".bin"].contains { name.hasSuffix($0) }
    }
  }

  /// An input or output and the name it has here; nil where the folder lacks it.
  ///
  /// - Throws: `GoldenError` where its file cannot be read, or is no array of `type`.
  func array(
    _ side: Side, _ position: Int, _ info: Interpreter.TensorInfo, as type: TensorType?
  ) throws(GoldenError) -> (name: String, array: NpyArray)? {
    let names = [info.argument, "\(position)"].compactMap { $0 }
    for name in names {
      let base = "\(path)/\(side.rawValue)_\(name)"
      if Folder.kind(of: "\(base).npy") == .file {
        return (name, try Self.array("\(base).npy"))
      }
      for file in ["\(base).raw", "\(base).bin"] where Folder.kind(of: file) == .file {
        return (name, try Self.bareArray(file, type))
      }
    }
    for archive in ["\(side.rawValue).npz", "io.npz"].compactMap({ archives[$0] }) {
      let keys = names.map { "\(side.rawValue)_\($0)" } + names + [info.name, "arr_\(position)"]
      for key in keys {
        if let array = archive[key] { return (names[0], array) }
      }
    }
    return nil
  }

  private static func bytes(_ file: String) throws(GoldenError) -> [UInt8] {
    do throws(FileSystemError) { return try InputFile.bytes(at: file) } catch {
      throw .file(error)
    }
  }

  private static func array(_ file: String) throws(GoldenError) -> NpyArray {
    do throws(NpyArray.LoadError) { return try NpyArray(contentsOf: file) } catch {
      switch error {
      case .file(let error): throw .file(error)
      case .content(let error): throw .content("\(error)", file: file)
      }
    }
  }

  /// The array of a file without a header: its type is the tensor's.
  private static func bareArray(
    _ file: String, _ type: TensorType?
  ) throws(GoldenError) -> NpyArray {
    guard let type, let byteCount = type.byteCount else {
      throw .content("bare bytes for a tensor whose size is not known", file: file)
    }
    let bytes = try bytes(file)
    guard bytes.count == byteCount else {
      throw .content(
        "\(bytes.count) bytes, wanted \(byteCount) for \(type.elementType.schemaName) \(type.shape)",
        file: file)
    }
    do throws(NpyError) { return try NpyArray(type, tensorBytes: bytes) } catch {
      throw .content("\(error)", file: file)
    }
  }
}

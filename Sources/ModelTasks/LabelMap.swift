// SPDX-License-Identifier: Apache-2.0

import Tensors

/// The names of a classifier's classes, by index.
public struct LabelMap: Sendable, Equatable {
  /// The class names: the model's own identifiers.
  public let classNames: [String]
  /// Names for people in the chosen locale; nil where the model has none.
  public let displayNames: [String]?

  /// Names by index.
  public init(classNames: [String], displayNames: [String]? = nil) {
    self.classNames = classNames
    self.displayNames = displayNames
  }

  /// The lines of a label file: split at line feeds, without one empty line at the end.
  ///
  /// A byte order mark and carriage returns are dropped; invalid UTF-8 is repaired.
  public static func lines(of file: [UInt8]) -> [String] {
    var bytes = file[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line in
        let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return String(decoding: text, as: UTF8.self)
      }
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  /// The number of classes.
  public var count: Int { classNames.count }

  /// The class name of `index`; empty where there is none.
  public func className(_ index: Int) -> String {
    classNames.indices.contains(index) ? classNames[index] : ""
  }

  /// The display name of `index`, where there is one.
  public func displayName(_ index: Int) -> String? {
    guard let displayNames, displayNames.indices.contains(index) else { return nil }
    return displayNames[index]
  }
}

extension LabelMap {
  /// The labels in the file at `path`, one per line.
  ///
  /// - Throws: `TaskError.labels` where the file cannot be read.
  public init(path: String) throws(TaskError) {
    do {
      let storage = try Storage(reading: path)
      self.init(classNames: Self.lines(of: TensorBytes(copying: storage.bytes).array()))
    } catch {
      throw .labels("\(path): \(error)")
    }
  }
}

// SPDX-License-Identifier: Apache-2.0

package import ResourceLimits

/// `--resource-limit NAME=VALUE`, which every command that reads files takes.
package enum LimitOption {
  /// A limit that the command line may change.
  package enum Setting {
    case bytes(any WritableKeyPath<Limits, Int> & Sendable)
    case count(any WritableKeyPath<Limits, Int> & Sendable)
    case time(any WritableKeyPath<Limits, Duration?> & Sendable)
  }

  /// The limits by their names, in the order of `Docs/Robustness.md`.
  package static let settings: [(name: String, setting: Setting)] = [
    ("file-bytes", .bytes(\.fileByteCount)),
    ("table-depth", .count(\.tableDepth)),
    ("tables", .count(\.tableCount)),
    ("repeated-bytes", .bytes(\.repeatedByteCount)),
    ("nodes", .count(\.nodeCount)),
    ("tensor-bytes", .bytes(\.tensorByteCount)),
    ("string-bytes", .bytes(\.stringByteCount)),
    ("arena-bytes", .bytes(\.arenaByteCount)),
    ("node-operations", .count(\.nodeOperationCount)),
    ("work", .count(\.workCount)),
    ("calls", .count(\.callCount)),
    ("call-depth", .count(\.callDepth)),
    ("time", .time(\.duration)),
    ("archive-entries", .count(\.archiveEntryCount)),
    ("archive-entry-bytes", .bytes(\.archiveEntryByteCount)),
    ("archive-bytes", .bytes(\.archiveByteCount)),
    ("expansion-ratio", .count(\.expansionRatio)),
    ("image-side", .count(\.imageSide)),
    ("image-pixels", .count(\.imagePixelCount)),
    ("image-bytes", .bytes(\.imageByteCount)),
    ("audio-bytes", .bytes(\.audioByteCount)),
  ]

  private static let optionName = "resource-limit"

  package static let description = OptionDescription.value(
    optionName, "name=value",
    "What files may take at most, as in arena-bytes=64MiB or time=2s; other names are answered "
      + "with all that there are.", isRepeated: true)

  /// The name of a limit, which may be given by an earlier one: `picture-side` is `image-side`.
  private static func currentName(_ name: Substring) -> String {
    let earlier = "picture-"
    return name.hasPrefix(earlier) ? "image-" + name.dropFirst(earlier.count) : String(name)
  }

  /// The limits that a command line asks for.
  package static func limits(_ arguments: ParsedArguments) throws(CommandError) -> Limits {
    var limits = Limits()
    for text in arguments.allValues(optionName) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = Self.currentName(parts[0])
      guard let setting = settings.first(where: { $0.name == name })?.setting else {
        throw arguments.usage(
          "no limit is called '\(name)'",
          hint: "there are " + settings.map(\.name).joined(separator: ", "))
      }
      guard parts.count == 2, apply(String(parts[1]), to: setting, of: &limits) else {
        throw arguments.usage("'\(text)' for '--\(optionName)', wanted \(name)=\(setting.example)")
      }
    }
    return limits
  }

  /// How a command line admits what needs so much, nil where nobody knows how much: by this limit, or
  /// by another one, which may be what was met.
  package static func raising(
    _ path: any WritableKeyPath<Limits, Int> & Sendable,
    or other: (any WritableKeyPath<Limits, Int> & Sendable)? = nil, to needed: Int?
  ) -> String {
    let value = needed.map { "\($0)" } ?? "…"
    let alternative = other.map { ", or \(name(of: $0))" } ?? ""
    return "'--\(optionName) \(name(of: path))=\(value)' raises it\(alternative)"
  }

  private static func name(of path: WritableKeyPath<Limits, Int>) -> String {
    settings.first { $0.setting.counts(path) }?.name ?? ""
  }

  private static func apply(
    _ text: String, to setting: Setting, of limits: inout Limits
  ) -> Bool {
    switch setting {
    case .count(let path):
      guard let count = Int(text), count >= 0 else { return false }
      limits[keyPath: path] = count
    case .bytes(let path):
      guard let count = byteCount(text) else { return false }
      limits[keyPath: path] = count
    case .time(let path):
      guard let duration = duration(text) else { return false }
      limits[keyPath: path] = duration
    }
    return true
  }

  /// A number of bytes: digits, and a unit if it is not the byte.
  private static func byteCount(_ text: String) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let factors = ["": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]
    guard let number = Int(digits), let factor = factors[String(text.dropFirst(digits.count))]
    else { return nil }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : product
  }

  /// A time: a number and its unit.
  private static func duration(_ text: String) -> Duration? {
    let (number, unit) =
      text.hasSuffix("ms") ? (text.dropLast(2), 1e-3) : (text.dropLast(), 1.0)
    guard text.hasSuffix("s"), let value = Double(number), value > 0, value * unit <= 1e9 else {
      return nil
    }
    return .seconds(value * unit)
  }
}

extension LimitOption.Setting {
  /// Whether this limit is the one at `path`.
  fileprivate func counts(_ path: WritableKeyPath<Limits, Int>) -> Bool {
    switch self {
    case .bytes(let own), .count(let own): own == path
    case .time: false
    }
  }

  /// A value that can be given.
  fileprivate var example: String {
    switch self {
    case .bytes: "64MiB"
    case .count: "1000"
    case .time: "2s"
    }
  }
}

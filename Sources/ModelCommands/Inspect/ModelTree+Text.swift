// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import Formatting
import ModelFormat

extension ModelTree {
  /// The tree for a reader, down to `depth` levels below the root.
  func text(model path: String, depth: Int) -> String {
    var lines = [path.printable, byteCount.byteText]
    append(root, level: 0, depth: depth, to: &lines)
    if isCut { lines.append("… more than is shown") }
    lines += ["", "bytes by kind", usageTable]
    return lines.joined(separator: "\n")
  }

  private func append(_ part: Part, level: Int, depth: Int, to lines: inout [String]) {
    let more = level == depth && !part.children.isEmpty ? " …" : ""
    let words = [part.label, part.content, (location(part) ?? "") + more]
    let indentation = String(repeating: " ", count: 2 * level)
    lines.append((indentation + words.filter { !$0.isEmpty }.joined(separator: "  ")).narrow)
    guard level < depth else { return }
    for child in part.children { append(child, level: level + 1, depth: depth, to: &lines) }
  }

  /// Where a part begins and what it takes; nil for numbers, which lie in their table.
  private func location(_ part: Part) -> String? {
    guard var offset = part.offset else { return nil }
    // Of bytes, the first one is of interest, not their count in front of it.
    if case .bytes(let range, _) = part.value { offset = range.lowerBound }
    guard part.totalByteCount > 0 else { return "at \(offset)" }
    return "at \(offset), \(part.totalByteCount.byteText) (\(share(part.totalByteCount)))"
  }

  private func share(_ bytes: Int) -> String {
    "\((100 * Double(bytes) / Double(max(byteCount, 1))).fixed(1)) %"
  }

  private var usageTable: String {
    let kinds = ByteUsage.Kind.allCases.compactMap { kind in
      usage.byteCounts[kind].map { ["  \(kind.rawValue)", "\($0)", share($0)] }
    }
    return TextTable(kinds + [["  file", "\(byteCount)", ""]]).text
  }
}

extension ModelTree.Part {
  /// The name, or the location in a vector.
  fileprivate var label: String {
    if let name { return name }
    if case .unknown = value { return "slot \(position)" }
    return "[\(position)]"
  }

  /// The type or the value.
  fileprivate var content: String {
    switch value {
    case .parts: type.hasPrefix("[") ? "\(type) × \(children.count)" : type
    case .number(let number): number.text
    case .numbers(let count, let first):
      "[\(first.map(\.text).joined(separator: ", "))"
        + (count > first.count ? ", … \(count) in all]" : "]")
    case .text(let text, let isCut): "\"\(text.printable)\"" + (isCut ? "…" : "")
    case .bytes(let range, let flexBuffer):
      flexBuffer?.printable(upTo: 200) ?? "\(range.count) bytes"
    case .shared: "\(type), shown above"
    case .broken(let error): "\(type), broken: \(error)"
    case .unknown: "not in the schema"
    }
  }
}

extension ModelTree.Number {
  /// The number in decimal, or its name.
  fileprivate var text: String {
    switch self {
    case .integer(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .real(let value): "\(value)"
    case .truth(let value): "\(value)"
    case .name(let name): name
    }
  }
}

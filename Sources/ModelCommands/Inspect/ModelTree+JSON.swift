// SPDX-License-Identifier: Apache-2.0

import FlatBuffers
import JSONDocuments
import ModelFormat

extension ModelTree {
  /// The tree for a program, down to `depth` levels below the root.
  func json(model path: String, depth: Int) -> JSON {
    .record([
      "schema": "martlet/tree/1", "model": .string(path), "bytes": .integer(byteCount),
      "bytes_by_kind": .object(
        ByteUsage.Kind.allCases.map {
          JSON.Member($0.rawValue, .integer(usage.byteCounts[$0] ?? 0))
        }),
      "complete": .bool(!isCut), "tree": root.json(depth: depth),
    ])
  }
}

extension ModelTree.Part {
  fileprivate func json(depth: Int) -> JSON {
    let isVector: Bool = if case .parts = value { type.hasPrefix("[") } else { false }
    let head = JSON.record([
      "name": name.map { .string($0) }, "position": .integer(position), "type": .string(type),
      "offset": offset.map { .integer($0) },
      "bytes": offset == nil ? nil : .integer(byteCount),
      "total_bytes": offset == nil ? nil : .integer(totalByteCount),
      "count": isVector ? .integer(children.count) : nil,
    ]).adding(valueMembers)
    guard depth > 0, !children.isEmpty else { return head }
    return head.adding(["children": .array(children.map { $0.json(depth: depth - 1) })])
  }

  private var valueMembers: JSON {
    switch value {
    case .parts: [:]
    case .number(let number): ["value": number.json]
    case .numbers(let count, let first):
      ["count": .integer(count), "values": .array(first.map(\.json))]
    case .text(let text, let isCut):
      .record(["value": .string(text), "cut": isCut ? true : nil])
    case .bytes(let range, let flexBuffer):
      .record([
        "data_offset": .integer(range.lowerBound), "data_bytes": .integer(range.count),
        "flexbuffer": flexBuffer.map { .string($0) },
      ])
    case .shared: ["shared": true]
    case .broken(let error):
      ["error": .string("\(error.reason)"), "error_offset": .integer(error.offset)]
    case .unknown: ["unknown": true]
    }
  }
}

extension ModelTree.Number {
  fileprivate var json: JSON {
    switch self {
    case .integer(let value): .integer(Int(value))
    case .unsigned(let value): Int(exactly: value).map { .integer($0) } ?? .string("\(value)")
    case .real(let value): .float(value)
    case .truth(let value): .bool(value)
    case .name(let name): .string(name)
    }
  }
}

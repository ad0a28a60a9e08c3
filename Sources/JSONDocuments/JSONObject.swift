// SPDX-License-Identifier: Apache-2.0

/// Why a JSON document is not what it should be, and in which member.
package struct JSONContentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was wanted.
  package let reason: String
  /// The way to the member: `metadata.subgraphs[0].inputs[1].name`.
  package let path: String

  /// The error of a member that is not what was wanted.
  package init(reason: String, path: String) {
    self.reason = reason
    self.path = path
  }

  package var description: String { "\(reason) (\(path))" }
}

/// An object of a document whose members are known by name; errors name the member.
package struct JSONObject {
  private let json: JSON
  private let path: String

  /// `json` at `path`, which must be an object with no other members than `names`.
  package init(_ json: JSON, at path: String, members names: [String]) throws(JSONContentError) {
    guard let members = json.members else {
      throw JSONContentError(reason: "an object is wanted", path: path)
    }
    var seen: Set<String> = []
    for member in members {
      guard names.contains(member.key) else {
        throw JSONContentError(
          reason: "unknown member \(member.key.debugDescription)", path: path)
      }
      guard seen.insert(member.key).inserted else {
        throw JSONContentError(
          reason: "member \(member.key.debugDescription) is there twice", path: path)
      }
    }
    self.json = json
    self.path = path
  }

  private func error(_ reason: String, _ key: String) -> JSONContentError {
    JSONContentError(reason: reason, path: "\(path).\(key)")
  }

  /// The member called `key`; nil where it is missing or null.
  private func member(_ key: String) -> JSON? { json[key] == .null ? nil : json[key] }

  /// A text; nil where it is missing.
  package func text(_ key: String) throws(JSONContentError) -> String? {
    guard let member = member(key) else { return nil }
    guard let text = member.string else { throw error("a text is wanted", key) }
    return text
  }

  /// An integer; 0 where it is missing.
  package func integer(_ key: String) throws(JSONContentError) -> Int {
    guard let member = member(key) else { return 0 }
    guard let number = member.integer else { throw error("an integer is wanted", key) }
    return number
  }

  /// A number; 0 where it is missing.
  package func float(_ key: String) throws(JSONContentError) -> Float {
    guard let member = member(key) else { return 0 }
    guard let number = member.singlePrecision else { throw error("a number is wanted", key) }
    return number
  }

  /// The value of an enumeration by its word, among these; the fallback where it is missing.
  package func word<Value>(
    _ key: String, _ words: [(String, Value)], default fallback: Value
  ) throws(JSONContentError) -> Value {
    guard let text = try text(key) else { return fallback }
    guard let value = words.first(where: { $0.0 == text })?.1 else {
      throw error("one of \(words.map(\.0).joined(separator: ", ")) is wanted", key)
    }
    return value
  }

  /// The elements of a list as values; none where it is missing.
  package func list<Value>(
    _ key: String, _ element: (JSON, String) throws(JSONContentError) -> Value
  ) throws(JSONContentError) -> [Value] {
    guard let member = member(key) else { return [] }
    guard let elements = member.array else { throw error("a list is wanted", key) }
    var values: [Value] = []
    for (index, json) in elements.enumerated() {
      values.append(try element(json, "\(path).\(key)[\(index)]"))
    }
    return values
  }

  /// An object as a value; nil where it is missing.
  package func object<Value>(
    _ key: String, _ value: (JSON, String) throws(JSONContentError) -> Value
  ) throws(JSONContentError) -> Value? {
    guard let member = member(key) else { return nil }
    return try value(member, "\(path).\(key)")
  }

  /// A list of texts.
  package func texts(_ key: String) throws(JSONContentError) -> [String] {
    try list(key) { json, path throws(JSONContentError) in
      guard let text = json.string else {
        throw JSONContentError(reason: "a text is wanted", path: path)
      }
      return text
    }
  }

  /// A list of numbers.
  package func floats(_ key: String) throws(JSONContentError) -> [Float] {
    try list(key) { json, path throws(JSONContentError) in
      guard let number = json.singlePrecision else {
        throw JSONContentError(reason: "a number is wanted", path: path)
      }
      return number
    }
  }

  /// A list of integers in `range`.
  package func integers(_ key: String, in range: ClosedRange<Int>) throws(JSONContentError) -> [Int]
  {
    try list(key) { json, path throws(JSONContentError) in
      guard let number = json.integer, range.contains(number) else {
        throw JSONContentError(
          reason: "an integer from \(range.lowerBound) to \(range.upperBound) is wanted",
          path: path)
      }
      return number
    }
  }
}

extension JSON {
  /// The number, also one of those that are written as texts; nil where this is none.
  fileprivate var singlePrecision: Float? {
    switch string {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    case _: number.map { Float($0) }
    }
  }
}

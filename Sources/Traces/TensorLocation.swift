// SPDX-License-Identifier: Apache-2.0

internal import Formatting

/// A tensor at one time of a run: loops write the tensors of their subgraphs many times.
public struct TensorLocation: Sendable, Hashable {
  /// The index of the subgraph.
  public let subgraph: Int
  /// How often the subgraph had run before, in the same run of the model; 0 for the main one.
  public let invocation: Int
  /// The index of the tensor in its subgraph.
  public let tensor: Int

  /// The tensor of this index in a subgraph that runs for the time after `invocation` others.
  public init(subgraph: Int, invocation: Int, tensor: Int) {
    self.subgraph = subgraph
    self.invocation = invocation
    self.tensor = tensor
  }
}

/// The name of a recorded tensor in an npz file: `s<subgraph>.<invocation>.t<tensor>.<name>`.
///
/// In the tensor's own name, bytes other than letters, digits, `-`, `.`, `_` and `~` are written
/// as `%` and two hexadecimal digits, as in URLs (RFC 3986), so that it fits file names and comes
/// back whole. Names of more than 1,000 bytes are cut, and end with a `%` of its own then.
public struct TraceName: Sendable, Hashable {
  /// The tensor and its time.
  public let location: TensorLocation
  /// The tensor's own name, or the beginning of a very long one.
  public let tensorName: String
  /// Whether `tensorName` is a beginning only.
  public let isCut: Bool

  /// The most bytes of a tensor's name that are kept.
  public static let lengthLimit = 1000

  /// The name of the tensor at `location`, called `tensorName` in the model.
  public init(_ location: TensorLocation, tensorName: String) {
    self.location = location
    isCut = tensorName.utf8.count > Self.lengthLimit
    self.tensorName =
      isCut
      ? String(decoding: tensorName.utf8.prefix(Self.lengthLimit), as: UTF8.self) : tensorName
  }

  /// What `text` says; nil where it is no such name.
  public init?(parsing text: String) {
    let parts = text.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let subgraph = Self.number(parts[0], after: "s"),
      let invocation = Self.number(parts[1], after: ""),
      let tensor = Self.number(parts[2], after: "t")
    else { return nil }
    var escaped = parts[3]
    isCut = escaped.hasSuffix("%")
    if isCut { escaped.removeLast() }
    guard let name = Self.unescaped(escaped) else { return nil }
    tensorName = name
    location = TensorLocation(subgraph: subgraph, invocation: invocation, tensor: tensor)
  }

  /// The name as files have it.
  public var text: String {
    "s\(location.subgraph).\(location.invocation).t\(location.tensor).\(tensorName.percentEncoded())"
      + (isCut ? "%" : "")
  }

  /// Whether this is the name of a tensor called `name`.
  package func isName(of name: String) -> Bool { TraceName(location, tensorName: name) == self }

  private static func number(_ text: Substring, after prefix: String) -> Int? {
    guard text.hasPrefix(prefix) else { return nil }
    let digits = text.dropFirst(prefix.count)
    // Signs and leading zeros would give one number several names.
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }),
      digits.count == 1 || digits.first != "0"
    else { return nil }
    return Int(digits)
  }

  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      // Two digits, and no sign as integers may have.
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2 else { return nil }
      bytes.append(UInt8(16 * digits[0] + digits[1]))
      rest = rest.dropFirst(2)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

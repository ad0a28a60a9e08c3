// SPDX-License-Identifier: Apache-2.0

extension PublishedModel {
  /// Whether clients can reach a tree at `text`: `http` or `https`, a host, perhaps a port and a
  /// path, to which the paths in the tree can be appended.
  ///
  /// Source: RFC 3986, section 3.
  package static func isBaseURL(_ text: String) -> Bool {
    guard text.utf8.allSatisfy(isAddressByte), hasWholeEscapes(text),
      let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://"),
      ["http", "https"].contains(text[..<colon].lowercased())
    else { return false }
    let authority = text[colon...].dropFirst(3).prefix { $0 != "/" }
    // What stands before "@" is a user's name.
    let user = authority.lastIndex(of: "@").map { authority.index(after: $0) }
    return isHostAndPort(authority[(user ?? authority.startIndex)...])
  }

  /// Printable ASCII but for what no address holds unescaped, and for what begins a query or a
  /// fragment.
  private static func isAddressByte(_ byte: UInt8) -> Bool {
    switch Unicode.Scalar(byte) {
    case "\"", "<", ">", "\\", "^", "`", "{", "|", "}", "?", "#": false
    case _: (0x21...0x7E).contains(byte)
    }
  }

  /// Whether two hexadecimal digits follow each "%".
  private static func hasWholeEscapes(_ text: String) -> Bool {
    text.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { $0.count >= 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }
  }

  /// A name, an IPv4 address, or an IPv6 address in brackets; then perhaps ":" and a port.
  private static func isHostAndPort(_ text: Substring) -> Bool {
    let isBracketed = text.hasPrefix("[")
    guard let end = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") else {
      return !isBracketed && !text.isEmpty && !text.contains("]")
    }
    let host = text[..<end].drop { $0 == "[" }
    let rest = isBracketed ? text[end...].dropFirst() : text[end...]
    guard !host.isEmpty, !host.contains("["), isBracketed || !text.contains("]") else {
      return false
    }
    guard let port = rest.first == ":" ? rest.dropFirst() : nil else { return rest.isEmpty }
    return port.isEmpty || port.first != "+" && UInt16(port) != nil
  }
}

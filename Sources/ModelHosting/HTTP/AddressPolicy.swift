// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Which addresses may be asked.
package struct AddressPolicy: Sendable {
  /// Whether `http` may go to other machines than this.
  private let allowsPlainHTTP: Bool

  package init(allowsPlainHTTP: Bool) { self.allowsPlainHTTP = allowsPlainHTTP }

  /// Whether `text` is an address that may be asked.
  package func allows(_ text: String) -> Bool {
    guard let url = URL(string: text) else { return false }
    do throws(HostingError) { try check(url, stage: .information) } catch { return false }
    return true
  }

  /// Refuses an address that must not be asked; `previous` is the one that led to it.
  func check(
    _ url: URL, after previous: URL? = nil, stage: HostingError.Stage
  ) throws(HostingError) {
    let scheme = url.scheme?.lowercased() ?? ""
    let host = url.host() ?? ""
    guard scheme == "https" || scheme == "http", !host.isEmpty else {
      throw HostingError(
        .refusedAddress, stage, "no http or https address: \(Self.shown(url))")
    }
    guard scheme == "http" else { return }
    if previous?.scheme?.lowercased() == "https" {
      throw HostingError(
        .refusedAddress, stage, "https leads back to plain http: \(Self.shown(url))")
    }
    guard allowsPlainHTTP || Self.isLoopback(host) else {
      throw HostingError(
        .refusedAddress, stage, "plain http to another machine: \(Self.shown(url))")
    }
  }

  /// Whether two addresses have the same scheme, host and port, so that what is secret may go
  /// to both.
  static func haveSameOrigin(_ first: URL, _ second: URL) -> Bool {
    first.scheme?.lowercased() == second.scheme?.lowercased()
      && first.host()?.lowercased() == second.host()?.lowercased()
      && port(first) == port(second)
  }

  private static func port(_ url: URL) -> Int {
    url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
  }

  /// Whether `host` is this machine: `localhost`, 127.0.0.0/8 or ::1.
  static func isLoopback(_ host: String) -> Bool {
    let name = host.lowercased().trimmingCharacters(["[", "]"])
    if name == "localhost" || name == "::1" { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// An address without its query, which may hold keys, cut to a length that fits a line.
  static func shown(_ url: URL) -> String {
    let text = url.absoluteString
    let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
    return String(text[..<end].prefix(200))
  }
}

extension String {
  /// The string without `characters` at its ends.
  fileprivate func trimmingCharacters(_ characters: Set<Character>) -> String {
    var rest = self[...]
    while let first = rest.first, characters.contains(first) { rest.removeFirst() }
    while let last = rest.last, characters.contains(last) { rest.removeLast() }
    return String(rest)
  }
}

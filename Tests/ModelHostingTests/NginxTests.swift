// SPDX-License-Identifier: Apache-2.0

import Compression
import Foundation
import ModelHosting
import Testing

/// Nginx.
@Suite(.enabled(if: NginxHost.executable != nil, "nginx is needed"))
struct NginxTests {
  /// Bytes that begin as a model does.
  private func bytes(_ seed: UInt8, count: Int = 100_000) -> [UInt8] {
    [0x1C, 0, 0, 0] + Array("TFL3".utf8)
      + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) ^ seed }
  }

  private func model(_ name: String, _ seed: UInt8) -> HostTree.Model {
    HostTree.Model(name: name, bytes: bytes(seed))
  }

  @Test func `serves what was published, says not modified, and rolls back`() async throws {
    let host = try NginxHost([model("flowers", 1), model("birds", 2)])
    let firstRelease = try host.release
    let first = try await host.fetcher.fetch(name: "flowers")
    #expect(first.hash == "\"\(SHA256.hexadecimalDigest(bytes(1).span))\"")
    #expect(try Data(contentsOf: URL(fileURLWithPath: first.path)) == Data(bytes(1)))
    #expect(try await host.fetcher.fetch(name: "flowers") == first)
    #expect(try host.log().last?.hasPrefix("304 ") == true)

    try host.publish([model("flowers", 3)])
    let second = try await next(after: first, host)
    #expect(second.hash == "\"\(SHA256.hexadecimalDigest(bytes(3).span))\"")
    #expect(try host.release != firstRelease)
    // The other model is still there.
    #expect(try await host.fetcher.fetch(name: "birds").size == 100_008)

    try host.publish([model("flowers", 1)])
    #expect(try host.release == firstRelease)
    #expect(try await next(after: second, host) == first)
  }

  @Test func `serves all of the old release until it is reloaded, and rolls clients back`()
    async throws
  {
    let host = try NginxHost([model("flowers", 1)])
    let first = try await host.fetcher.fetch(name: "flowers")
    try host.publish([model("flowers", 2)], isReloading: false)
    // A client without a copy gets the old file with the old hash.
    try host.fetcher.delete(name: "flowers")
    let between = try await host.fetcher.fetch(name: "flowers")
    #expect(between == first)
    try host.publish([model("flowers", 1)])
    try await Task.sleep(for: .milliseconds(300))
    let last = try await host.fetcher.fetch(name: "flowers")
    #expect(last == first)
    #expect(try Data(contentsOf: URL(fileURLWithPath: last.path)) == Data(bytes(1)))
  }

  @Test func `a configuration of an earlier version is known`() throws {
    let host = try NginxHost([model("flowers", 1)])
    let tree = HostTree(path: host.folder)
    #expect(!tree.hasEarlierConfiguration)
    let earlier = #"map $uri $model_etag { default ""; include current/etags.map; }"#
    try Data(earlier.utf8).write(to: URL(fileURLWithPath: host.folder + "/nginx.conf"))
    #expect(tree.hasEarlierConfiguration)
  }

  /// What the host has when it no longer has `model`: nginx reads new hashes in its own time.
  private func next(after model: CustomModel, _ host: NginxHost) async throws -> CustomModel {
    for _ in 0..<100 {
      let latest = try await host.fetcher.fetch(name: model.name)
      if latest.hash != model.hash { return latest }
      try await Task.sleep(for: .milliseconds(30))
    }
    return model
  }

  @Test func `says in Firebase's words that there is no such model`() async throws {
    let host = try NginxHost([model("flowers", 1)])
    for name in ["trees", "flowers.json", "a b"] {
      let error = await #expect(throws: HostingError.self) {
        try await host.fetcher.fetch(name: name)
      }
      #expect(error?.downloadError == .notFound)
      #expect(error?.message == "No model found")
    }
  }

  @Test func `resumes a file by its SHA-256, and with a validator only if that fits`() async throws
  {
    let host = try NginxHost([model("flowers", 1)])
    let sha256 = SHA256.hexadecimalDigest(bytes(1).span)
    let partial = host.store.root + "/partial/"
    try FileManager.default.createDirectory(
      atPath: partial, withIntermediateDirectories: true)
    func leave(_ content: [UInt8], validator: String?) throws {
      try Data(content).write(to: URL(fileURLWithPath: partial + sha256 + ".part"))
      guard let validator else { return }
      try Data(#"{"validator":"\#(validator)"}"#.utf8)
        .write(to: URL(fileURLWithPath: partial + sha256 + ".json"))
    }
    func answers() async throws -> [String] {
      let before = (try? host.log().count) ?? 0
      _ = try await host.fetcher.fetch(name: "flowers")
      try host.fetcher.delete(name: "flowers")
      return try host.log().dropFirst(before + 1).map { String($0.prefix(3)) }
    }
    try leave(Array(bytes(1).prefix(60_000)), validator: nil)
    #expect(try await answers() == ["206"])
    try leave(Array(bytes(9).prefix(60_000)), validator: nil)
    #expect(try await answers() == ["206", "200"], "wrong bytes are found, and fetched anew")
    try leave(Array(bytes(1).prefix(60_000)), validator: "\\\"another\\\"")
    #expect(try await answers() == ["200"])
    try leave(bytes(1), validator: nil)
    #expect(try await answers() == [], "all was there")
    try leave(bytes(1) + [0], validator: nil)
    #expect(try await answers() == ["200"])
  }

  @Test func `serves a tree whose sums agree`() throws {
    let host = try NginxHost([model("flowers", 1), model("birds", 2)])
    let sums = try String(contentsOfFile: host.folder + "/SHA256SUMS", encoding: .utf8)
    let lines = sums.split(separator: "\n")
    #expect(lines.count == 2)
    for line in lines {
      let parts = line.split(separator: " ")
      let content = try Data(contentsOf: URL(fileURLWithPath: "\(host.folder)/\(parts[1])"))
      #expect(SHA256.hexadecimalDigest(Array(content).span) == parts[0])
    }
  }

  @Test func `is not given two names that differ only in case`() throws {
    let host = try NginxHost([model("flowers", 1)])
    let release = try host.release
    #expect(throws: HostingError.self) { try host.publish([model("Flowers", 2)]) }
    #expect(try host.release == release)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelHosting
import Testing

/// The store on disk.
@Suite(.enabled(if: FaultHost.shared != nil, "python3 is needed"))
struct StoreTests {
  /// Damage to the files of a model called `m`.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (_ model: URL, _ record: URL) throws -> Void

    init(_ name: String, _ apply: @escaping @Sendable (URL, URL) throws -> Void) {
      testDescription = name
      self.apply = apply
    }
  }

  static let damages: [Damage] = [
    Damage("model truncated") { model, _ in
      try replace(model, Data(contentsOf: model).prefix(1000))
    },
    Damage("model empty") { model, _ in try replace(model, Data()) },
    Damage("model flipped in place") { model, _ in
      var bytes = try Data(contentsOf: model)
      bytes[200_000] ^= 1
      // The blob is the same file, and changes with it.
      let handle = try FileHandle(forWritingTo: model)
      try handle.write(contentsOf: bytes)
      try handle.close()
    },
    Damage("model deleted") { model, _ in try FileManager.default.removeItem(at: model) },
    Damage("model longer") { model, _ in
      try replace(model, Data(contentsOf: model) + Data("x".utf8))
    },
    Damage("model a link elsewhere") { model, _ in
      let victim = model.deletingLastPathComponent().appendingPathComponent("victim")
      try Data("mine".utf8).write(to: victim)
      try FileManager.default.removeItem(at: model)
      try FileManager.default.createSymbolicLink(at: model, withDestinationURL: victim)
    },
    Damage("model a link to itself") { model, _ in
      try FileManager.default.removeItem(at: model)
      try FileManager.default.createSymbolicLink(at: model, withDestinationURL: model)
    },
    Damage("record deleted") { _, record in try FileManager.default.removeItem(at: record) },
    Damage("record empty") { _, record in try Data().write(to: record) },
    Damage("record garbage") { _, record in
      try Data((0..<999).map { UInt8(truncatingIfNeeded: $0 * 7) }).write(to: record)
    },
    Damage("record huge") { _, record in
      try (Data(contentsOf: record) + Data(repeating: 0x20, count: 1 << 20)).write(to: record)
    },
    Damage("record deep") { _, record in
      try Data(repeating: 0x5B, count: 60_000).write(to: record)
    },
    Damage("record of another model") { _, record in
      try edit(record) { $0.replacing("\"m\"", with: "\"n\"") }
    },
    Damage("record with another size") { _, record in
      try edit(record) { $0.replacing("300008", with: "300009") }
    },
    Damage("record with a negative size") { _, record in
      try edit(record) { $0.replacing("300008", with: "-1") }
    },
    Damage("record with a hash that breaks headers") { _, record in
      try edit(record) { $0.replacing(#""hash" : ""#, with: #""hash" : "a\r\nX: y"#) }
    },
    Damage("record a folder") { _, record in
      try FileManager.default.removeItem(at: record)
      try FileManager.default.createDirectory(
        at: record.appendingPathComponent("x"), withIntermediateDirectories: true)
    },
  ]

  private static func replace(_ file: URL, _ bytes: Data) throws {
    try FileManager.default.removeItem(at: file)
    try bytes.write(to: file)
  }

  private static func edit(_ file: URL, _ change: (String) -> String) throws {
    try Data(change(String(decoding: Data(contentsOf: file), as: UTF8.self)).utf8).write(to: file)
  }

  @Test(arguments: damages)
  func `finds damage, and fetching repairs it`(damage: Damage) async throws {
    let run = try HostRun()
    let fetcher = run.fetcher("not-modified")
    let model = try await fetcher.fetch(name: "m")
    let file = URL(fileURLWithPath: model.path)
    let record = file.deletingPathExtension().appendingPathExtension("json")
    try damage.apply(file, record)
    #expect(try run.store.model("m") == nil)
    if damage.testDescription == "record a folder" {
      // Somebody else's folder is not removed.
      await #expect(throws: HostingError.self) { try await fetcher.fetch(name: "m") }
      return
    }
    #expect(try await fetcher.fetch(name: "m", type: .localModel) == model)
    #expect(run.store.sha256(of: "m") == run.host.sha256)
    let victim = file.deletingLastPathComponent().appendingPathComponent("victim")
    if let bytes = try? Data(contentsOf: victim) { #expect(bytes == Data("mine".utf8)) }
  }

  @Test(arguments: [false, true])
  func `knows a model whose record was not written any more`(isFirst: Bool) async throws {
    let run = try HostRun()
    let older = try await run.fetcher("older").fetch(name: "m")
    let file = URL(fileURLWithPath: older.path).deletingPathExtension()
    let (record, next) = (file.appendingPathExtension("json"), file.appendingPathExtension("new"))
    let olderRecord = try Data(contentsOf: record)
    let newer = try await run.fetcher("healthy").fetch(name: "m")
    #expect(newer.hash != older.hash)
    try FileManager.default.moveItem(at: record, to: next)
    if !isFirst { try olderRecord.write(to: record) }
    #expect(try run.store.model("m") == newer)
    #expect(run.store.sha256(of: "m") == run.host.sha256)
    #expect(try await run.fetcher("healthy").fetch(name: "m") == newer)
    try run.store.delete("m")
    #expect(!FileManager.default.fileExists(atPath: next.path))
  }

  @Test func `lists, deletes, and keeps apps apart`() async throws {
    let run = try HostRun()
    let fetcher = run.fetcher("healthy")
    #expect(try fetcher.downloadedModels().isEmpty)
    let first = try await fetcher.fetch(name: "m")
    let second = try await fetcher.fetch(name: "name with spaces @@")
    #expect(try fetcher.downloadedModels() == [first, second])
    #expect(try run.fileRequests().count == 1, "the same bytes are downloaded once")
    #expect(try ModelStore(root: run.store.root, app: "other").models().isEmpty)

    try fetcher.delete(name: "m")
    #expect(throws: DownloadedModelError.notFound) { try fetcher.delete(name: "m") }
    #expect(throws: DownloadedModelError.notFound) { try fetcher.delete(name: "../m") }
    #expect(try fetcher.downloadedModels() == [second])
    #expect(try run.store.model(second.name) == second)

    try fetcher.delete(name: second.name)
    let blobs = try FileManager.default.contentsOfDirectory(atPath: run.store.root + "/blobs")
    #expect(blobs.isEmpty)
  }

  @Test func `keeps a model that is open while its successor takes its name`() async throws {
    let run = try HostRun()
    let older = try await run.fetcher("older").fetch(name: "m")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: older.path))
    let open = try FileHandle(forReadingFrom: URL(fileURLWithPath: older.path))
    let newer = try await run.fetcher("healthy").fetch(name: "m")
    #expect(newer.path == older.path && newer.hash != older.hash)
    #expect(try open.readToEnd() == bytes)
    let blobs = try FileManager.default.contentsOfDirectory(atPath: run.store.root + "/blobs")
    #expect(blobs == [run.host.sha256])
  }

  @Test func `says where a folder cannot be made`() async throws {
    let run = try HostRun()
    let store = ModelStore(root: "/dev/null/store")
    let fetcher = ModelFetcher(
      host: FirebaseMLHost(
        baseURL: run.host.address("healthy", run: run.number), project: "p"), store: store)
    let error = await #expect(throws: HostingError.self) { try await fetcher.fetch(name: "m") }
    #expect(error?.reason == .storage)
    #expect(error?.message.contains("/dev/null") == true)
    #expect(throws: DownloadedModelError.self) { try store.models() }
  }
}

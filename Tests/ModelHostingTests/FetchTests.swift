// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelHosting
import Synchronization
import Testing

/// Fetching.
@Suite(.enabled(if: FaultHost.shared != nil, "python3 is needed"))
struct FetchTests {
  @Test func `asks for a local model only where there is none`() async throws {
    let run = try HostRun()
    let fetcher = run.fetcher("healthy")
    #expect(try fetcher.localModel(name: "m") == nil)
    let model = try await fetcher.fetch(name: "m", type: .localModel)
    #expect(try await fetcher.fetch(name: "m", type: .localModel) == model)
    #expect(try fetcher.localModel(name: "m") == model)
    #expect(try run.log().count == 2)
  }

  @Test func `asks with the hash, and takes not modified for an answer`() async throws {
    let run = try HostRun()
    let fetcher = run.fetcher("not-modified")
    let model = try await fetcher.fetch(name: "m")
    #expect(model.hash == "\"\(run.host.sha256)\"")
    #expect(try await fetcher.fetch(name: "m") == model)
    let log = try run.log()
    #expect(log.count == 3)
    #expect(log[0].contains("if-none-match=- "))
    #expect(log[2].contains("if-none-match=\"\(run.host.sha256)\" "))
  }

  @Test(arguments: [
    ("info-304-always", HostingError.Reason.missingCopy),
    ("info-304-other-hash", .unexpectedHash), ("info-304-no-hash", .missingHash),
  ])
  func `refuses not modified without a copy, with another hash, or without one`(
    fault: String, reason: HostingError.Reason
  ) async throws {
    let run = try HostRun()
    let fetcher = run.fetcher(fault)
    if reason != .missingCopy { _ = try await fetcher.fetch(name: "m") }
    let error = await #expect(throws: HostingError.self) { try await fetcher.fetch(name: "m") }
    #expect(error?.reason == reason)
  }

  @Test func `refuses a hash that is another SHA-256 than the document's`() async throws {
    let run = try HostRun()
    let error = await #expect(throws: HostingError.self) {
      try await run.fetcher("etag-other-digest").fetch(name: "m")
    }
    #expect(error?.reason == .unexpectedHash && error?.stage == .information)
    #expect(try run.fileRequests().isEmpty)
  }

  @Test func `gives the older model at once while the newer one comes`() async throws {
    let run = try HostRun()
    let older = try await run.fetcher("older").fetch(name: "m")
    let fetcher = run.fetcher("slow")
    #expect(try await fetcher.fetch(name: "m", type: .localModelUpdateInBackground) == older)
    // Joins the download that is under way.
    let newer = try await fetcher.fetch(name: "m", type: .latestModel)
    #expect(newer.hash != older.hash)
    #expect(try run.fileRequests().count == 2)
  }

  @Test func `makes one download however many ask, and tells all of its progress`() async throws {
    let run = try HostRun()
    let fetcher = run.fetcher("slow")
    let models = try await withThrowingTaskGroup(of: CustomModel.self) { group in
      for _ in 0..<20 {
        group.addTask {
          let fractions = Mutex<[Float]>([])
          let model = try await fetcher.fetch(name: "m") { fraction in
            fractions.withLock { $0.append(fraction) }
          }
          let reported = fractions.withLock { $0 }
          #expect(reported.count > 3 && reported.last == 1 && reported == reported.sorted())
          #expect(reported.allSatisfy { (0...1).contains($0) })
          return model
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(models.count == 1)
    #expect(try run.log().count == 2)
  }

  @Test func `goes on for others when one no longer waits, and stops when nobody does`()
    async throws
  {
    let run = try HostRun()
    let fetcher = run.fetcher("slow")
    let (first, second) = (Self.begin(fetcher), Self.begin(fetcher))
    for fetch in [first, second] { _ = await fetch.progress.first { $0 > 0 } }
    first.task.cancel()
    let error = await #expect(throws: HostingError.self) { try await first.task.value }
    #expect(error?.reason == .cancelled)
    _ = try await second.task.value
    #expect(try run.fileRequests().count == 1)

    try fetcher.delete(name: "m")
    let third = Self.begin(run.fetcher("file-stalled", options: ModelFetcher.Options()))
    _ = await third.progress.first { $0 > 0 }
    third.task.cancel()
    await #expect(throws: HostingError.self) { try await third.task.value }
    // What came before the end is kept.
    _ = try await run.fetcher("healthy").fetch(name: "m")
    let requests = try run.fileRequests()
    #expect(requests.count == 3 && requests.last?.contains("range=bytes=") == true, "\(requests)")
  }

  /// A fetch of its own, and what it reports.
  private static func begin(
    _ fetcher: ModelFetcher
  ) -> (task: Task<CustomModel, any Error>, progress: AsyncStream<Float>) {
    let (progress, report) = AsyncStream.makeStream(of: Float.self)
    let task = Task {
      defer { report.finish() }
      return try await fetcher.fetch(name: "m") { report.yield($0) }
    }
    return (task, progress)
  }

  @Test func `resumes with the validator of what is there`() async throws {
    let run = try HostRun()
    _ = try await run.fetcher("file-truncated-once").fetch(name: "m")
    let requests = try run.fileRequests()
    #expect(requests.count == 2)
    #expect(requests[1].contains(#"range=bytes=123456- if-range="m1" "#))
  }

  @Test func `throws wrong bytes of an earlier attempt away`() async throws {
    let run = try HostRun()
    _ = await #expect(throws: HostingError.self) {
      try await run.fetcher("file-truncated").fetch(name: "m")
    }
    let part = "\(run.store.root)/partial/\(run.host.sha256).part"
    try Data(repeating: 7, count: 5000).write(to: URL(fileURLWithPath: part))
    let before = try run.fileRequests().count
    _ = try await run.fetcher("healthy").fetch(name: "m")
    let requests = try run.fileRequests().dropFirst(before).map { $0.contains("bytes=5000-") }
    #expect(requests == [true, false])
  }

  @Test func `does not find hosts that are not there`() async throws {
    let run = try HostRun()
    for address in ["http://127.0.0.1:1", "https://host.invalid"] {
      let fetcher = ModelFetcher(
        host: FirebaseMLHost(baseURL: address, project: "p"), store: run.store,
        options: .impatient)
      let error = await #expect(throws: HostingError.self) { try await fetcher.fetch(name: "m") }
      #expect(error?.reason == .unreachable, "\(String(describing: error))")
    }
  }

  @Test func `sends what Firebase's host wants, and says when there is no token`() async throws {
    let run = try HostRun()
    let base = run.host.address("healthy", run: run.number)
    var host = FirebaseMLHost(baseURL: base + "/", project: "my project", apiKey: "k&y")
    host.headers = ["Authorization": "secret"]
    _ = try await ModelFetcher(host: host, store: run.store).fetch(name: "a b")
    let log = try run.log()
    #expect(log[0].contains("/v1beta2/projects/my%20project/models/a%20b:download?key=k%26y "))
    #expect(log[0].hasSuffix("authorization=secret"))
    #expect(log[1].hasSuffix("authorization=-"))

    struct NoToken: Error {}
    host.installationsToken = { throw NoToken() }
    let fetcher = ModelFetcher(host: host, store: run.store)
    let error = await #expect(throws: HostingError.self) { try await fetcher.fetch(name: "m") }
    #expect(
      error?.downloadError == .internalError(description: "Error retrieving auth token."))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelHosting
import Testing

/// Other hosts.
@Suite(.enabled(if: FaultHost.shared != nil, "python3 is needed"))
struct OtherHostTests {
  private func repository(
    _ run: HostRun, revision: String = "main", file: String = "m.tflite"
  ) -> ModelFetcher {
    ModelFetcher(
      host: HuggingFaceHost(
        endpoint: run.host.address("hf", run: run.number), repository: "owner/name",
        revision: revision, token: "secret", file: { _ in file }),
      store: run.store, options: .impatient)
  }

  @Test func `in Hugging Face's layout: the commit's file, and its SHA-256`() async throws {
    let run = try HostRun()
    let model = try await repository(run).fetch(name: "m")
    #expect(model.hash == "\"\(run.host.sha256)\"" && model.size == 300_008)
    #expect(try await repository(run).fetch(name: "m") == model)
    let log = try run.log()
    #expect(log.map { $0.prefix(4) } == ["HEAD", "GET ", "GET ", "HEAD"])
    #expect(log[0].contains("/owner/name/resolve/main/m.tflite "))
    #expect(log[1].contains("/owner/name/resolve/c0ffee/m.tflite "))
    #expect(log[1].hasSuffix("authorization=Bearer secret"))
    #expect(log[2].contains("/blob/hf ") && log[2].hasSuffix("authorization=-"))
  }

  @Test func `in Hugging Face's layout: a small file, which has no SHA-256`() async throws {
    let run = try HostRun()
    let model = try await repository(run, file: "small/m.tflite").fetch(name: "m")
    #expect(model.hash == #""b10b""#)
    #expect(run.store.sha256(of: "m") == run.host.sha256)
  }

  @Test func `in Hugging Face's layout: what is not there`() async throws {
    let run = try HostRun()
    let error = await #expect(throws: HostingError.self) {
      try await repository(run, revision: "x").fetch(name: "m")
    }
    #expect(error?.reason == .status(404))
    #expect(error?.message == "RevisionNotFound")
    await #expect(throws: HostingError.self) {
      try await repository(run, file: "../../x").fetch(name: "m")
    }
  }

  @Test func `with a file of the SHA-256 beside the model`() async throws {
    let run = try HostRun()
    func fetcher(_ fault: String) -> ModelFetcher {
      ModelFetcher(
        host: StaticFileHost(baseURL: run.host.address(fault, run: run.number)),
        store: run.store, options: .impatient)
    }
    let model = try await fetcher("files").fetch(name: "m")
    #expect(model.hash == run.host.sha256 && model.size == 300_008)
    #expect(try await fetcher("files").fetch(name: "m") == model)
    #expect(try run.log().map { $0.contains(".sha256 ") } == [true, false, true])
    let error = await #expect(throws: HostingError.self) {
      try await fetcher("files-bad").fetch(name: "m")
    }
    #expect(error?.reason == .malformedAnswer)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelHosting
import Testing

/// The process of `fault_host.py`, which ends with the tests.
final class FaultHost: Sendable {
  /// The host that all tests share; nil where there is no Python.
  static let shared = try? FaultHost()

  let port: Int
  /// The SHA-256 of the model that a healthy host has.
  let sha256: String
  private let logs: String
  private let process: Process
  private let input: Pipe

  private init() throws {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("fault_host.py")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    logs = FileManager.default.temporaryDirectory.path + "/martlet-log-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: logs, withIntermediateDirectories: true)
    process.arguments = ["python3", script.path, logs]
    let output = Pipe()
    input = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    self.process = process
    var line = Data()
    while line.last != 0x0A {
      let bytes = try output.fileHandleForReading.read(upToCount: 1)
      guard let bytes, !bytes.isEmpty else { throw CocoaError(.fileReadUnknown) }
      line += bytes
    }
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let port = Int(words[0]) else { throw CocoaError(.fileReadUnknown) }
    self.port = port
    sha256 = String(words[1])
  }

  /// The address of a host with one fault, for one run.
  func address(_ fault: String, run: String) -> String {
    "http://127.0.0.1:\(port)/\(fault)/\(run)"
  }

  /// The requests of a run, one per line.
  func log(run: String) throws -> [String] {
    let file = URL(fileURLWithPath: "\(logs)/\(run)")
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return try String(decoding: Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
      .map { String($0) }
  }
}

/// A run: a store of its own, and the host's log of it.
final class HostRun: Sendable {
  let host: FaultHost
  let number = UUID().uuidString
  let folder: String
  let store: ModelStore

  init() throws {
    host = try #require(FaultHost.shared)
    folder = FileManager.default.temporaryDirectory.path + "/martlet-hosting-\(number)"
    store = ModelStore(root: folder + "/store")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// A fetcher of a Firebase-like host with a fault.
  func fetcher(
    _ fault: String, options: ModelFetcher.Options = .brisk
  ) -> ModelFetcher {
    ModelFetcher(
      host: FirebaseMLHost(baseURL: host.address(fault, run: number), project: "p"),
      store: store, options: options)
  }

  /// The requests so far.
  func log() throws -> [String] { try host.log(run: number) }

  /// The requests for the file so far.
  func fileRequests() throws -> [String] { try log().filter { $0.contains("blob/") } }
}

extension ModelFetcher.Options {
  /// Few attempts after short pauses, with time enough for a machine that has much else to do.
  static var brisk: Self {
    var options = Self()
    options.deadline = .seconds(120)
    options.maximumAttempts = 3
    options.backOff = .milliseconds(10)
    options.longestPause = .milliseconds(500)
    return options
  }

  /// The same, with limits after which hosts that do not answer are given up.
  static var impatient: Self {
    var options = brisk
    options.deadline = .seconds(5)
    options.idleTimeout = .seconds(1)
    return options
  }
}

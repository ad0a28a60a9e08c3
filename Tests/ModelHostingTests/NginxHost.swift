// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelHosting
import Testing

/// nginx with a folder that was published.
final class NginxHost {
  /// Where nginx is; nil where there is none.
  static let executable: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return (path.split(separator: ":").map { String($0) } + ["/usr/sbin", "/usr/local/sbin"])
      .map { $0 + "/nginx" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// What is served.
  let folder: String
  /// Models of clients.
  let store: ModelStore
  private let root: String
  private var process = Process()
  private(set) var address = ""

  /// Publishes `models` of the project `demo` and serves them.
  init(_ models: [HostTree.Model]) throws {
    let executable = try #require(Self.executable)
    root = FileManager.default.temporaryDirectory.path + "/martlet-nginx-\(UUID().uuidString)"
    folder = root + "/host"
    store = ModelStore(root: root + "/store")
    for _ in 0..<20 {
      let port = Int.random(in: 20_000..<60_000)
      try? FileManager.default.removeItem(atPath: folder)
      try publish(models, listen: "127.0.0.1:\(port)")
      if try start(executable, port: port) { return }
    }
    throw CocoaError(.executableNotLoadable)
  }

  deinit {
    if process.isRunning { process.terminate() }
    try? FileManager.default.removeItem(atPath: root)
  }

  private func start(_ executable: String, port: Int) throws -> Bool {
    process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = [
      "-p", folder, "-c", "nginx.conf", "-e", "run/error.log", "-g", "daemon off;",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    address = "http://127.0.0.1:\(port)"
    let probe = FileManager.default
    for _ in 0..<200 where process.isRunning {
      // nginx writes its number when it listens.
      if let text = probe.contents(atPath: folder + "/run/nginx.pid"), !text.isEmpty { return true }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return false
  }

  /// Publishes models, and makes nginx serve them unless it is not reloaded.
  @discardableResult
  func publish(
    _ models: [HostTree.Model], listen: String = "127.0.0.1:1", isReloading: Bool = true
  ) throws -> [PublishedModel] {
    let published = try HostTree(path: folder).publish(
      models, project: "demo", baseURL: nil, listen: listen)
    if process.isRunning, isReloading { kill(process.processIdentifier, SIGHUP) }
    return published
  }

  /// The release that is served.
  var release: String {
    get throws { try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/current") }
  }

  /// Status, request and size of each answer so far, such as `206 GET /blob/… HTTP/1.1 5000`.
  func log() throws -> [String] {
    let text = try String(contentsOfFile: folder + "/run/access.log", encoding: .utf8)
    return text.split(separator: "\n").map { line in
      let parts = line.split(separator: "\"")
      let words = parts[2].split(separator: " ")
      return "\(words[0]) \(parts[1]) \(words[1])"
    }
  }

  var fetcher: ModelFetcher {
    ModelFetcher(
      host: FirebaseMLHost(baseURL: address, project: "demo"), store: store, options: .impatient)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Signals while files are written.
@Suite(
  "signals while files are written",
  .enabled(if: MartletProcess.executable != nil, "the martlet executable is needed"))
struct SignalTests {
  private static let localizer = "\(MartletProcess.models)/localizer/localizer.tflite"

  /// A folder that a command writes to, and the name of its file.
  private struct Target {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("signals-\(UUID().uuidString)").path
    var file: String { "\(folder)/out" }
    static let older = Data("what was there before".utf8)

    init() throws {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Self.older.write(to: URL(fileURLWithPath: file))
    }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }
  }

  /// Runs a command and sends it a signal when a temporary file has appeared; whether it had not
  /// ended before.
  private static func interrupt(
    _ words: [String], _ target: Target, signal: Int32, code: Int32
  ) throws -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(MartletProcess.executable))
    process.arguments = words + [target.file]
    process.environment = MartletProcess.environment
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, !target.names.contains(where: { $0.hasSuffix(".partial") }) {}
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(target.names == ["out"], "no temporary file stays")
    let content = try Data(contentsOf: URL(fileURLWithPath: target.file))
    guard process.terminationStatus != 0 else { return false }
    #expect(process.terminationStatus == code)
    // The signal may come between the file's new name and the end of the process.
    return content == Target.older
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal leaves the older file and nothing else`(signal: Int32, code: Int32) throws {
    var hits = 0
    for _ in 0..<40 where hits < 3 {
      let target = try Target()
      defer { target.remove() }
      let words = ["trace", Self.localizer, "--fill", "random", "--output"]
      if try Self.interrupt(words, target, signal: signal, code: code) { hits += 1 }
    }
    #expect(hits == 3, "the signal came while the file was written")
  }
}

// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelHosting
import Testing

/// The command line as a process of its own.
enum Martlet {
  /// The executable beside the tests, with the one that downloads beside it; nil where they were
  /// not built.
  ///
  /// Blocking commands are not run in this process: tests share its few concurrent threads.
  static let executable: String? = {
    // The tests' own executable, or a bundle in the folder with all products.
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let paths = ["martlet", "martlet-fetch"].map { folder.appendingPathComponent($0).path }
    return paths.allSatisfy(FileManager.default.isExecutableFile) ? paths[0] : nil
  }()

  /// Begins `martlet fetch m` from a host with a fault.
  static func fetch(
    _ run: HostRun, _ fault: String, errors: Pipe? = nil
  ) throws -> (Process, output: Pipe) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(executable))
    process.arguments = [
      "fetch", "m", "--host", run.host.address(fault, run: run.number), "--project", "p",
      "--cache", run.store.root, "--timeout", "60",
    ]
    let output = Pipe()
    process.standardOutput = output
    if let errors {
      process.standardError = errors
    } else {
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    return (process, output)
  }
}

@Suite(
  "processes", .serialized,
  .enabled(if: FaultHost.shared != nil, "python3 is needed"),
  .enabled(if: Martlet.executable != nil, "the executables are needed"))
struct ProcessTests {
  @Test func `that ask for one model at once make one download`() throws {
    let run = try HostRun()
    let children = try (0..<8).map { _ in try Martlet.fetch(run, "slow") }
    var paths: Set<String> = []
    for (process, output) in children {
      let text = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      paths.insert(String(decoding: text, as: UTF8.self))
    }
    #expect(paths == [try run.store.path(of: "m") + "\n"])
    #expect(try run.fileRequests().count == 1)
    #expect(try run.log().count == 9)
    try Self.checkStoredModel(run)
  }

  /// Six at a time, again and again: some find the model that others are about to store.
  @Test func `that ask at once and find a model, or none, leave one model and one blob`() throws {
    for round in 0..<4 {
      let run = try HostRun()
      if round % 2 == 1 {
        let (first, output) = try Martlet.fetch(run, "healthy")
        _ = try output.fileHandleForReading.readToEnd()
        first.waitUntilExit()
      }
      let children = try (0..<6).map { _ in try Martlet.fetch(run, "healthy") }
      for (process, output) in children {
        _ = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      #expect(try run.fileRequests().count == 1)
      try Self.checkStoredModel(run)
    }
  }

  /// Whether a store has one model: a file with two names, its record, and nothing under way.
  private static func checkStoredModel(_ run: HostRun) throws {
    let files = FileManager.default
    let root = run.store.root
    let names = try files.contentsOfDirectory(atPath: root).filter { $0.contains("@@") }.sorted()
    #expect(names.map { String($0.suffix(5)) } == [".json", "flite"])
    let path = try run.store.path(of: "m")
    let blobs = try files.contentsOfDirectory(atPath: root + "/blobs")
    #expect(blobs == [run.host.sha256])
    func number(_ path: String, _ key: FileAttributeKey) throws -> Int? {
      (try files.attributesOfItem(atPath: path)[key] as? NSNumber)?.intValue
    }
    #expect(try number(path, .referenceCount) == 2)
    #expect(
      try number(path, .systemFileNumber) == number("\(root)/blobs/\(blobs[0])", .systemFileNumber))
    #expect((try? files.contentsOfDirectory(atPath: root + "/partial"))?.isEmpty != false)
  }

  @Test(
    arguments: [
      ("healthy", 0), ("info-404", 66), ("info-410", 66), ("info-401", 69), ("info-400", 69),
      ("info-429-long", 75), ("file-404", 66), ("file-wrong", 65), ("file-html", 65),
      ("json-truncated", 65), ("etag-missing", 65), ("uri-file", 65), ("info-redirect-out", 65),
    ] as [(String, Int32)])
  func `say in one line and their exit code what is wrong`(fault: String, code: Int32) throws {
    let run = try HostRun()
    let errors = Pipe()
    let (process, output) = try Martlet.fetch(run, fault, errors: errors)
    let text = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    let path = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == code)
    #expect(path.isEmpty == (code != 0))
    let lines = text.split(separator: "\n").filter { !$0.hasPrefix("hint: ") }
    #expect(lines.count == (code == 0 ? 0 : 1) && text.hasPrefix(code == 0 ? "" : "error: "))
  }

  @Test(arguments: [(SIGTERM, 143), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
  func `end at a signal as all commands do, and leave what has come`(
    signal: Int32, code: Int32
  ) throws {
    let run = try HostRun()
    let part = "\(run.store.root)/partial/\(run.host.sha256).part"
    let errors = Pipe()
    let (process, output) = try Martlet.fetch(run, "slow", errors: errors)
    while process.isRunning, Self.size(part) == 0 { usleep(1000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == code)
    #expect(Self.size(part) > 0)
    #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
    #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
    let names = try FileManager.default.subpathsOfDirectory(atPath: run.store.root)
    #expect(!names.contains { $0.hasSuffix(".tmp") || $0.hasSuffix(".tflite") })
  }

  /// How often a download is killed; `MARTLET_KILL_COUNT` asks for more than the usual few.
  static let killCount =
    ProcessInfo.processInfo.environment["MARTLET_KILL_COUNT"].flatMap { Int($0) } ?? 6

  @Test func `that are killed at any moment lose nothing, and the next one goes on`() async throws {
    let run = try HostRun()
    let older = try await run.fetcher("older").fetch(name: "m")
    let part = "\(run.store.root)/partial/\(run.host.sha256).part"
    let blob = "\(run.store.root)/blobs/\(run.host.sha256)"
    var (completed, resumed) = (0, 0)
    for _ in 0..<Self.killCount {
      let before = Self.size(part)
      let requests = try run.fileRequests().count
      let (process, _) = try Martlet.fetch(run, "slow")
      try await Task.sleep(for: .milliseconds(Int.random(in: 0..<900)))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let ranges = try run.fileRequests().dropFirst(requests)
      if before > 0, let range = ranges.first {
        #expect(range.contains("range=bytes=\(before)- "))
        resumed += 1
      }
      // The model on disk is the older or the newer one, and intact.
      let model = try #require(try run.store.model("m"))
      if model.hash == older.hash {
        // All may have come, and only the model's name be missing.
        let held = max(Self.size(part), Self.size(blob))
        #expect(held >= before, "what had come is still there")
        continue
      }
      completed += 1
      #expect(run.store.sha256(of: "m") == run.host.sha256)
      _ = try await run.fetcher("older").fetch(name: "m")
    }
    let (process, _) = try Martlet.fetch(run, "slow")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(run.store.sha256(of: "m") == run.host.sha256)
    print("\(Self.killCount) kills: \(resumed) downloads resumed, \(completed) completed")
  }

  private static func size(_ path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? NSNumber)?.intValue ?? 0
  }
}

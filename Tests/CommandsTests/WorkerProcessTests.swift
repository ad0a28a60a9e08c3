// SPDX-License-Identifier: Apache-2.0

import BundledModels
import Foundation
import JSONDocuments
import Testing

@Suite(
  "martlet worker as a process", .serialized,
  .enabled(if: MartletProcess.executable != nil, "the martlet executable is needed"))
struct WorkerProcessTests {
  /// A worker whose input stays open.
  private struct Worker {
    let process = Process()
    let input = Pipe()
    let output = Pipe()

    init(_ options: [String] = []) throws {
      process.executableURL = URL(fileURLWithPath: try #require(MartletProcess.executable))
      process.arguments = ["worker", "--no-timing"] + options
      process.environment = MartletProcess.environment
      process.standardInput = input
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
    }

    /// The answer to a record, read before anything else is written.
    func answer(to record: JSON) throws -> JSON {
      try input.fileHandleForWriting.write(contentsOf: Data(WorkerRecords.lines([record])))
      var answer: [UInt8] = []
      while answer.last != UInt8(ascii: "\n") {
        let piece = output.fileHandleForReading.availableData
        if piece.isEmpty { break }
        answer += piece
      }
      // The error of a line before may have come with it.
      let line = try #require(answer.split(separator: UInt8(ascii: "\n")).first)
      return try JSON(parsing: Array(line))
    }

    /// The most memory that the process had at a time.
    func peakByteCount() throws -> Int {
      let status = try String(
        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(Int(line.split(separator: " ").dropLast().last ?? "")) << 10
    }

    /// What is left of the output once the process has ended.
    func end() throws -> (code: Int32, output: Data) {
      let rest = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      return (process.terminationStatus, rest)
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `every answer is there before the next record`() throws {
    let worker = try Worker()
    for record in try WorkerRecords.digits(3) {
      #expect(try worker.answer(to: record)["id"] == record["id"])
    }
    try worker.input.fileHandleForWriting.close()
    let (code, rest) = try worker.end()
    #expect(code == 0 && rest.isEmpty)
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
  func `signals end a worker that waits for input`(signal: Int32, code: Int32) throws {
    let worker = try Worker()
    // After an answer, the worker listens for signals.
    let record = try WorkerRecords.digits(1)[0]
    #expect(try worker.answer(to: record)["labels"] != nil)
    kill(worker.process.processIdentifier, signal)
    let end = try worker.end()
    #expect(end.code == code && end.output.isEmpty)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/status"), "/proc is needed"),
    .enabled(
      if: ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] == nil,
      "sanitizers keep what was freed"),
    .timeLimit(.minutes(2)))
  func `a line without end takes no memory`() throws {
    let worker = try Worker(["--keep-going", "--max-line-bytes", "10000"])
    let record = try WorkerRecords.digits(1)[0]
    #expect(try worker.answer(to: record)["labels"] != nil)
    let before = try worker.peakByteCount()
    let piece = Data(repeating: UInt8(ascii: "["), count: 1 << 20)
    for _ in 0..<128 { try worker.input.fileHandleForWriting.write(contentsOf: piece) }
    try worker.input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
    #expect(try worker.answer(to: record)["error"]?["code"] == "too_long")
    // What a record takes beyond the first, and nothing of the 128 MiB.
    #expect(try worker.peakByteCount() - before < 8 << 20)
    try worker.input.fileHandleForWriting.close()
    #expect(try worker.end().code == 0)
  }

  @Test(.timeLimit(.minutes(2)))
  func `a reader that goes away ends the worker`() throws {
    let worker = try Worker()
    let record = try WorkerRecords.digits(1)[0]
    _ = try worker.answer(to: record)
    try worker.output.fileHandleForReading.close()
    try worker.input.fileHandleForWriting.write(contentsOf: Data(WorkerRecords.lines([record])))
    worker.process.waitUntilExit()
    #expect(worker.process.terminationReason == .exit && worker.process.terminationStatus == 74)
  }
}

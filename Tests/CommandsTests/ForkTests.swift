// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What a child of a process with a model, an interpreter and threads may do.
@Suite(
  .enabled(if: MartletProcess.built("ForkedRuns") != nil, "the executable ForkedRuns is needed"),
  .disabled(
    if: ProcessInfo.processInfo.environment["MARTLET_SANITIZER"] != nil,
    "sanitizers have threads of their own"))
struct ForkTests {
  @Test(.timeLimit(.minutes(2)), arguments: [1, 2, 4])
  func `children compute what their parent did`(threadCount: Int) throws {
    let executable = try #require(MartletProcess.built("ForkedRuns"))
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = [
      MartletProcess.models + "/localizer/localizer.tflite", "\(threadCount)", "50",
    ]
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(String(decoding: bytes, as: UTF8.self) == "50 of 50 children, parent true\n")
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }
}

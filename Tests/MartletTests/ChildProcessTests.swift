// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet
import Testing

/// Programs that are started while an interpreter and its threads are alive.
@Suite struct ChildProcessTests {
  /// What `sh -c` prints, started with nothing but what the system calls do by themselves.
  private static func output(of script: String) throws -> String {
    var ends: [Int32] = [-1, -1]
    let isPiped = unsafe pipe(&ends) == 0
    try #require(isPiped)
    let reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addclose(&actions, ends[0])
    unsafe posix_spawn_file_actions_addclose(&actions, ends[1])
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe []
    for word in ["/bin/sh", "-c", script] { unsafe arguments.append(strdup(word)) }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    unsafe arguments.append(nil)
    var child: pid_t = 0
    let code = unsafe posix_spawn(&child, "/bin/sh", &actions, nil, &arguments, environ)
    close(ends[1])
    try #require(code == 0)
    let text = try reading.readToEnd() ?? Data()
    var status: Int32 = 0
    let ended = unsafe waitpid(child, &status, 0)
    #expect(ended == child && status == 0)
    return String(decoding: text, as: UTF8.self)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "/proc is needed"),
    arguments: [1, 3])
  func `a child has none of our descriptors, and the threads stay well`(threads: Int) throws {
    // A name of its own, because other tests open models at the same time.
    let copy = FileManager.default.temporaryDirectory
      .appendingPathComponent("child-\(UUID().uuidString).tflite").path
    try FileManager.default.copyItem(
      atPath: TestModels.path("Models/digits/digits_int8.tflite"), toPath: copy)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    var options = Interpreter.Options()
    options.threadCount = threads
    let interpreter = try Interpreter(Model(path: copy), options: options)
    let expected = try InterpreterTests.run(interpreter)

    let listing = "ls -l /proc/self/fd"
    #expect(!(try Self.output(of: listing)).contains(copy))
    // That a descriptor which is handed on would be seen.
    let handedOn = unsafe open(copy, O_RDONLY)
    #expect(try Self.output(of: listing).contains(copy))
    close(handedOn)

    for _ in 0..<20 {
      #expect(try Self.output(of: "echo well") == "well\n")
      #expect(try InterpreterTests.run(interpreter) == expected)
    }
  }
}

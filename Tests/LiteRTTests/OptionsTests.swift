// SPDX-License-Identifier: Apache-2.0

import LiteRT
import Testing

/// Environments and options.
@Suite struct OptionsTests {
  @Test func `an environment without accelerators`() throws {
    let environment = try Environment(options: [
      .compilerCacheMaxConfigsPerModel(5), .autoRegisterAccelerators(1),
      .runtimeLibraryDir("/nowhere"),
    ])
    #expect(try environment.supportsFP16() == false)
    #expect(environment.hasGpuEnvironment() == false)
    #expect(try environment.supportsClGlInterop() == false)
    #expect(try environment.supportsAhwbClInterop() == false)
    #expect(try environment.supportsAhwbGlInterop() == false)
  }

  @Test func `options that only an accelerator knows`() throws {
    var values = [42, 43, 44]
    try unsafe values.withUnsafeMutableBytes { bytes in
      let payload = try unsafe #require(bytes.baseAddress)
      let first = try unsafe OpaqueOptions(identifier: "first", payload: payload)
      let second = try unsafe OpaqueOptions(identifier: "second", payload: payload + 8)
      let third = try unsafe OpaqueOptions(identifier: "third", payload: payload + 16)
      try first.append(second)
      let options = try Options()
      #expect(try options.opaqueOptions() == nil)
      try options.addOpaqueOptions(first)
      try options.addOpaqueOptions(third)
      let found = try #require(try options.opaqueOptions())
      #expect(found.identifier == "first")
      #expect(unsafe found.data == payload)
      #expect(unsafe found.findData(identifier: "third") == payload + 16)
      #expect(unsafe found.findData(identifier: "fourth") == nil)
      #expect(found.next()?.next()?.identifier == "third")
      #expect(found.next()?.next()?.next() == nil)
      try found.pop()
      #expect(unsafe found.findData(identifier: "third") == nil)
      try found.pop()
      try found.pop()
      #expect(found.identifier.isEmpty)
      #expect(unsafe found.data == nil)
      #expect(throws: LiteRtError.runtimeFailure) { try found.pop() }
      #expect(throws: LiteRtError.invalidArgument) { try third.append(found) }
      #expect(throws: LiteRtError.runtimeFailure) { try found.append(third) }
    }
  }

  @Test func `every error says what it is`() {
    #expect("\(LiteRtError.indexOutOfBounds)" == "Index out of bounds")
    #expect("\(LiteRtError.fileIO)" == "File I/O error")
  }
}

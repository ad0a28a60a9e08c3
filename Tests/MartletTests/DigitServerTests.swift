// SPDX-License-Identifier: Apache-2.0

import Foundation
import Martlet
import SeededRandom
import Testing

@Suite struct DigitServerTests {
  private static func server() throws -> DigitServer {
    DigitServer(pool: try InterpreterPool(TestModels.digits("int8"), capacity: 4))
  }

  private static func requests(_ count: Int) -> [DigitServer.Request] {
    var random = SeededRandom(seed: count)
    return (0..<count).map { number in
      DigitServer.Request(
        number: number, pixels: (0..<3_072).map { _ in Int8.random(in: -128...127, using: &random) }
      )
    }
  }

  private static func stream(_ requests: [DigitServer.Request]) -> AsyncStream<DigitServer.Request>
  {
    AsyncStream { continuation in
      for request in requests { continuation.yield(request) }
      continuation.finish()
    }
  }

  @Test func `a thousand requests are answered as one interpreter answers them`() async throws {
    let server = try Self.server()
    let requests = Self.requests(1_000)
    var digits = [Int?](repeating: nil, count: requests.count)
    try await server.answer(Self.stream(requests)) { answer in
      #expect(digits[answer.number] == nil)
      digits[answer.number] = answer.digit
      #expect(server.pool.lentCount + server.pool.waitingCount <= 8)
    }
    let interpreter = try Interpreter(server.pool.model)
    for request in requests {
      try interpreter.setInput(0, request.pixels)
      try await interpreter.invoke()
      let scores = try interpreter.output(0, as: Int8.self)
      let digit = try #require(digits[request.number])
      #expect(scores[digit] == scores.max(), "request \(request.number)")
    }
    #expect(server.pool.lentCount == 0)
  }

  @Test func `a request that does not fit ends what is under way, and the next are served`()
    async throws
  {
    let server = try Self.server()
    var requests = Self.requests(40)
    requests[20] = DigitServer.Request(number: 20, pixels: [1, 2, 3])
    await #expect(throws: InferenceError.self) {
      try await server.answer(Self.stream(requests)) { _ in }
    }
    #expect(server.pool.lentCount == 0 && server.pool.waitingCount == 0)
    let answer = try await server.answer(requests[0])
    #expect(answer.number == 0)
  }

  @Test func `a server that is canceled gives back its interpreters`() async throws {
    let server = try Self.server()
    let (stream, continuation) = AsyncStream<DigitServer.Request>.makeStream()
    for request in Self.requests(100) { continuation.yield(request) }
    let (answered, first) = AsyncStream<Int>.makeStream()
    let serving = Task {
      try await server.answer(stream) { answer in first.yield(answer.number) }
    }
    for await _ in answered { break }
    serving.cancel()
    _ = await serving.result
    #expect(server.pool.lentCount == 0 && server.pool.waitingCount == 0)
  }

  @Test func `the document shows the server`() throws {
    let source = try String(
      contentsOfFile: TestModels.path("Tests/MartletTests/DigitServer.swift"), encoding: .utf8)
    let document = try String(
      contentsOfFile: TestModels.path("Docs/Worker.md"), encoding: .utf8)
    let shown = try #require(source.components(separatedBy: "shows.\n").last)
    #expect(document.contains("```swift\n\(shown)```\n"))
  }
}

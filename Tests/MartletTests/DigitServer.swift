// SPDX-License-Identifier: Apache-2.0

// From here on, what Docs/Worker.md shows.
import Martlet

/// Tells which digits pictures show.
struct DigitServer: Sendable {
  struct Request: Sendable {
    let number: Int
    let pixels: [Int8]  // 32 × 32 × 3
  }

  struct Answer: Sendable {
    let number: Int
    let digit: Int
  }

  let pool: InterpreterPool

  /// Answers one request, once an interpreter is free.
  func answer(_ request: Request) async throws -> Answer {
    let scores = try await pool.withInterpreter { interpreter in
      try interpreter.setInput(0, request.pixels)
      try await interpreter.invoke()
      return try interpreter.output(0, as: Int8.self)
    }
    let digit = scores.indices.max { scores[$0] < scores[$1] } ?? 0
    return Answer(number: request.number, digit: digit)
  }

  /// Answers requests as they come; at most two for each interpreter are under way.
  func answer<Requests: AsyncSequence>(
    _ requests: Requests, deliver: (Answer) async -> Void
  ) async throws where Requests.Element == Request {
    try await withThrowingTaskGroup(of: Answer.self) { group in
      var free = 2 * pool.capacity
      for try await request in requests {
        if free == 0, let answer = try await group.next() {
          await deliver(answer)
          free += 1
        }
        free -= 1
        group.addTask { try await answer(request) }
      }
      for try await answer in group { await deliver(answer) }
    }
  }
}

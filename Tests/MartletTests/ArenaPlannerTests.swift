// SPDX-License-Identifier: Apache-2.0

import Martlet
import SeededRandom
import Testing

@Suite struct ArenaPlannerTests {
  typealias Request = ArenaPlanner.Request

  @Test func `a chain of tensors alternates between two locations`() throws {
    let chain = (0..<6).map { Request(byteCount: 640, lifetime: $0...$0 + 1) }
    let placement = try ArenaPlanner.location(chain)
    #expect(placement.byteCount == 1280)
    #expect(Set(placement.offsets) == [0, 640])
  }

  @Test func `a small tensor goes into the tightest gap`() throws {
    let requests = [
      Request(byteCount: 1024, lifetime: 0...2),
      Request(byteCount: 512, lifetime: 0...0),
      Request(byteCount: 256, lifetime: 0...2),
      Request(byteCount: 192, lifetime: 1...1),
    ]
    let placement = try ArenaPlanner.location(requests)
    #expect(placement.offsets == [0, 1024, 1536, 1024])
    #expect(placement.byteCount == 1792)
  }

  @Test func `sizes are rounded up to cache lines, and nothing takes nothing`() throws {
    let placement = try ArenaPlanner.location([
      Request(byteCount: 1, lifetime: 0...0), Request(byteCount: 65, lifetime: 0...0),
      Request(byteCount: 0, lifetime: 0...0),
    ])
    #expect(placement.offsets == [128, 0, 0])
    #expect(placement.byteCount == 192)
  }

  @Test func `an arena beyond the limit is refused`() {
    #expect(throws: ArenaPlanner.Overflow.self) {
      try ArenaPlanner.location(
        [Request(byteCount: 600, lifetime: 0...1), Request(byteCount: 600, lifetime: 1...2)],
        limit: 1000)
    }
  }

  @Test(arguments: 0..<40 as Range<UInt64>)
  func `tensors alive together never overlap`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    // An index finds the tensors of large plans.
    let requests = (0..<(seed < 36 ? 60 : 1500)).map { _ in
      let first = Int(random.next() % 40)
      let byteCount = Int(random.next() % 5000)
      return Request(byteCount: byteCount, lifetime: first...first + Int(random.next() % 10))
    }
    let placement = try ArenaPlanner.location(requests)
    let tensors = zip(requests, placement.offsets).filter { $0.0.byteCount > 0 }
    var overlaps = 0
    for (index, (request, offset)) in tensors.enumerated() {
      for (other, start) in tensors[..<index] where other.lifetime.overlaps(request.lifetime) {
        if start < offset + request.byteCount, offset < start + other.byteCount { overlaps += 1 }
      }
    }
    #expect(overlaps == 0)
    #expect(placement.byteCount >= ArenaPlanner.lowerBound(requests))
  }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Tensors
import Testing

@Suite struct MemoryTests {
  /// Sizes on both sides of where the heap, small pages and large pages take turns.
  @Test(arguments: [
    0, 1, 4096, 1 << 18, (5 << 18) - 1, 5 << 18, (1 << 21) - 1, (1 << 21) + 1, (3 << 21) + 5000,
  ])
  func `allocations are zeroed, aligned and writable to their last byte`(byteCount: Int) {
    let bytes = TensorBytes(zeroed: byteCount)
    #expect(bytes.isAligned(to: Storage.alignment))
    #expect(bytes.byteCount == byteCount)
    var span = bytes.mutableSpan(as: UInt8.self)
    for index in stride(from: 0, to: byteCount, by: 997) { #expect(span[index] == 0) }
    if byteCount > 0 {
      #expect(span[byteCount - 1] == 0)
      span[byteCount - 1] = 7
      #expect(bytes.span(as: UInt8.self)[byteCount - 1] == 7)
    }
  }

  @Test(arguments: [0, 1000, 3 << 20])
  func `an allocation may be expected to stay empty`(dense: Int) throws {
    let storage = Storage(zeroed: 5 << 20, dense: dense)
    let last = try #require(TensorBytes(storage, offset: (5 << 20) - 4, byteCount: 4))
    #expect(last.span(as: Int32.self)[0] == 0)
    #expect(storage.byteCount == 5 << 20)
  }

  @Test(arguments: [100, 1 << 18, 5 << 20])
  func `memory that is found before it is written holds zeros`(byteCount: Int) throws {
    let storage = Storage(zeroed: byteCount)
    for range in [0..<byteCount, 10..<11, 50..<50, 0..<Int.max, byteCount..<byteCount + 9] {
      storage.populate(range)
    }
    let bytes = try #require(TensorBytes(storage, offset: 0, byteCount: byteCount))
    var span = bytes.mutableSpan(as: UInt8.self)
    for index in span.indices where span[index] != 0 { Issue.record("byte \(index) is no zero") }
    span[byteCount - 1] = 7
    storage.populate(0..<byteCount)
    #expect(storage.bytes[byteCount - 1] == 7)
  }

  @Test(arguments: [0, 1, 300_000, 4 << 20])
  func `pieces of weight memory never overlap, whatever was expected`(expected: Int) {
    let memory = WeightMemory(expected: expected)
    let sizes = [1, 64, 0, 100_000, 3_000_000, 65, 700_000, 4096, 2_500_000]
    let pieces = sizes.map(memory.take)
    for (index, piece) in pieces.enumerated() {
      #expect(piece.byteCount == sizes[index])
      #expect(piece.isAligned(to: Storage.alignment))
      var bytes = piece.mutableSpan(as: UInt8.self)
      for position in bytes.indices {
        if bytes[position] != 0 { Issue.record("byte \(position) of piece \(index) is taken") }
        bytes[position] = UInt8(index + 1)
      }
    }
    for (index, piece) in pieces.enumerated() {
      let bytes = piece.span(as: UInt8.self)
      let spoilt = bytes.indices.contains { bytes[$0] != UInt8(index + 1) }
      #expect(!spoilt)
    }
  }
}

@Suite struct WeightCacheTests {
  final class Value: Sendable {}

  final class Counter: Sendable {
    let count = Mutex(0)
  }

  @Test func `a value is made once, by whoever comes first`() async throws {
    let storage = Storage(zeroed: 256)
    let cache = WeightCache(file: storage)
    let bytes = try #require(TensorBytes(storage, offset: 64, byteCount: 64))
    let made = Counter()
    let values = await withTaskGroup(of: Value.self) { group in
      for _ in 0..<16 {
        group.addTask {
          cache.value(for: bytes, form: WeightForm("packed")) {
            made.count.withLock { $0 += 1 }
            return Value()
          }
        }
      }
      return await group.reduce(into: [Value]()) { $0.append($1) }
    }
    #expect(made.count.withLock { $0 } == 1)
    #expect(Set(values.map(ObjectIdentifier.init)).count == 1)
    #expect(cache.value(for: bytes, form: WeightForm("otherwise")) { Value() } !== values[0])
    #expect(cache.value(for: bytes, form: WeightForm("packed", [1])) { Value() } !== values[0])
    #expect(
      cache.value(for: bytes, form: WeightForm("packed", level: "v3")) { Value() } !== values[0])
  }

  @Test func `only what the file holds is kept, and has memory for it`() throws {
    let storage = Storage(zeroed: 256)
    let cache = WeightCache(file: storage)
    let inside = try #require(TensorBytes(storage, offset: 0, byteCount: 64))
    let outside = TensorBytes(zeroed: 64)
    #expect(cache.memory(for: inside) != nil)
    #expect(cache.memory(for: outside) == nil)
    let first = cache.value(for: outside, form: WeightForm("packed")) { Value() }
    #expect(cache.value(for: outside, form: WeightForm("packed")) { Value() } !== first)
  }
}

// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Tensors
import Testing

@Suite struct DerivedBytesTests {
  private final class Counter: Sendable {
    let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
  }

  /// Each byte of `source` as a number that is a thousand times as large.
  private static func thousands(
    of source: TensorBytes, _ counter: Counter, in memory: PassingMemory = PassingMemory()
  ) -> TensorBytes {
    TensorBytes(deriving: source.byteCount * 4, from: source, in: memory) { target in
      counter.count.withLock { $0 += 1 }
      let bytes = source.span(as: UInt8.self)
      var numbers = target.mutableSpan(as: Int32.self)
      for index in numbers.indices { numbers[index] = Int32(bytes[index]) * 1000 }
    }
  }

  private static func numbers(_ bytes: TensorBytes) -> [Int32] {
    let span = bytes.span(as: Int32.self)
    return span.indices.map { span[$0] }
  }

  @Test func `values are computed for each who only reads them once, and kept for the others`() {
    let source = TensorBytes(copying: [1, 2, 3, 255] as [UInt8])
    let counter = Counter()
    let derived = Self.thousands(of: source, counter)
    #expect(derived.byteCount == 16 && counter.value == 0)
    #expect(derived.derivationSource?.isSame(as: source) == true)
    #expect(source.derivationSource == nil)

    let expected: [Int32] = [1000, 2000, 3000, 255_000]
    for reads in 1...2 {
      let passing = derived.passing
      #expect(passing.storage !== derived.storage)
      #expect(Self.numbers(passing) == expected)
      #expect(counter.value == reads)
    }
    #expect(Self.numbers(derived) == expected && counter.value == 3)
    #expect(Self.numbers(derived) == expected && counter.value == 3)
    #expect(derived.passing.isSame(as: derived) && counter.value == 3)
  }

  @Test func `many bytes are aligned and all there`() {
    let source = TensorBytes(copying: [UInt8](repeating: 7, count: 100_000))
    let derived = Self.thousands(of: source, Counter())
    for bytes in [derived.passing, derived] {
      #expect(bytes.isAligned(to: Storage.alignment))
      #expect(Self.numbers(bytes) == [Int32](repeating: 7000, count: 100_000))
    }
  }

  @Test func `threads that ask at once get the same bytes`() async {
    let source = TensorBytes(copying: [5] as [UInt8])
    let counter = Counter()
    let derived = Self.thousands(of: source, counter)
    await withTaskGroup(of: [Int32].self) { group in
      for _ in 0..<16 { group.addTask { Self.numbers(derived) } }
      for await values in group { #expect(values == [5000]) }
    }
    #expect(counter.value == 1)
  }

  @Test func `values that are read for a while are made where others were before`() throws {
    let memory = PassingMemory()
    let counter = Counter()
    let sources = [100, 70_000, 3].map {
      TensorBytes(copying: [UInt8](repeating: UInt8($0 % 251), count: $0))
    }
    let derived = sources.map { Self.thousands(of: $0, counter, in: memory) }
    func expected(_ index: Int) -> [Int32] {
      [Int32](
        repeating: Int32(sources[index].byteCount % 251) * 1000, count: sources[index].byteCount)
    }

    var first: TensorBytes? = derived[0].passing
    let storage = try #require(first).storage
    #expect(Self.numbers(try #require(first)) == expected(0))
    let second = derived[1].passing
    #expect(second.storage !== storage, "the first values are still read")
    #expect(Self.numbers(try #require(first)) == expected(0))
    #expect(Self.numbers(second) == expected(1))
    first = nil
    #expect(Self.numbers(second) == expected(1))
  }

  @Test func `memory of values that are read for a while is used again, until it is given back`() {
    let memory = PassingMemory()
    let source = TensorBytes(copying: [UInt8](repeating: 7, count: 1000))
    let derived = Self.thousands(of: source, Counter(), in: memory)
    func address() -> UInt { unsafe UInt(bitPattern: derived.passing.address) }
    let first = address()
    #expect((0..<5).allSatisfy { _ in address() == first })
    memory.release()
    let held = derived.passing
    #expect(held.storage !== derived.passing.storage)
    #expect(Self.numbers(derived.passing) == [Int32](repeating: 7000, count: 1000))
  }
}

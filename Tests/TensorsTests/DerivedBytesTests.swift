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
  private static func thousands(of source: TensorBytes, _ counter: Counter) -> TensorBytes {
    TensorBytes(deriving: source.byteCount * 4, from: source) { target in
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
}

// SPDX-License-Identifier: Apache-2.0

/// Finds the matches of an expression in a text: Pike's simulation of all threads at once.
///
/// For each code point every instruction is visited at most once, so a search takes time
/// proportional to the product of text and program, whatever they are.
package struct RegexMatcher {
  /// The threads at a position, the preferred first: instructions and where their matches begin.
  private struct Threads {
    var addresses: [Int] = []
    var starts: [Int] = []

    mutating func removeAll() {
      addresses.removeAll(keepingCapacity: true)
      starts.removeAll(keepingCapacity: true)
    }
  }

  private let expression: RegularExpression
  private let bytes: [UInt8]
  private var current = Threads()
  private var next = Threads()
  /// The position at which an instruction was last visited, in visits of positions.
  private var visits: [Int]
  private var visit = 0
  private var stack: [Int] = []
  /// Instructions visited so far.
  private(set) var stepCount = 0

  /// A matcher for the text with these bytes.
  package init(_ expression: RegularExpression, bytes: [UInt8]) {
    self.expression = expression
    self.bytes = bytes
    visits = [Int](repeating: 0, count: expression.program.count)
  }

  /// The first match at or behind `origin`, which counts as the beginning of the text.
  ///
  /// - Parameters:
  ///   - origin: a position between code points.
  ///   - stepLimit: the search ends without a match when `stepCount` goes beyond.
  /// - Returns: nil where there is none.
  package mutating func firstMatch(from origin: Int, stepLimit: Int) -> Range<Int>? {
    var match: Range<Int>?
    var position = origin
    current.removeAll()
    visit += 1
    while stepCount <= stepLimit {
      if match == nil {
        if current.addresses.isEmpty { position = nextStart(position) }
        add(0, start: position, at: position, origin: origin, toNext: false)
      }
      if current.addresses.isEmpty, match != nil || position >= bytes.count { break }
      guard position < bytes.count else {
        finish(&match, at: position)
        break
      }
      let (value, byteCount) = UTF8Text.scalar(bytes, at: position)
      step(value, at: position, to: position + byteCount, origin: origin, match: &match)
      position += byteCount
      swap(&current, &next)
    }
    return match
  }

  /// The first position from here on at which a match can begin.
  private func nextStart(_ position: Int) -> Int {
    guard let firstBytes = expression.firstBytes else { return position }
    var index = position
    while index < bytes.count, !firstBytes[Int(bytes[index])] || bytes[index] & 0xC0 == 0x80 {
      index += 1
    }
    return index
  }

  private func finish(_ match: inout Range<Int>?, at position: Int) {
    for (index, address) in current.addresses.enumerated() {
      if case .match = expression.program[address] {
        match = current.starts[index]..<position
        return
      }
    }
  }

  /// Lets all threads take a code point; those behind one with a match end.
  private mutating func step(
    _ value: UInt32, at position: Int, to end: Int, origin: Int, match: inout Range<Int>?
  ) {
    next.removeAll()
    visit += 1
    for index in current.addresses.indices {
      let address = current.addresses[index]
      let start = current.starts[index]
      let isTaken: Bool
      switch expression.program[address] {
      case .scalar(let expected): isTaken = value == expected
      case .set(let set): isTaken = expression.classes[set].contains(value)
      case .any: isTaken = true
      case .anyButNewline: isTaken = value != 0x0A
      case .match:
        match = start..<position
        return
      case .split, .jump, .assertion: isTaken = false
      }
      if isTaken { add(address + 1, start: start, at: end, origin: origin, toNext: true) }
    }
  }

  /// Adds the threads that an instruction leads to without taking a code point.
  private mutating func add(
    _ address: Int, start: Int, at position: Int, origin: Int, toNext: Bool
  ) {
    stack.append(address)
    while let address = stack.popLast() {
      if visits[address] == visit { continue }
      visits[address] = visit
      stepCount += 1
      switch expression.program[address] {
      case .jump(let offset): stack.append(address + offset)
      case .split(let first, let second):
        stack.append(address + second)
        stack.append(address + first)
      case .assertion(let assertion):
        if holds(assertion, at: position, origin: origin) { stack.append(address + 1) }
      case .scalar, .set, .any, .anyButNewline, .match:
        if toNext {
          next.addresses.append(address)
          next.starts.append(start)
        } else {
          current.addresses.append(address)
          current.starts.append(start)
        }
      }
    }
  }

  private func holds(_ assertion: RegexAssertion, at position: Int, origin: Int) -> Bool {
    let before = position > origin ? bytes[position - 1] : nil
    let after = position < bytes.count ? bytes[position] : nil
    switch assertion {
    case .textStart: return before == nil
    case .textEnd: return after == nil
    case .lineStart: return before == nil || before == 0x0A
    case .lineEnd: return after == nil || after == 0x0A
    case .wordBoundary: return Self.isWord(before) != Self.isWord(after)
    case .noWordBoundary: return Self.isWord(before) == Self.isWord(after)
    }
  }

  private static func isWord(_ byte: UInt8?) -> Bool {
    switch byte ?? 0 {
    case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: true
    default: false
    }
  }
}

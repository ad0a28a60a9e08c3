// SPDX-License-Identifier: Apache-2.0

/// Decodes one FlexBuffer within the limits of depth and size.
///
/// Offsets may point to the same vector any number of times, so a few bytes can stand for a million
/// values, and a model can hold them in each of its nodes. As buffers are written, only keys, texts
/// and the vectors of maps' keys are shared: there is a byte for each element.
struct FlexDecoder: ~Escapable {
  private let bytes: Span<UInt8>
  private var elements: Allowance
  private var text: Allowance

  /// What is left of a limit.
  private struct Allowance {
    let limit: Int
    var left: Int

    init(_ limit: Int) {
      self.limit = min(limit, FlexBuffers.elementLimit)
      left = self.limit
    }

    mutating func charge(_ count: Int, at position: Int) throws(FlatBufferError) {
      guard count <= left else {
        throw FlatBufferError(.tooManyElements(limit: limit), at: position)
      }
      left -= count
    }
  }

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) {
    self.bytes = bytes
    elements = Allowance(max(bytes.count, FlexBuffers.leastElementLimit))
    text = Allowance(
      min(bytes.count, FlexBuffers.elementLimit) * FlexBuffers.textPerByte)
  }

  static func isWidth(_ width: Int) -> Bool { [1, 2, 4, 8].contains(width) }

  /// The value in the slot at `position`, which is as wide as its parent's slots.
  ///
  /// The lower two bits of the packed type are the width of what the slot points to.
  @_lifetime(self: copy self)
  mutating func value(
    at position: Int, parentWidth: Int, packedType: UInt8, depth: Int
  ) throws(FlatBufferError) -> FlexValue {
    guard let type = FlexType(code: Int(packedType >> 2)) else {
      throw FlatBufferError(.unknownType(Int(packedType >> 2)), at: position)
    }
    let width = 1 << Int(packedType & 3)
    return try value(type, at: position, parentWidth: parentWidth, width: width, depth: depth)
  }

  @_lifetime(self: copy self)
  private mutating func value(
    _ type: FlexType, at position: Int, parentWidth: Int, width: Int, depth: Int
  ) throws(FlatBufferError) -> FlexValue {
    switch type {
    case .null: return .null
    case .int: return .int(try int(at: position, width: parentWidth))
    case .uint: return .uint(try uint(at: position, width: parentWidth))
    case .float: return .float(try float(at: position, width: parentWidth))
    case .bool: return .bool(try uint(at: position, width: parentWidth) != 0)
    case .key, .string, .blob, .indirectInt, .indirectUInt, .indirectFloat, .map, .vector,
      .typedVector:
      let target = try target(of: position, width: parentWidth)
      return try referred(type, at: target, width: width, depth: depth)
    }
  }

  /// The value of a type that is stored behind an offset.
  @_lifetime(self: copy self)
  private mutating func referred(
    _ type: FlexType, at target: Int, width: Int, depth: Int
  ) throws(FlatBufferError) -> FlexValue {
    switch type {
    case .indirectInt: return .int(try int(at: target, width: width))
    case .indirectUInt: return .uint(try uint(at: target, width: width))
    case .indirectFloat: return .float(try float(at: target, width: width))
    case .key: return .key(try key(at: target))
    case .string:
      let count = try count(at: target, width: width)
      try text.charge(count, at: target)
      try bytes.check(at: target, count: count)
      let content = bytes.array(in: target..<target + count)
      return String(validating: content, as: UTF8.self).map { .string($0) } ?? .blob(content)
    case .blob:
      let count = try count(at: target, width: width)
      try text.charge(count, at: target)
      try bytes.check(at: target, count: count)
      return .blob(bytes.array(in: target..<target + count))
    case .vector:
      return .vector(try values(at: target, width: width, depth: depth))
    case .map:
      let keys = try keys(at: target, width: width)
      let values = try values(at: target, width: width, depth: depth)
      guard keys.count == values.count else {
        let problem = "\(keys.count) keys for \(values.count) values"
        throw FlatBufferError(.invalidValue(field: "map", problem: problem), at: target)
      }
      return .map(zip(keys, values).map { FlexValue.Entry($0, $1) })
    case .typedVector(let element, let fixed):
      let count = if let fixed { fixed } else { try count(at: target, width: width) }
      return .vector(
        try typedValues(element, at: target, count: count, width: width, depth: depth))
    case .null, .int, .uint, .float, .bool:
      return .null
    }
  }

  /// The elements of a vector: slots, followed by one byte of type for each.
  @_lifetime(self: copy self)
  private mutating func values(
    at target: Int, width: Int, depth: Int
  ) throws(FlatBufferError) -> [FlexValue] {
    let depth = try deeper(depth, at: target)
    let count = try count(at: target, width: width)
    try bytes.check(at: target, count: try product(count, width + 1, at: target))
    try elements.charge(count, at: target)
    var values: [FlexValue] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      values.append(
        try value(
          at: target + index * width, parentWidth: width,
          packedType: bytes[target + count * width + index], depth: depth))
    }
    return values
  }

  @_lifetime(self: copy self)
  private mutating func typedValues(
    _ type: FlexType, at target: Int, count: Int, width: Int, depth: Int
  ) throws(FlatBufferError) -> [FlexValue] {
    let depth = try deeper(depth, at: target)
    try bytes.check(at: target, count: try product(count, width, at: target))
    try elements.charge(count, at: target)
    var values: [FlexValue] = []
    values.reserveCapacity(count)
    for index in 0..<count {
      values.append(
        try value(
          type, at: target + index * width, parentWidth: width, width: 1, depth: depth))
    }
    return values
  }

  /// The keys of a map, which lie in a vector of their own, found through the two slots before
  /// the map's count: its offset and its width.
  @_lifetime(self: copy self)
  private mutating func keys(at target: Int, width: Int) throws(FlatBufferError) -> [String] {
    let keysWidth = Int(clamping: try uint(at: target - 2 * width, width: width))
    guard Self.isWidth(keysWidth) else {
      throw FlatBufferError(.invalidWidth(keysWidth), at: target)
    }
    let vector = try self.target(of: target - 3 * width, width: width)
    let count = try count(at: vector, width: keysWidth)
    try bytes.check(at: vector, count: try product(count, keysWidth, at: vector))
    try elements.charge(count, at: vector)
    var keys: [String] = []
    keys.reserveCapacity(count)
    for index in 0..<count {
      let start = try self.target(of: vector + index * keysWidth, width: keysWidth)
      keys.append(try key(at: start))
    }
    return keys
  }
}

extension FlexDecoder {
  /// The text from `start` up to its NUL.
  @_lifetime(self: copy self)
  private mutating func key(at start: Int) throws(FlatBufferError) -> String {
    var end = start
    while true {
      try bytes.check(at: end, count: 1)
      if bytes[end] == 0 { break }
      try text.charge(1, at: end)
      end += 1
    }
    return try bytes.text(at: start, count: end - start)
  }

  /// The number of elements, stored in front of them.
  private func count(at target: Int, width: Int) throws(FlatBufferError) -> Int {
    Int(clamping: try uint(at: target - width, width: width))
  }

  /// Where the slot at `position` points to, which is always before it.
  private func target(of position: Int, width: Int) throws(FlatBufferError) -> Int {
    let offset = try uint(at: position, width: width)
    guard offset <= UInt64(position) else {
      throw FlatBufferError(
        .outOfBounds(needed: Int(clamping: offset), available: position), at: position)
    }
    return position - Int(offset)
  }

  private func uint(at position: Int, width: Int) throws(FlatBufferError) -> UInt64 {
    switch width {
    case 1: UInt64(try bytes.integer(UInt8.self, at: position))
    case 2: UInt64(try bytes.integer(UInt16.self, at: position))
    case 4: UInt64(try bytes.integer(UInt32.self, at: position))
    default: try bytes.integer(UInt64.self, at: position)
    }
  }

  private func int(at position: Int, width: Int) throws(FlatBufferError) -> Int64 {
    switch width {
    case 1: Int64(try bytes.integer(Int8.self, at: position))
    case 2: Int64(try bytes.integer(Int16.self, at: position))
    case 4: Int64(try bytes.integer(Int32.self, at: position))
    default: try bytes.integer(Int64.self, at: position)
    }
  }

  private func float(at position: Int, width: Int) throws(FlatBufferError) -> Double {
    switch width {
    case 2: Double(Float16(bitPattern: try bytes.integer(UInt16.self, at: position)))
    case 4: Double(Float(bitPattern: try bytes.integer(UInt32.self, at: position)))
    case 8: Double(bitPattern: try bytes.integer(UInt64.self, at: position))
    default: throw FlatBufferError(.invalidWidth(width), at: position)
    }
  }

  private func product(
    _ count: Int, _ width: Int, at position: Int
  ) throws(FlatBufferError) -> Int {
    let (product, overflow) = count.multipliedReportingOverflow(by: width)
    guard !overflow else {
      throw FlatBufferError(.outOfBounds(needed: count, available: bytes.count), at: position)
    }
    return product
  }

  private func deeper(_ depth: Int, at position: Int) throws(FlatBufferError) -> Int {
    guard depth < FlexBuffers.depthLimit else {
      throw FlatBufferError(.tooDeep(limit: FlexBuffers.depthLimit), at: position)
    }
    return depth + 1
  }
}

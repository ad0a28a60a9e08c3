// SPDX-License-Identifier: Apache-2.0

import MetadataFormat
import ModelFormat
import Testing

/// Damaged models decode or are reported, and never trap.
@Suite struct HostileModelTests {
  static let bytes = SmallModel().bytes

  @Test func `every prefix`() {
    for length in 0..<Self.bytes.count { Self.mayThrow(Array(Self.bytes.prefix(length))) }
  }

  @Test func `every byte set to values that break offsets, lengths and signs`() {
    for position in Self.bytes.indices {
      let original = Self.bytes[position]
      for value in [0, 1, 0x7f, 0x80, 0xff, original ^ 1, original &+ 1, original &- 4] {
        var bytes = Self.bytes
        bytes[position] = value
        Self.mayThrow(bytes)
      }
    }
  }

  @Test func `every four bytes set to extreme numbers`() {
    for position in 0..<Self.bytes.count - 3 {
      for word: [UInt8] in [
        [0xff, 0xff, 0xff, 0xff], [0, 0, 0, 0x80], [0xff, 0xff, 0xff, 0x7f],
        [0xfc, 0xff, 0xff, 0xff],
        [0, 0, 0, 0],
      ] {
        var bytes = Self.bytes
        bytes.replaceSubrange(position..<position + 4, with: word)
        Self.mayThrow(bytes)
      }
    }
  }

  static func mayThrow(_ bytes: [UInt8]) {
    do {
      let model = try ModelFile(parsing: bytes.span)
      _ = try model.modelMetadata(in: bytes.span)
      for range in model.buffers { #expect(range.upperBound <= bytes.count) }
      for node in model.subgraphs.flatMap(\.nodes) { _ = try node.options(as: Conv2DOptions.self) }
    } catch {
      #expect(!error.description.isEmpty)
    }
  }
}

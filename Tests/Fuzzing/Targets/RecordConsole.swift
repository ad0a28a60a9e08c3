// SPDX-License-Identifier: Apache-2.0

import Commands
import FileAccess
import Foundation
import ResourceLimits
import Synchronization

/// Standard input of `martlet worker` from memory; what it prints is only counted.
final class RecordConsole: Console {
  private let input: [UInt8]
  /// Lines printed on standard output.
  private(set) var lineCount = 0

  /// A console with these records.
  init(_ input: [UInt8]) { self.input = input }

  var limits: Limits {
    Limits(
      tensorByteCount: 1 << 26, arenaByteCount: 1 << 26, imagePixelCount: 1 << 22,
      imageByteCount: 1 << 26)
  }

  func write(_ bytes: [UInt8]) throws(FileSystemError) {
    lineCount += bytes.count { $0 == UInt8(ascii: "\n") }
  }

  func note(_ text: String) {}

  func readInput() throws(FileSystemError) -> [UInt8] { input }

  func streamInput() throws(FileSystemError) -> any StreamedInput { RecordStream(input) }

  func environment(_ name: String) -> String? { nil }

  func becomeProgram(at path: String, _ arguments: [String]) -> Int32 { ENOENT }

  var showsProgress: Bool { false }
}

/// Bytes that are read piece by piece.
private final class RecordStream: StreamedInput {
  private let rest: Mutex<ArraySlice<UInt8>?>

  init(_ bytes: [UInt8]) { rest = Mutex(bytes[...]) }

  func next(_ count: Int) throws(FileSystemError) -> [UInt8]? {
    rest.withLock { rest in
      guard let bytes = rest else { return nil }
      rest = bytes.dropFirst(count)
      return Array(bytes.prefix(count))
    }
  }

  func stop() { rest.withLock { $0 = nil } }

  var signal: TerminationSignal? { nil }
}

// SPDX-License-Identifier: Apache-2.0

import FileAccess
import ResourceLimits

/// Another console, with the limits that a command line asks for.
final class LimitedConsole: Console {
  let limits: Limits
  private let base: any Console

  init(_ base: any Console, limits: Limits) {
    self.base = base
    self.limits = limits
  }

  func write(_ bytes: [UInt8]) throws(FileSystemError) { try base.write(bytes) }

  func note(_ text: String) { base.note(text) }

  func readInput() throws(FileSystemError) -> [UInt8] { try base.readInput() }

  func streamInput() throws(FileSystemError) -> any StreamedInput { try base.streamInput() }

  func environment(_ name: String) -> String? { base.environment(name) }

  var showsProgress: Bool { base.showsProgress }
}

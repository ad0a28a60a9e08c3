// SPDX-License-Identifier: Apache-2.0

package import FileAccess
package import ResourceLimits

/// Another console, with the limits that a command line asks for.
package final class LimitedConsole: Console {
  package let limits: Limits
  private let base: any Console

  package init(_ base: any Console, limits: Limits) {
    self.base = base
    self.limits = limits
  }

  package func write(_ bytes: [UInt8]) throws(FileSystemError) { try base.write(bytes) }

  package func note(_ text: String) { base.note(text) }

  package func readInput() throws(FileSystemError) -> [UInt8] { try base.readInput() }

  package func streamInput() throws(FileSystemError) -> any StreamedInput { try base.streamInput() }

  package func environment(_ name: String) -> String? { base.environment(name) }

  package func becomeProgram(at path: String, _ arguments: [String]) -> Int32 {
    base.becomeProgram(at: path, arguments)
  }

  package var showsProgress: Bool { base.showsProgress }
}

// SPDX-License-Identifier: Apache-2.0

/// What a process tells the shell; the numbers follow `sysexits.h`.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// All went well.
  case success = 0
  /// A check, comparison or assertion failed, or some records did.
  case failure = 1
  /// The command line is wrong.
  case usage = 64
  /// A model, image or other data is bad.
  case badData = 65
  /// An input file is missing.
  case missingInput = 66
  /// The host is not available.
  case unavailable = 69
  /// Something that cannot happen has happened.
  case internalError = 70
  /// Reading or writing failed.
  case inputOutput = 74
  /// Trying again later may help.
  case temporary = 75
  /// `SIGHUP` ended the work.
  case hungUp = 129
  /// `SIGINT` ended the work.
  case interrupted = 130
  /// `SIGTERM` ended the work.
  case terminated = 143
}

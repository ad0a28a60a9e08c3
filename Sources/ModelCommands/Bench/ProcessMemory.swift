// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
import FileAccess

/// The memory of this process.
enum ProcessMemory {
  /// The most bytes that were resident at once.
  ///
  /// Linux counts them per program in `/proc`; `getrusage` also counts what the parent process
  /// had before this program began, and is only the second choice.
  static var peakByteCount: Int {
    if let peak = statusByteCount("VmHWM") { return peak }
    var usage = rusage()
    #if canImport(Glibc)
      let process = RUSAGE_SELF.rawValue
    #else
      let process = RUSAGE_SELF
    #endif
    guard unsafe getrusage(.init(process), &usage) == 0 else { return 0 }
    #if canImport(Darwin)
      return usage.ru_maxrss
    #else
      return usage.ru_maxrss * 1024
    #endif
  }

  /// The bytes that are resident now, or the most so far where the system does not tell.
  static var residentByteCount: Int { statusByteCount("VmRSS") ?? peakByteCount }

  /// A size that Linux states for this process.
  private static func statusByteCount(_ field: String) -> Int? {
    guard let bytes = try? InputFile.bytes(at: "/proc/self/status", limit: 1 << 16) else {
      return nil
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    where line.hasPrefix(field + ":") {
      let words = line.split(whereSeparator: { " \t".contains($0) })
      return words.dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
    return nil
  }
}

// SPDX-License-Identifier: Apache-2.0

package import Microkernels
internal import MicrokernelsBaseline
internal import MicrokernelsPortable
internal import MicrokernelsX86V3
internal import MicrokernelsX86V4
internal import MicrokernelsX86VBMI
internal import MicrokernelsX86VNNI

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

extension MicrokernelSet {
  /// The kernels for this processor, chosen once.
  ///
  /// The environment variable `MARTLET_ISA` (`portable`, `baseline`, `v3`, `v3-vnni`, `v4`) is the
  /// highest level that may be chosen; other words change nothing.
  package static let selected: MicrokernelSet = {
    let limit = unsafe getenv("MARTLET_ISA").flatMap { Level(rawValue: unsafe String(cString: $0)) }
    let best = Level.allCases.last { $0 <= limit ?? .v4 && ProcessorFeatures.has($0) }
    return make(best ?? .portable)
  }()

  /// The levels that this program has kernels for, lowest first, whatever the processor has.
  package static let builtLevels: [Level] = {
    #if arch(x86_64)
      Level.allCases
    #else
      [.portable, .baseline]
    #endif
  }()

  /// The kernels of every level that this processor has, lowest first.
  package static let available: [MicrokernelSet] =
    Level.allCases.filter(ProcessorFeatures.has).map(make)

  /// Kernels of processors between the levels, for tests: `v4` without permutations of bytes.
  package static let variants: [MicrokernelSet] = {
    #if arch(x86_64)
      ProcessorFeatures.hasBytePermutations ? [v4()] : []
    #else
      []
    #endif
  }()

  private static func make(_ level: Level) -> MicrokernelSet {
    #if arch(x86_64)
      switch level {
      case .portable: return portable()
      case .baseline: return baseline()
      case .v3: return v3()
      case .v3vnni: return v3vnni(v3())
      case .v4:
        return unsafe ProcessorFeatures.hasBytePermutations ? v4(lookUp: permuteBytes) : v4()
      }
    #else
      return portable()
    #endif
  }
}

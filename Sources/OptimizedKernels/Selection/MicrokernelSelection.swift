// SPDX-License-Identifier: Apache-2.0

package import Microkernels
internal import MicrokernelsBaseline
internal import MicrokernelsNEON
internal import MicrokernelsNEONDot
internal import MicrokernelsNEONI8MM
internal import MicrokernelsPortable
internal import MicrokernelsX86AMX
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
  /// The environment variable `MARTLET_ISA`, a level's name, is the highest level that may be chosen;
  /// other words change nothing.
  package static let selected: MicrokernelSet = {
    let limit = unsafe getenv("MARTLET_ISA").map { unsafe String(cString: $0) }
    let levels = builtLevels.firstIndex { $0.rawValue == limit }.map(builtLevels.prefix(through:))
    let best = (levels ?? builtLevels[...]).last(where: ProcessorFeatures.has)
    return make(best ?? .portable)
  }()

  /// The levels that this program has kernels for, slowest first, whatever the processor has; processors
  /// that have `v4` may lack `v3vnni`.
  package static let builtLevels: [Level] = {
    #if arch(x86_64)
      [.portable, .baseline, .v3, .v3vnni, .v4, .v4amx]
    #elseif arch(arm64)
      [.portable, .neon, .neonDot, .neonI8MM]
    #else
      [.portable]
    #endif
  }()

  /// The kernels of every level that this processor has, lowest first.
  package static let available: [MicrokernelSet] =
    builtLevels.filter(ProcessorFeatures.has).map(make)

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
      case .baseline: return baseline()
      case .v3: return v3()
      case .v3vnni: return v3vnni(v3())
      case .v4:
        return unsafe ProcessorFeatures.hasBytePermutations ? v4(lookUp: permuteBytes) : v4()
      case .v4amx: return v4amx(make(.v4))
      case .portable, .neon, .neonDot, .neonI8MM: return portable()
      }
    #elseif arch(arm64)
      switch level {
      case .neon: return neon()
      case .neonDot: return neonDot(neon())
      case .neonI8MM: return neonI8MM(neon())
      case .portable, .baseline, .v3, .v3vnni, .v4, .v4amx: return portable()
      }
    #else
      return portable()
    #endif
  }
}

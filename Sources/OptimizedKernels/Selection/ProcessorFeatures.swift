// SPDX-License-Identifier: Apache-2.0

internal import Microkernels

#if canImport(Darwin)
  internal import Darwin
#endif
#if os(Linux) || arch(x86_64)
  internal import CProcessors
#endif

#if arch(x86_64)
  /// What this processor and its operating system support, by `CPUID` and `XGETBV`.
  enum ProcessorFeatures {
    /// Whether there are an instruction-set level's instructions, save for what an environment
    /// forbids.
    static func has(_ level: MicrokernelSet.Level) -> Bool {
      switch level {
      case .portable, .baseline: true
      case .v3: hasVersion3
      case .v3vnni: hasVersion3 && hasByteProducts
      case .v4: hasVersion4
      case .v4amx: hasTileRegisters
      case .neon, .neonDot, .neonI8MM: false
      }
    }

    /// Whether there are permutations of bytes besides `v4`: AVX-512 VBMI.
    static var hasBytePermutations: Bool { hasVersion4 && extended.ecx.has(bits: 1) }

    /// Whether cores are far from each other, as the mesh of Intel's servers has them: a line goes to
    /// another core and back in 385 ns.
    static let hasDistantCores: Bool = {
      // The family of Intel's processors from 2006 to 2025 at least; AMD's are others.
      cpuidRegisters(1, 0).eax >> 8 & 15 == 6 && hasVersion4
    }()

    /// x86-64-v3, with the operating system saving 256-bit registers.
    private static let hasVersion3: Bool = {
      let basic = cpuidRegisters(1, 0).ecx
      // SSE3, SSSE3, FMA, SSE4.1, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C.
      return basic.has(bits: 0, 9, 12, 19, 20, 22, 23, 27, 28, 29)
        // BMI1, AVX2, BMI2; LZCNT.
        && extended.ebx.has(bits: 3, 5, 8) && cpuidRegisters(0x8000_0001, 0).ecx.has(bits: 5)
        && savedStateComponents().has(bits: 1, 2)
    }()

    /// Products of bytes in 256-bit registers without AVX-512: AVX-VNNI.
    private static var hasByteProducts: Bool {
      extended.eax >= 1 && cpuidRegisters(7, 1).eax.has(bits: 4)
    }

    /// x86-64-v4 and VNNI, with the operating system saving 512-bit and mask registers.
    private static let hasVersion4: Bool = {
      // AVX-512 F, DQ, CD, BW, VL; VNNI.
      extended.ebx.has(bits: 16, 17, 28, 30, 31) && extended.ecx.has(bits: 11)
        && hasVersion3 && savedStateComponents().has(bits: 5, 6, 7)
    }()

    /// x86-64-v4 with AMX on bytes, with the operating system saving tile registers for this process.
    private static let hasTileRegisters: Bool = {
      // AMX-TILE, AMX-INT8.
      hasVersion4 && extended.edx.has(bits: 24, 25) && savedStateComponents().has(bits: 17, 18)
        && requestTileData() == 0
    }()

    private static var extended: CPUIDRegisters { cpuidRegisters(7, 0) }
  }

  extension UInt32 {
    /// Whether all of these bits are set.
    fileprivate func has(bits: UInt32...) -> Bool { bits.allSatisfy { self >> $0 & 1 == 1 } }
  }
#elseif arch(arm64)
  /// What this processor and its operating system support, as the latter says.
  enum ProcessorFeatures {
    /// Whether there are an instruction-set level's instructions.
    static func has(_ level: MicrokernelSet.Level) -> Bool {
      switch level {
      case .portable, .neon: true
      case .neonDot: hasDotProducts
      case .neonI8MM: hasDotProducts && hasMatrixProducts
      case .baseline, .v3, .v3vnni, .v4, .v4amx: false
      }
    }

    /// Whether cores are far from each other; not known.
    static var hasDistantCores: Bool { false }

    #if canImport(Darwin)
      private static let hasDotProducts = has("hw.optional.arm.FEAT_DotProd")
      private static let hasMatrixProducts = has("hw.optional.arm.FEAT_I8MM")

      private static func has(_ name: String) -> Bool {
        var value: Int32 = 0
        var size = MemoryLayout<Int32>.size
        return unsafe sysctlbyname(name, &value, &size, nil, 0) == 0 && value != 0
      }
    #elseif os(Linux)
      // Bits of `AT_HWCAP` and of `AT_HWCAP2`, from Linux' asm/hwcap.h.
      private static let hasDotProducts = getauxval(UInt(AT_HWCAP)) >> 20 & 1 == 1
      private static let hasMatrixProducts = getauxval(UInt(AT_HWCAP2)) >> 13 & 1 == 1
    #else
      private static let hasDotProducts = false
      private static let hasMatrixProducts = false
    #endif
  }
#else
  /// What this processor supports.
  enum ProcessorFeatures {
    /// Whether there are an instruction-set level's instructions.
    static func has(_ level: MicrokernelSet.Level) -> Bool { level == .portable }

    /// Whether cores are far from each other; not known.
    static var hasDistantCores: Bool { false }
  }
#endif

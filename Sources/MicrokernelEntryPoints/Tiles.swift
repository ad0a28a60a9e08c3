// SPDX-License-Identifier: Apache-2.0

#if (!ONLY_X86_64 || arch(x86_64)) && (!ONLY_ARM64 || arch(arm64))
  extension Tiles {
    /// Whether the registers hold a depthwise tile of two vectors of channels, or of two pixels.
    static var holdsPairs: Bool { registerCount >= 32 }
  }
#endif

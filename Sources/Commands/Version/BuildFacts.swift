// SPDX-License-Identifier: Apache-2.0

private import Compression
internal import JSONDocuments
private import Martlet
private import Microkernels
private import ModelFormat
private import OptimizedKernels

/// What this program was built from, and what it does with the processor at hand.
///
/// Equal builds on equal processors say the same: there are no dates, paths or names of machines.
struct BuildFacts {
  /// The document `martlet/version/1`.
  var json: JSON {
    [
      "schema": "martlet/version/1",
      "version": .string(Engine.version),
      "swift": .string(Self.compiler),
      "configuration": .string(Self.configuration),
      "traits": .array(Self.traits.map { .string($0) }),
      "architecture": .string(Self.architecture),
      "system": .string(Self.system),
      "c_library": .string(Self.cLibrary),
      "zlib": .string(Zlib.version),
      "tflite_schema": .integer(ModelFile.supportedVersion),
      "instruction_sets": .array(MicrokernelSet.builtLevels.map { .string($0.rawValue) }),
      "instruction_set": .string(MicrokernelSet.selected.level.rawValue),
    ]
  }

  /// The compiler's version, as far as conditions of compilation can tell.
  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  private static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  private static var traits: [String] {
    #if Networking
      ["Networking"]
    #else
      []
    #endif
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "aarch64"
    #else
      "other"
    #endif
  }

  private static var system: String {
    #if os(Linux)
      "linux"
    #elseif os(macOS)
      "macos"
    #else
      "other"
    #endif
  }

  private static var cLibrary: String {
    #if canImport(Glibc)
      "glibc"
    #elseif canImport(Musl)
      "musl"
    #else
      "other"
    #endif
  }
}

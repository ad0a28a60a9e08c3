// SPDX-License-Identifier: Apache-2.0

/// Where models are compiled and buffers made.
///
/// LiteRT finds libraries of accelerators and compilers through it. Here everything is computed by the
/// kernels of this package: options are accepted and not used, and no accelerator is found.
public final class Environment: Sendable {
  /// What an environment can be told.
  public enum Option: Sendable {
    /// Where libraries of compilers are.
    case compilerPluginLibraryDir(String)
    /// Where the libraries are that dispatch to accelerators.
    case dispatchLibraryDir(String)
    /// Where compiled models are kept.
    case compilerCacheDir(String)
    /// Where the runtime's library is.
    case runtimeLibraryDir(String)
    /// The accelerators that are registered by themselves, a bit for each.
    case autoRegisterAccelerators(Int64)
    /// From which severity on messages are logged.
    case minLoggerSeverity(Int64)
    /// Compiled forms of a model that are kept.
    case compilerCacheMaxConfigsPerModel(Int64)
    /// Bytes of all compiled models that are kept.
    case compilerCacheMaxTotalSize(Int64)
  }

  /// An environment with these options.
  ///
  /// - Throws: nothing; LiteRT's does where a library cannot be loaded.
  public init(options: [Option] = []) throws {}

  /// Whether an accelerator computes with 16-bit floats: false.
  public func supportsFP16() throws -> Bool { false }

  /// Whether there is a GPU: false.
  public func hasGpuEnvironment() -> Bool { false }

  /// Whether OpenCL and OpenGL share buffers: false.
  public func supportsClGlInterop() throws -> Bool { false }

  /// Whether OpenCL and Android's hardware buffers share memory: false.
  public func supportsAhwbClInterop() throws -> Bool { false }

  /// Whether OpenGL and Android's hardware buffers share memory: false.
  public func supportsAhwbGlInterop() throws -> Bool { false }
}

// SPDX-License-Identifier: Apache-2.0

/// What computes.
public enum Accelerator: Int32, Sendable {
  /// Nothing.
  case none = 0
  /// The processor.
  case cpu = 1
  /// A GPU: there is none here.
  case gpu = 2
  /// A neural processing unit: there is none here.
  case npu = 4
}

/// How models are compiled.
///
/// Options belong to one task at a time, and may be changed after a model has been compiled with them,
/// which keeps what it was given.
public final class Options {
  private var accelerators: Set<Accelerator> = []
  private var opaque: OpaqueOptions.Node?
  /// Threads that share the work of an operator; an addition.
  public var threadCount = 1

  /// No accelerators, one thread.
  ///
  /// - Throws: nothing.
  public init() throws {}

  /// Says what may compute.
  ///
  /// - Throws: nothing; a model refuses accelerators that it cannot be compiled for.
  public func setHardwareAccelerators(_ accelerators: Set<Accelerator>) throws {
    self.accelerators = accelerators.subtracting([.none])
  }

  /// What may compute; empty if nothing was said.
  ///
  /// - Throws: nothing.
  public func hardwareAccelerators() throws -> Set<Accelerator> { accelerators }

  /// Adds options for one accelerator, behind those that were added before.
  ///
  /// - Throws: `LiteRtError.invalidArgument` where all of `opaqueOptions` have been taken out.
  public func addOpaqueOptions(_ opaqueOptions: OpaqueOptions) throws {
    guard let node = opaqueOptions.head else { throw LiteRtError.invalidArgument }
    if let opaque { opaque.last.next = node } else { opaque = node }
  }

  /// The options for accelerators; nil if there are none.
  ///
  /// - Throws: nothing.
  public func opaqueOptions() throws -> OpaqueOptions? { opaque.map(OpaqueOptions.init(head:)) }

  /// Checks that the processor may compute: all that there is.
  ///
  /// - Throws: `LiteRtError.invalidArgument` if nothing may, `.unsupported` if only others may.
  func check() throws(LiteRtError) {
    guard !accelerators.isEmpty else { throw .invalidArgument }
    guard accelerators.contains(.cpu) else { throw .unsupported }
  }
}
